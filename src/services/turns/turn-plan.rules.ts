/**
 * What an accepted turn asks for, worked out before anything is written: the request, who voices which row, who
 * pays, and what it may cost at most. Pure but for the reads it is given.
 */
import type { InjectTurnInput } from '../../../schema/inputs/turn.ts';
import type { SpeechEngine, VoiceSettings } from '../../engines/ports/index.ts';
import { LIMITS, truncate } from '../../kernel/limits.ts';
import type { TurnMode, TurnOutput } from '../../kernel/media-options.ts';
import { priceOfSpeech } from '../../kernel/prices.ts';
import type { JobOrigin } from '../../kernel/work-account.ts';
import type { NewJob } from '../platform/platform.port.ts';

/** The request with what is left out filled in; kept with the injection for the job that writes the reply. */
export interface TurnRequest {
  userText: string;
  output: TurnOutput;
  mode: TurnMode;
  reinterpret: boolean;
  speakerAvatarId: string | null;
  userOutput: TurnOutput;
  /** What the avatar says word for word: `avatarText`, or `userText` in speak mode without `reinterpret`. */
  verbatim: string | null;
  /** Who pays for the chunks of the reply, and whether that is the caller. */
  payerUserId: string;
  callerUserId: string;
  /** Set for who talks on the avatar's page: their caps hold for every chunk. */
  visitorId?: string;
  /** The request that was accepted: a reply that waits for earlier ones is enqueued by the end of those. */
  origin?: JobOrigin;
}

/** Seconds held for one chunk whose text is not written yet: three spoken sentences of an ordinary reply. */
const CHUNK_SECONDS = 15;

/** Media error of a turn whose avatar has no voice. */
export const NO_VOICE = 'The avatar has no voice: this turn is text only.';

/** What is said, wherever. */
export type TurnWords = Omit<InjectTurnInput, 'conversationId' | 'idempotencyKey'>;

/** What a checked input asks for, with the defaults of what it leaves out. */
export function readTurnInput(input: TurnWords): Omit<TurnRequest, 'payerUserId' | 'callerUserId' | 'origin'> {
  const { userText } = input;
  const output = input.output ?? 'audio';
  const mode = input.mode ?? 'chat';
  const reinterpret = input.reinterpret ?? false;
  const avatarText = mode === 'chat' ? truncate(input.avatarText?.trim() ?? '', LIMITS.avatarText).trim() : '';
  return {
    userText,
    output,
    mode,
    reinterpret,
    speakerAvatarId: input.speakerAvatarId ?? null,
    userOutput: input.userOutput ?? output,
    verbatim: avatarText || (mode === 'speak' && !reinterpret ? userText : null),
  };
}

/** The medium a row will really have: null is text, asked for or because there is no voice. */
export function mediumOf(output: TurnOutput, voice: VoiceSettings | undefined): 'audio' | 'video' | null {
  return output === 'text' || !voice ? null : output;
}

/** The render of a row: it counts as the caller's work, and sound is quick beside video. */
export const renderJob = (id: string, output: string | null, { callerUserId }: TurnRequest): NewJob => ({
  id,
  account: callerUserId,
  isQuick: output === 'audio',
});

/** Micro-credits to hold for a text, or for a chunk that is not written yet. */
export function estimate(
  speech: Pick<SpeechEngine, 'estimateSeconds'>,
  medium: 'audio' | 'video',
  voice: VoiceSettings,
  text: string | null,
  language?: string,
): bigint {
  const seconds = text === null ? CHUNK_SECONDS : Math.max(0.5, speech.estimateSeconds(text, voice, language));
  return priceOfSpeech(medium, seconds);
}
