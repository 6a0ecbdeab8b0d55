/**
 * The kinds of remote services the platform calls: how they are called in errors, how long one call may take in all, and
 * how many calls are under way at one address. `REMOTE_SECONDS` changes the times by name.
 */

/** Kinds of remote services, with their deadlines in seconds. */
export const REMOTE_SERVICES = {
  /** From the request to the last word of a reply. */
  chat: { name: 'The chat service', seconds: 180, atOnce: 64, ofOne: 8 },
  speech: { name: 'The speech service', seconds: 60, atOnce: 32, ofOne: 4 },
  transcription: { name: 'The transcription service', seconds: 60, atOnce: 16, ofOne: 2 },
  image: { name: 'The image service', seconds: 110, atOnce: 16, ofOne: 4 },
  /** Of one question about a video under way, or of a video that is made while one waits. */
  video: { name: 'The video service', seconds: 600, atOnce: 16, ofOne: 4 },
  /** Of one question about a talking head under way, or of one that is made while one waits. */
  talkingHead: { name: 'The talking-head service', seconds: 600, atOnce: 16, ofOne: 4 },
  embedding: { name: 'The embedding service', seconds: 20, atOnce: 16, ofOne: 4 },
  memory: { name: 'The memory system', seconds: 8, atOnce: 64, ofOne: 4 },
  identity: { name: 'The sign-in service', seconds: 5, atOnce: 16, ofOne: 4 },
  challenge: { name: 'The check of visitors', seconds: 5, atOnce: 32, ofOne: 8 },
  streaming: { name: 'The streaming platform', seconds: 8, atOnce: 32, ofOne: 4 },
  /** Webhook endpoints; few calls at once to each, since events are sent in no order anyway. */
  webhook: { name: 'The webhook endpoint', seconds: 15, atOnce: 8, ofOne: 4 },
  /** Images, recordings, videos and pages that users name. */
  fetch: { name: 'The address', seconds: 35, atOnce: 64, ofOne: 8 },
} as const;

/** One of `REMOTE_SERVICES`. */
export type RemoteService = keyof typeof REMOTE_SERVICES;

/** `pause`: how long an address that does not answer is left alone before one call tries it. */
export type RemoteSeconds = Readonly<Record<RemoteService | 'pause', number>>;

const PAUSE_SECONDS = 5;

/** The names of `REMOTE_SECONDS` with their defaults. */
export const REMOTE_SECONDS: RemoteSeconds = {
  ...(Object.fromEntries(Object.entries(REMOTE_SERVICES).map(([service, { seconds }]) => [service, seconds])) as Record<
    RemoteService,
    number
  >),
  pause: PAUSE_SECONDS,
};

/** Reads `chat=300, memory=3`: what is named, and the defaults for the rest. Throws a sentence. */
export function readRemoteSeconds(text: string): RemoteSeconds {
  const seconds: Record<string, number> = { ...REMOTE_SECONDS };
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue;
    const [, name = '', value = ''] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(item) ?? [];
    if (!Object.hasOwn(REMOTE_SECONDS, name)) {
      throw new Error(
        `must be name=seconds items with names of ${Object.keys(REMOTE_SECONDS).join(', ')}, not "${item}".`,
      );
    }
    if (!(Number(value) > 0 && Number(value) <= 3_600)) throw new Error(`must give ${name} up to 3600 seconds.`);
    seconds[name] = Number(value);
  }
  return seconds as RemoteSeconds;
}
