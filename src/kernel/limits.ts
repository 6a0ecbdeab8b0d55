/** Every limit of the documented API and the limits of our own lists and queues, in one place. Lengths count code points. */
import { MICRO } from './credits.ts';

/** Every documented limit of an input. Lengths are in code points unless the name says otherwise. */
export const LIMITS = {
  apiKeyName: 80,
  displayName: 80,
  search: 100,
  usageDays: 366,
  usageDaysDefault: 30,
  personalityPrompt: 4_000,
  knowledgeBaseUrls: 10,
  url: 2_048,
  /** Hosts of an app. */
  redirectDomains: 20,
  /** Addresses of an app that registers itself. */
  redirectUris: 10,
  /** `state` of OAuth, which an app gets back as it sent it. */
  oauthState: 4_096,
  oauthScope: 1_024,
  folderName: 80,
  imagePrompt: 2_000,
  imageReferences: 5,
  typoEditReferences: 2,
  userText: 500,
  /** Earlier exchanges that are sent along while a personality is tried. */
  triedExchanges: 20,
  avatarText: 500,
  greeting: 500,
  /** The answer of a visitor to a challenge (CAPTCHA), which is passed on to its provider. */
  challengeAnswer: 4_096,
  sentencesPerChunk: 3,
  videoPrompt: 2_000,
  speechText: 300,
  speakText: 500,
  /** Longest given recording of a video, seconds; `duration` has its own limit. */
  soundSeconds: 60,
  videoSeconds: 20,
  featuredAvatars: 3,
  giftNote: 200,
  tribeName: 80,
  streamUsername: 25,
  email: 254,
  passwordMin: 8,
  passwordMax: 200,
  sandboxId: 64,
  speakerRef: 200,
  memoryContent: 8_000,
  recallQuery: 2_000,
  recallDefault: 10,
  recallLimit: 100,
  pageBytes: 5 * 1024 * 1024,
  externalAnswerBytes: 4 * 1024 * 1024,
  pageSize: 100,
  imageBytes: 15 * 1024 * 1024,
  audioBytes: 20 * 1024 * 1024,
  /** A recording of speech to transcribe. */
  spokenBytes: 25 * 1024 * 1024,
  spokenSeconds: 120,
  videoBytes: 64 * 1024 * 1024,
  /** What is uploaded, before it is written anew: an image, sound, and anything (a video). */
  uploadImageBytes: 32 * 1024 * 1024,
  uploadSoundBytes: 64 * 1024 * 1024,
  uploadBytes: 256 * 1024 * 1024,
  uploadSoundSeconds: 120,
  jsonBodyBytes: 256 * 1024,
  bearerChars: 4_096,
} as const;

/** Pieces of work of each kind that one account may have waiting for a worker: more is refused with UNAVAILABLE. */
export const MOST_WAITING = { reply: 1_000, render: 1_000, speak: 200, video: 100, train: 20 } as const;

/** The form of an e-mail address; only a mail can show whether it exists. */
export const EMAIL = /^[^\s@"<>]+@[^\s@"<>]+$/;

/** What a sandbox of an avatar's brain may be called. */
export const SANDBOX_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** Length in code points, as the API counts: one emoji is one or a few, never surrogate halves. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `max` code points of a text (avatarText is silently truncated). */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  return Array.from(text).slice(0, max).join('');
}

/** False for a text that PostgreSQL cannot keep as it was sent: with a null character or half a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Most that visitors may cost an avatar's owner who opens its page without naming caps, in micro-credits per UTC day. */
export const FIRST_TALK_CAPS = { perVisitor: MICRO / 2n, perDay: 5n * MICRO } as const;
