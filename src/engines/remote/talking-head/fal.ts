/**
 * fal's queue, spoken directly: its package for the AI SDK makes videos and has no place for a sound. An operation is
 * submitted, its status asked for, its answer fetched; what no caller waits for is cancelled.
 */
import { randomUUID } from 'node:crypto';
import {
  callerOf,
  dataUrl,
  fieldsOf,
  inputsOf,
  ownAddress,
  type ProviderOptions,
  type TalkingHeadProvider,
  unlessStatus,
  videoIn,
} from './protocol.ts';

/** Address of fal's queue. */
export const FAL_QUEUE = 'https://queue.fal.run';

/** A model at fal. */
export function falTalkingHead(options: ProviderOptions): TalkingHeadProvider {
  const { baseUrl, apiKey, model } = options;
  const call = callerOf(options);
  const headers = { authorization: `Key ${apiKey}`, 'content-type': 'application/json' };
  const get = async (url: string, signal: AbortSignal | undefined) =>
    fieldsOf(await (await call(url, { headers }, signal)).json());
  return {
    name: `fal:${model}`,
    async prepare(inputs) {
      const body = JSON.stringify(await inputsOf(inputs, options, dataUrl));
      return {
        reference: randomUUID(),
        async submit(signal, onSent) {
          const response = await call(`${baseUrl}/${model}`, { method: 'POST', headers, body }, signal, onSent);
          const given = fieldsOf(await response.json());
          return {
            operation: {
              status: ownAddress(given.status_url, baseUrl),
              response: ownAddress(given.response_url, baseUrl),
              cancel: ownAddress(given.cancel_url, baseUrl),
            },
          };
        },
      };
    },
    // No `lookUp`: it takes no name of ours for a request and lists none by one.
    async look(operation, signal) {
      const { status, response } = fieldsOf(operation);
      const state = await get(ownAddress(status, baseUrl), signal);
      if (state.status !== 'COMPLETED') return undefined;
      return videoIn(await get(ownAddress(response, baseUrl), signal));
    },
    async cancel(operation) {
      const url = ownAddress(fieldsOf(operation).cancel, baseUrl);
      // 400: it is done.
      await call(url, { method: 'PUT', headers }, undefined).catch(unlessStatus(400, 404));
    },
  };
}
