/**
 * Replicate's predictions, spoken directly: its package for the AI SDK makes videos and has no place for a sound. Files
 * beyond what it takes in a request are given to its file store first.
 */
import {
  callerOf,
  dataUrl,
  fieldsOf,
  inputsOf,
  ownAddress,
  type ProviderOptions,
  type TalkingHeadProvider,
  videoIn,
} from './protocol.ts';

export const REPLICATE = 'https://api.replicate.com';

/** Its documentation asks for an address instead of the bytes beyond this. */
const MOST_INLINE_BYTES = 256 * 1024;

export function replicateTalkingHead(options: ProviderOptions): TalkingHeadProvider {
  const { baseUrl, apiKey, model } = options;
  const call = callerOf(options);
  const authorization = `Bearer ${apiKey}`;
  const json = { authorization, 'content-type': 'application/json' };
  const [name, version] = model.split(':');
  const path = version ? '/v1/predictions' : `/v1/models/${name}/predictions`;

  async function fileOf(bytes: Uint8Array, type: string, signal: AbortSignal | undefined): Promise<string> {
    if (bytes.length <= MOST_INLINE_BYTES) return dataUrl(bytes, type);
    const body = new FormData();
    body.append('content', new Blob([Uint8Array.from(bytes)], { type }), `input.${type.replace(/^.*\//, '')}`);
    const response = await call(`${baseUrl}/v1/files`, { method: 'POST', headers: { authorization }, body }, signal);
    const { get } = fieldsOf(fieldsOf(await response.json()).urls);
    return ownAddress(get, baseUrl);
  }

  return {
    name: `replicate:${model}`,
    async start(inputs, signal) {
      const input = await inputsOf(inputs, options, (bytes, type) => fileOf(bytes, type, signal));
      const body = JSON.stringify({ ...(version ? { version } : {}), input });
      const response = await call(`${baseUrl}${path}`, { method: 'POST', headers: json, body }, signal);
      const { get, cancel } = fieldsOf(fieldsOf(await response.json()).urls);
      return { operation: { get: ownAddress(get, baseUrl), cancel: ownAddress(cancel, baseUrl) } };
    },
    async look(operation, signal) {
      const response = await call(ownAddress(fieldsOf(operation).get, baseUrl), { headers: json }, signal);
      const { status, output, error } = fieldsOf(await response.json());
      if (status === 'starting' || status === 'processing') return undefined;
      if (status !== 'succeeded') throw new Error(`The prediction ended as ${status}: ${error ?? 'no reason given'}`);
      return videoIn(output);
    },
    async cancel(operation) {
      const url = ownAddress(fieldsOf(operation).cancel, baseUrl);
      await call(url, { method: 'POST', headers: json }, undefined);
    },
  };
}
