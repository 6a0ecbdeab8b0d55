/**
 * fal's queue, spoken directly: its package for the AI SDK makes videos and has no place for a sound. An operation is
 * submitted, its status asked for, its answer fetched; what nobody waits for is cancelled.
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

export const FAL_QUEUE = 'https://queue.fal.run';

export function falTalkingHead(options: ProviderOptions): TalkingHeadProvider {
  const { baseUrl, apiKey, model } = options;
  const call = callerOf(options);
  const headers = { authorization: `Key ${apiKey}`, 'content-type': 'application/json' };
  const get = async (url: string, signal: AbortSignal | undefined) =>
    fieldsOf(await (await call(url, { headers }, signal)).json());
  return {
    name: `fal:${model}`,
    async start(inputs, signal) {
      const body = JSON.stringify(await inputsOf(inputs, options, dataUrl));
      const response = await call(`${baseUrl}/${model}`, { method: 'POST', headers, body }, signal);
      const given = fieldsOf(await response.json());
      return {
        operation: {
          status: ownAddress(given.status_url, baseUrl),
          response: ownAddress(given.response_url, baseUrl),
          cancel: ownAddress(given.cancel_url, baseUrl),
        },
      };
    },
    async look(operation, signal) {
      const { status, response } = fieldsOf(operation);
      const state = await get(ownAddress(status, baseUrl), signal);
      if (state.status !== 'COMPLETED') return undefined;
      return videoIn(await get(ownAddress(response, baseUrl), signal));
    },
    async cancel(operation) {
      await call(ownAddress(fieldsOf(operation).cancel, baseUrl), { method: 'PUT', headers }, undefined);
    },
  };
}
