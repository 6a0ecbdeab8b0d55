/** The rules that a video of others must keep, read from its headers before a frame is decoded. */
import { Input } from 'mediabunny';
import { badInput } from '../../../ports/errors.ts';
import { type MediaBytes, ONLY_SOUND } from '../../../ports/index.ts';
import { checkContainer, kindOf } from './containers.ts';
import { headerOf, sizeOf, sourceOf } from './media-source.ts';
import type { Refuse } from './refusal.ts';
import { FORMATS } from './sources.ts';

/** Most pixels of a frame, because decoders hold a dozen frames at once. */
const MAX_SIDE = 4_096;
const MAX_PIXELS = 4_096 * 2_304;

/** Rejects with a BAD_INPUT about the field: no mp4, mov or webm, counts or sizes that cannot be, frames too large. */
export async function checkVideo(file: MediaBytes, field: string): Promise<void> {
  const refuse: Refuse = (sentence) => {
    throw badInput(field, sentence);
  };
  const header = await headerOf(file, refuse);
  const kind = kindOf(header);
  if (kind?.name !== 'mp4' && kind?.name !== 'webm') refuse('must be a video (mp4, webm or mov) that can be decoded.');
  checkContainer(header, kind, refuse, sizeOf(file));
  using input = new Input({ formats: FORMATS, source: sourceOf(file) });
  const track = await input.getPrimaryVideoTrack().catch(() => undefined);
  if (track === null) return refuse(ONLY_SOUND);
  if (!track) return refuse('must be a video (mp4, webm or mov) that can be decoded.');
  const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()];
  if (width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS) return;
  refuse(`is a video of ${width} x ${height} pixels: it must have at most 4096 x 2304.`);
}
