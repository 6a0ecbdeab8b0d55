/**
 * Talking heads that are made elsewhere: a still and a sound go to a provider, its video comes back, and is decoded,
 * fitted to the still's proportions and given the sound again by a decoder process: it is bytes that we did not make.
 */
import { upstreamFailure } from '../../../kernel/remote-calls.ts';
import type { RemoteTalkingHead, RemoteTalkingHeadQuery, VideoPiece, VideoQuery } from '../../ports.ts';
import { wavFile } from '../../wav.ts';
import { isAway, looked, POLL_MS } from '../operations.ts';
import { imageType } from '../ratio.ts';
import type { MadeVideo, TalkingHeadProvider } from './protocol.ts';

export interface RemoteTalkingHeadOptions {
  provider: TalkingHeadProvider;
  /** The still with its mouth shut for so long, as a finished MP4. */
  silent(query: RemoteTalkingHeadQuery): Promise<Uint8Array>;
  /** Makes of a video what was asked for (`EmbeddedVideo.conform`). */
  conform(query: VideoQuery & { seed: number }, made: Uint8Array): AsyncIterable<VideoPiece>;
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
      const fitted = { prompt: '', model: 'motion', image, audio: { pcm, rate }, seed: 0 } as const;
      const whose = { ...(owner === undefined ? {} : { owner }), ...(signal ? { signal } : {}) };
      for await (const piece of conform({ ...fitted, ...whose }, made)) if ('file' in piece) return piece.file;
      throw upstreamFailure('The talking-head model returned no video.', undefined);
    },
  };
}

/** Asks once: what an earlier attempt has asked for is gone on with, and what nobody waits for is cancelled. */
async function ask(query: RemoteTalkingHeadQuery, options: RemoteTalkingHeadOptions): Promise<MadeVideo> {
  const { provider, pollMs = POLL_MS } = options;
  const { signal } = query;
  let operation = query.under?.model === provider.name ? query.under.operation : undefined;
  if (operation === undefined) {
    const { image, pcm, rate } = query;
    const inputs = {
      image,
      imageType: imageType(image),
      sound: wavFile([pcm], rate),
      silent: () => options.silent(query),
    };
    const started = await provider.start(inputs, signal);
    if (!('operation' in started)) return started;
    ({ operation } = started);
    await query.keep({ model: provider.name, operation });
  }
  const order = operation;
  const cancel = () => provider.cancel(order).catch(() => {});
  try {
    const looks = looked(() => provider.look(order, signal), { pollMs, signal });
    for (;;) {
      const { done, value } = await looks.next();
      if (done) return value;
      const whose = await query.whose();
      if (whose === 'ours') continue;
      // Another worker that has taken it over goes on with the operation.
      if (whose === 'nobodys') await cancel();
      throw new Error('Nobody waits for this video any more.');
    }
  } catch (error) {
    // A line that broke loses no video; what the provider gave up, or knows nothing of, must be asked for anew.
    if (!isAway(error) && !signal?.aborted && (await query.whose()) === 'ours') {
      await cancel();
      await query.keep(null);
    }
    throw error;
  }
}
