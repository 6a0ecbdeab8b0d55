/**
 * Replicate's predictions, spoken directly: its package for the AI SDK makes videos and has no place for a sound. Files
 * beyond what it takes in a request are given to its file store first.
 */
import {
  answerOf,
  callerOf,
  dataUrl,
  fieldsOf,
  inputsOf,
  noWord,
  ownAddress,
  type ProviderOptions,
  serverFailure,
  type TalkingHeadProvider,
  unlessStatus,
  videoIn,
} from './protocol.ts';

/** Address of Replicate's API. */
export const REPLICATE = 'https://api.replicate.com';

/** Its documentation asks for an address instead of the bytes beyond this. */
const MOST_INLINE_BYTES = 256 * 1024;
const SOUND = 'audio/wav';
/** No operation is waited for any longer: one that no worker lives to cancel ends by itself. */
const GIVEN_UP_AFTER = '30m';
/** Pages of a hundred predictions in which one is looked for. */
const LOOKED_UP_PAGES = 5;

/** A model at Replicate. */
export function replicateTalkingHead(options: ProviderOptions): TalkingHeadProvider {
  const { baseUrl, apiKey, model } = options;
  const call = callerOf(options);
  const authorization = `Bearer ${apiKey}`;
  const json = { authorization, 'content-type': 'application/json' };
  const [name, version] = model.split(':');
  const path = version ? '/v1/predictions' : `/v1/models/${name}/predictions`;

  async function fileOf(bytes: Uint8Array, type: string, signal: AbortSignal | undefined): Promise<string> {
    // The sound's address is its own: by it a prediction is found again.
    if (bytes.length <= MOST_INLINE_BYTES && type !== SOUND) return dataUrl(bytes, type);
    const body = new FormData();
    body.append('content', new Blob([Uint8Array.from(bytes)], { type }), `input.${type.replace(/^.*\//, '')}`);
    const response = await call(`${baseUrl}/v1/files`, { method: 'POST', headers: { authorization }, body }, signal);
    const { get } = fieldsOf((await answerOf(response)).urls);
    return ownAddress(get, baseUrl);
  }

  function operationOf(prediction: unknown) {
    const { get, cancel } = fieldsOf(fieldsOf(prediction).urls);
    return { get: ownAddress(get, baseUrl), cancel: ownAddress(cancel, baseUrl) };
  }

  return {
    name: `replicate:${model}`,
    async prepare(inputs, before) {
      const input = await inputsOf(inputs, options, (bytes, type) => fileOf(bytes, type, before));
      const body = JSON.stringify({ ...(version ? { version } : {}), input });
      return {
        reference: String(input[options.fields.audio]),
        async submit(signal, onSent) {
          const headers = { ...json, 'cancel-after': GIVEN_UP_AFTER };
          const response = await call(`${baseUrl}${path}`, { method: 'POST', headers, body }, signal, { onSent });
          return { operation: operationOf(await answerOf(response)) };
        },
      };
    },
    // Its list has the most recent ones first, each with its inputs.
    async lookUp(reference, signal) {
      let url = `${baseUrl}/v1/predictions`;
      for (let page = 0; page < LOOKED_UP_PAGES; page += 1) {
        const response = await call(url, { headers: json }, signal);
        const { results, next } = await answerOf(response);
        const known = Array.isArray(results) ? results : [];
        const found = known.find((one) => fieldsOf(fieldsOf(one).input)[options.fields.audio] === reference);
        if (found) return { operation: operationOf(found) };
        if (!next) break;
        url = ownAddress(next, baseUrl);
      }
      return 'ask';
    },
    async look(operation, signal) {
      const url = ownAddress(fieldsOf(operation).get, baseUrl);
      const response = await call(url, { headers: json }, signal).catch(serverFailure);
      const { status, output, error } = await answerOf(response);
      if (typeof status !== 'string') throw noWord('The prediction has no status.', undefined);
      if (status === 'starting' || status === 'processing') return undefined;
      if (status !== 'succeeded') throw new Error(`The prediction ended as ${status}: ${error ?? 'no reason given'}`);
      return videoIn(output);
    },
    async cancel(operation) {
      const url = ownAddress(fieldsOf(operation).cancel, baseUrl);
      await call(url, { method: 'POST', headers: json }, undefined).catch(unlessStatus(404, 422));
    },
  };
}
