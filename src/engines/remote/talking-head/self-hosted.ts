/**
 * A server of the operator's own (docs/engines/talking-head.md, "A server of your own"): one multipart POST with `image`,
 * `audio` and the options as fields. It answers the video, or 202 with `{"job": "..."}` (or a Location) to poll: 202
 * while it is being made, then the video; DELETE cancels it. A second POST with the same Idempotency-Key
 * is the same job.
 */
import { randomUUID } from 'node:crypto';
import {
  answerOf,
  callerOf,
  fieldsOf,
  ownAddress,
  type ProviderOptions,
  type TalkingHeadProvider,
  unlessStatus,
} from './protocol.ts';

export function selfHostedTalkingHead(options: Omit<ProviderOptions, 'fields'>): TalkingHeadProvider {
  const { baseUrl, apiKey, model } = options;
  const call = callerOf(options);
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const jobOf = (operation: unknown) => ownAddress(fieldsOf(operation).job, baseUrl);
  const videoOf = async (response: Response) => ({ bytes: new Uint8Array(await response.arrayBuffer()) });
  return {
    name: `server:${baseUrl} ${model}`.trim(),
    async prepare({ image, imageType, sound }, _, earlier = randomUUID()) {
      const body = new FormData();
      body.append('image', new Blob([Uint8Array.from(image)], { type: imageType }), `image.${imageType.slice(6)}`);
      body.append('audio', new Blob([Uint8Array.from(sound)], { type: 'audio/wav' }), 'audio.wav');
      if (model) body.append('model', model);
      for (const [name, value] of Object.entries(options.options))
        body.append(name, typeof value === 'string' ? value : JSON.stringify(value));
      const keyed = { ...headers, 'idempotency-key': earlier };
      return {
        reference: earlier,
        async submit(signal, onSent) {
          const response = await call(baseUrl, { method: 'POST', headers: keyed, body }, signal, { onSent });
          if (response.status !== 202) return videoOf(response);
          const job = response.headers.get('location') ?? (await answerOf(response)).job;
          return { operation: { job: ownAddress(job, baseUrl) } };
        },
      };
    },
    // The server knows the key and answers the job that it has.
    lookUp: async () => 'ask',
    async look(operation, signal) {
      const response = await call(jobOf(operation), { headers }, signal);
      return response.status === 202 ? undefined : videoOf(response);
    },
    async cancel(operation) {
      await call(jobOf(operation), { method: 'DELETE', headers }, undefined).catch(unlessStatus(404, 409, 410));
    },
  };
}
