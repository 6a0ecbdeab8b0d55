/**
 * fal's queue, spoken directly: its package for the AI SDK makes videos and has no place for a sound. An operation is
 * submitted, its status asked for, its answer fetched; what no caller waits for is cancelled.
 */
import { randomUUID } from 'node:crypto';
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

/** Address of fal's queue. */
export const FAL_QUEUE = 'https://queue.fal.run';

/** Says of a refusal that the operation failed: a runner's 503 or 504 comes with the result, and the queue is not away. */
const ERROR_TYPE = 'x-fal-error-type';
const UNDER_WAY: unknown[] = ['IN_QUEUE', 'IN_PROGRESS'];

/** A model at fal. */
export function falTalkingHead(options: ProviderOptions): TalkingHeadProvider {
  const { baseUrl, apiKey, model } = options;
  const call = callerOf(options);
  const headers = { authorization: `Key ${apiKey}`, 'content-type': 'application/json' };
  return {
    name: `fal:${model}`,
    async prepare(inputs) {
      const body = JSON.stringify(await inputsOf(inputs, options, dataUrl));
      return {
        reference: randomUUID(),
        async submit(signal, onSent) {
          const response = await call(`${baseUrl}/${model}`, { method: 'POST', headers, body }, signal, { onSent });
          const given = await answerOf(response);
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
      const asked = await call(ownAddress(status, baseUrl), { headers }, signal).catch(serverFailure);
      const state = await answerOf(asked);
      if (UNDER_WAY.includes(state.status)) return undefined;
      if (typeof state.status !== 'string') throw noWord('The queue named no status.', undefined);
      if (state.error) throw new Error(`The request ended in ${state.error_type ?? 'an error'}: ${state.error}`);
      if (state.status !== 'COMPLETED') throw new Error(`The request ended as ${state.status}.`);
      // Of 4xx the status itself says whether another attempt may help.
      const isWord = (refusal: Response) => refusal.status >= 500 && refusal.headers.has(ERROR_TYPE);
      const result = await call(ownAddress(response, baseUrl), { headers }, signal, { isWord });
      const answer = await answerOf(result);
      if (!result.ok) throw new Error(`The request ended in ${result.headers.get(ERROR_TYPE)}: ${answer.detail}`);
      return videoIn(answer);
    },
    async cancel(operation) {
      const url = ownAddress(fieldsOf(operation).cancel, baseUrl);
      // 400: it is done.
      await call(url, { method: 'PUT', headers }, undefined).catch(unlessStatus(400, 404));
    },
  };
}
