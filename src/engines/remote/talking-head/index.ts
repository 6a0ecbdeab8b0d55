/**
 * Talking heads that are made elsewhere: a still and a sound go to a provider, its video comes back, and is decoded,
 * fitted to the still's proportions and given the sound again by a decoder process: it is bytes that we did not make.
 */
import { APICallError } from '@ai-sdk/provider';
import { upstreamFailure } from '../../../kernel/remote-calls.ts';
import type { RemoteTalkingHead, RemoteTalkingHeadQuery, VideoPiece, VideoQuery } from '../../ports/index.ts';
import { wavFile } from '../../wav.ts';
import { isAway, POLL_MS, polled } from '../provider-polling.ts';
import { imageType } from '../ratio.ts';
import type { MadeVideo, TalkingHeadProvider } from './protocol.ts';

/** The provider, and what prepares its input and output. */
export interface RemoteTalkingHeadOptions {
  provider: TalkingHeadProvider;
  /** The still with its mouth shut for so long, as a finished MP4. */
  silent(query: RemoteTalkingHeadQuery): Promise<Uint8Array>;
  /** Makes of a video what was asked for (`EmbeddedVideo.conform`). */
  conform(query: VideoQuery & { seed: number; keepsTime: true }, made: Uint8Array): AsyncIterable<VideoPiece>;
  /** Fetches a video that the provider gives as an address. */
  download(url: string, signal?: AbortSignal): Promise<Uint8Array>;
  pollMs?: number;
}

export function createRemoteTalkingHead(options: RemoteTalkingHeadOptions): RemoteTalkingHead {
  const { provider, conform, download } = options;
  return {
    about: `Talking heads by ${provider.name}.`,
    model: provider.name,
    async render(query) {
      const { image, pcm, rate, owner, signal } = query;
      let made: Uint8Array;
      try {
        const video = await ask(query, options);
        made = 'bytes' in video ? video.bytes : await download(video.url, signal);
      } catch (cause) {
        signal?.throwIfAborted();
        throw upstreamFailure('The talking-head model could not make this video.', cause);
      }
      const fitted = { prompt: '', model: 'motion', image, audio: { pcm, rate }, seed: 0, keepsTime: true } as const;
      const whose = { ...(owner === undefined ? {} : { owner }), ...(signal ? { signal } : {}) };
      for await (const piece of conform({ ...fitted, ...whose }, made)) if ('file' in piece) return piece.file;
      throw upstreamFailure('The talking-head model returned no video.', undefined);
    },
    async cancel({ model, reference, operation }) {
      if (model !== provider.name) return;
      const found = operation === undefined ? await provider.lookUp?.(reference, undefined) : { operation };
      if (typeof found === 'object') await provider.cancel(found.operation);
    },
  };
}

/** Asks once: what an earlier attempt has asked for is gone on with, and what no caller waits for is cancelled. */
async function ask(query: RemoteTalkingHeadQuery, options: RemoteTalkingHeadOptions): Promise<MadeVideo> {
  const { provider, pollMs = POLL_MS } = options;
  const { signal } = query;
  const started = await begun(query, options);
  if (!('operation' in started)) return started;
  const order = started.operation;
  try {
    const polls = polled(() => provider.look(order, signal), { pollMs, signal });
    for (;;) {
      const { done, value } = await polls.next();
      if (done) return value;
      const whose = await query.whose();
      if (whose === 'ours') continue;
      // Another worker that has taken it over goes on with the operation.
      if (whose === 'orphaned') await provider.cancel(order).catch(() => {});
      throw new Error('This video is no longer needed.');
    }
  } catch (error) {
    // A connection that broke loses no video; what the provider gave up, or knows nothing of, must be asked for anew.
    if (!isAway(error) && !signal?.aborted && (await query.whose()) === 'ours') await query.keep(null);
    throw error;
  }
}

/** A video that was there at once, or the operation: an earlier attempt's, or a new one. */
async function begun(query: RemoteTalkingHeadQuery, options: RemoteTalkingHeadOptions) {
  const { provider } = options;
  const { image, pcm, rate, signal, keep } = query;
  const under = query.under?.model === provider.name ? query.under : undefined;
  if (under?.operation !== undefined) return { operation: under.operation };
  const model = provider.name;
  if (under) {
    if (!provider.lookUp) throw unknownOutcome(undefined);
    const found = await provider.lookUp(under.reference, signal);
    if (found !== 'ask') {
      await keep({ ...under, ...found });
      return found;
    }
  }
  const sound = wavFile([pcm], rate);
  const inputs = { image, imageType: imageType(image), sound, silent: () => options.silent(query) };
  const request = await provider.prepare(inputs, signal, under?.reference);
  const { reference } = request;
  // Before it is asked for: a worker that does not live to hear the answer has left word.
  await keep({ model, reference });
  let isSent = false;
  const onSent = () => {
    isSent = true;
  };
  const started = await request.submit(signal, onSent).catch(async (error: unknown) => {
    const isOpen = isSent && !isRefused(error, provider);
    if (!isOpen) await keep(null);
    throw isOpen && !provider.lookUp ? unknownOutcome(error) : error;
  });
  if ('operation' in started) await keep({ model, reference, operation: started.operation });
  return started;
}

/** Connections that did not come about. */
const UNREACHED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Nothing was taken up: the provider says so, or was not reached. A silence, or a gateway's word, leaves it open. 500 and 502
 * nearly always mean a failure before that: where it cannot be found out, they count as one.
 */
function isRefused(error: unknown, { lookUp }: TalkingHeadProvider): boolean {
  if (!APICallError.isInstance(error)) return false;
  const { statusCode, cause } = error;
  if (statusCode !== undefined) return statusCode < 500 || (lookUp ? [503] : [500, 502, 503]).includes(statusCode);
  const { code } = Object(cause instanceof Error ? (cause.cause ?? cause) : undefined);
  return UNREACHED.test(String(code));
}

/** It may be under way, and it cannot be found out. No attempt may follow. */
function unknownOutcome(cause: unknown): APICallError {
  const message = 'It may have been asked for: asked again, it might be paid for twice.';
  return new APICallError({ message, url: '', requestBodyValues: {}, isRetryable: false, cause });
}
