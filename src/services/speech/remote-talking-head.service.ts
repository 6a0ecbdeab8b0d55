/**
 * Renders a turn or a one-shot speech by a remote talking head. The order is stored with the work, so that a worker that takes
 * the work over continues the order, with the sound that was sent with it.
 */
import type { RemoteTalkingHead, Rig, TalkingHeadOrder } from '../../engines/ports/index.ts';
import type { Platform } from '../platform/platform.port.ts';
import { StaleAttemptError } from '../work/attempt-failure.rules.ts';
import type { SpeechMedia } from './speech-media.codec.ts';

/** A turn or a speech that an attempt has. */
export interface OrderedWork {
  id: string;
  attempt: number;
  ownerUserId: string;
  rig: Rig | null;
  /** What an earlier attempt asked for. */
  order: TalkingHeadOrder | null;
  /** The sound that was shown, by this attempt or an earlier one. */
  audioKey: string | null;
}

/** The rows behind it. */
export interface OrderRows {
  /** JSON; empty where the attempt lost the work. */
  keep(given: { id: string; attempt: number; order: string | null }): Promise<unknown[]>;
  /** Empty where the work has ended or is gone. */
  attemptNow(): Promise<{ attempt: number }[]>;
}

/** A finished MP4. Throws StaleAttemptError when the work is no longer this attempt's, else as the port says. */
export async function renderRemotely(
  { engines, store }: Pick<Platform, 'engines' | 'store'>,
  remote: RemoteTalkingHead,
  work: OrderedWork & { image: Uint8Array; speech: SpeechMedia; signal: AbortSignal | undefined },
  rows: OrderRows,
): Promise<Uint8Array> {
  const { id, attempt, rig, order, signal, speech } = work;
  const lost = () => new StaleAttemptError(`${id} has ended or was taken over.`);
  // The stored sound, not a new one: a voice may speak at another pace the second time.
  const heard = order && work.audioKey ? await store.readBytes(work.audioKey) : undefined;
  const sound = heard ? await engines.codec.decodeAudio(heard) : { pcm: speech.pcm, rate: speech.rate };
  let isLost = false;
  try {
    return await remote.render({
      image: work.image,
      ...sound,
      ...(rig ? { rig } : {}),
      ...(order ? { under: order } : {}),
      ...(signal ? { signal } : {}),
      owner: work.ownerUserId,
      async keep(next) {
        const kept = await rows.keep({ id, attempt, order: next && JSON.stringify(next) });
        if (kept.length === 0) throw lost();
      },
      async whose() {
        const [now] = await rows.attemptNow();
        isLost = now?.attempt !== attempt;
        if (!now) return 'orphaned';
        return isLost ? 'anothers' : 'ours';
      },
    });
  } catch (error) {
    throw isLost ? lost() : error;
  }
}
