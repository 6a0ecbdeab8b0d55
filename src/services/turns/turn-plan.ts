/**
 * What an accepted turn asks for, worked out before anything is written: the checked request, who voices which row, who
 * pays, and what it may cost at most. Pure but for the reads it is given.
 */
import type { SpeechEngine, VoiceSettings } from '../../engines/ports.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { codePoints, LIMITS, truncate } from '../../kernel/limits.ts';
import { priceOfSpeech } from '../../kernel/prices.ts';
import { oneOf, requiredText } from '../input-fields.ts';
import type { NewJob } from '../platform.ts';

export const OUTPUTS = ['text', 'audio', 'video'] as const;
export type Output = (typeof OUTPUTS)[number];

export interface TurnInput {
  userText: string;
  output?: string | null;
  mode?: string | null;
  reinterpret?: boolean | null;
  speakerAvatarId?: string | null;
  userOutput?: string | null;
  avatarText?: string | null;
}

/** The request, checked; kept with the injection for the job that writes the reply. */
export interface TurnRequest {
  userText: string;
  output: Output;
  mode: 'chat' | 'speak';
  reinterpret: boolean;
  speakerAvatarId: string | null;
  userOutput: Output;
  /** What the avatar says word for word: `avatarText`, or `userText` in speak mode without `reinterpret`. */
  verbatim: string | null;
  /** Who pays for the chunks of the reply, and whether that is the caller. */
  payerUserId: string;
  callerUserId: string;
}

/** Seconds held for one chunk whose text is not written yet: three spoken sentences of an ordinary reply. */
export const CHUNK_SECONDS = 15;

export const NO_VOICE = 'The avatar has no voice: this turn is text only.';

/** Reads the body of POST /conversations/{id}/turn; throws 400 naming the field. */
export function readTurnInput(input: TurnInput): Omit<TurnRequest, 'payerUserId' | 'callerUserId'> {
  if (codePoints(input.userText) > LIMITS.userText) {
    throw new PlatformError('BAD_INPUT', `userText exceeds ${LIMITS.userText} chars`, {
      details: { field: 'userText' },
    });
  }
  const userText = requiredText('userText', input.userText, LIMITS.userText);
  const output = oneOf('output', input.output ?? 'audio', OUTPUTS);
  const mode = oneOf('mode', input.mode ?? 'chat', ['chat', 'speak']);
  const reinterpret = input.reinterpret ?? false;
  const avatarText = mode === 'chat' ? truncate(input.avatarText?.trim() ?? '', LIMITS.avatarText).trim() : '';
  return {
    userText,
    output,
    mode,
    reinterpret,
    speakerAvatarId: input.speakerAvatarId ?? null,
    userOutput: oneOf('userOutput', input.userOutput ?? output, OUTPUTS),
    verbatim: avatarText || (mode === 'speak' && !reinterpret ? userText : null),
  };
}

/** The medium a row will really have: null is text, asked for or because there is no voice. */
export function mediumOf(output: Output, voice: VoiceSettings | undefined): 'audio' | 'video' | null {
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
): bigint {
  return priceOfSpeech(medium, text === null ? CHUNK_SECONDS : Math.max(0.5, speech.estimateSeconds(text, voice)));
}
