/** What `npm run doctor` asks: one small request for each thing that the configuration names, and what is not configured. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { AvatarEntity } from '../../schema/entities/avatars.ts';
import { videoAt } from '../app/app.ts';
import { openSchema } from '../app/open-schema.ts';
import { pingRedis } from '../auth/rate-store.ts';
import { InstanceSecrets } from '../auth/secrets.ts';
import { createEngines, type RunningEngines } from '../engines/create.ts';
import { createDecoders } from '../engines/decoders/index.ts';
import type { Mark } from '../engines/ports/index.ts';
import { wavFile } from '../engines/wav.ts';
import { pingBroker } from '../events/broker.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Config, ConfigError, LOCAL_MODELS, readConfig } from '../kernel/config.ts';
import { openDatabase } from '../kernel/database.ts';
import { LIMITS } from '../kernel/limits.ts';
import { RemoteCalls } from '../kernel/remote-calls.ts';
import type { RemoteService } from '../kernel/remote-services.ts';
import { checkMailServer } from '../mail/mailer.ts';
import { openExternal, settingsOf } from '../services/brain/memory/memory-system.service.ts';
import { createGuardedFetch } from '../storage/guarded-client.ts';
import { createSafeFetch } from '../storage/safe-fetch.ts';
import { openStore } from '../storage/store.ts';
import { withDatabase } from './database.ts';

/** The variables of the program. */
export type Env = Record<string, string | undefined>;

/** One thing that `npm run doctor` asks. */
export interface Check {
  /** What it is, as it is named on the command line; several may share one. */
  part: string;
  /** Who is asked: host and model, or that it is the platform itself. */
  by: string;
  /** Resolves with a word on the answer; rejects when there is none. Absent where nothing is configured. */
  ask?: () => Promise<string>;
}

const EMBEDDED = 'built in';
/** Variables of engines, each without those of the others: a wrong name of one is reported for that one alone. */
const OF_ENGINES = /^(CHAT|SPEECH|IMAGE|VIDEO|EMBEDDING|TRANSCRIPTION|TALKING_HEAD)_/;
/** What is said and drawn: as short as an answer that can be looked at allows. */
const WORDS = 'Hello.';
const SCENE = 'A red ball on a white table.';

const silent = pino({ level: 'silent' });
const hostOf = (url: string): string => new URL(url).host;
const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`;

/** Everything there is to check, in the order in which it is needed. Throws ConfigError. */
export function checksOf(variables: Env): Check[] {
  const config = readConfig(variables);
  // Each engine is opened with its own variables alone: those that MODELS stands for are named.
  const named = Object.keys(LOCAL_MODELS) as (keyof typeof LOCAL_MODELS)[];
  const env = { ...variables, MODELS: '', ...Object.fromEntries(named.map((name) => [name, config[name]])) };
  return [
    ...ofData(config),
    ...ofNetwork(config),
    { part: 'chat', by: served(config.CHAT_BASE_URL, config.CHAT_MODEL), ask: () => asked(env, 'CHAT', 'chat', chat) },
    optional('embedding', served(config.EMBEDDING_BASE_URL, config.EMBEDDING_MODEL), () =>
      asked(env, 'EMBEDDING', 'embedding', embedding),
    ),
    {
      part: 'speech',
      by: served(config.SPEECH_BASE_URL, config.SPEECH_MODEL),
      ask: () => asked(env, 'SPEECH', 'speech', speech),
    },
    optional('transcription', served(config.TRANSCRIPTION_BASE_URL, config.TRANSCRIPTION_MODEL), () =>
      asked(env, 'TRANSCRIPTION', 'transcription', transcription),
    ),
    {
      part: 'talking-head',
      by: served(config.TALKING_HEAD_URL, config.TALKING_HEAD_MODEL),
      ask: () => asked(env, 'TALKING_HEAD', 'talkingHead', talkingHead),
    },
    ...ofImages(env, config),
    ...ofVideo(env, config),
  ];
}

/** Of an address and a model; of a package's model its name says where it is. */
function served(baseUrl: string | undefined, model: string | undefined): string {
  return [baseUrl && hostOf(baseUrl), model].filter(Boolean).join(' ') || EMBEDDED;
}

/** What there is no built-in one of. */
function optional(part: string, by: string, ask: () => Promise<string>): Check {
  return by === EMBEDDED ? { part, by: '' } : { part, by, ask };
}

function ofData(config: Config): Check[] {
  const { DATABASE_URL: databaseUrl, MEDIA_URL: mediaUrl, DATA_DIR: directory } = config;
  const by = databaseUrl ? hostOf(databaseUrl) : `${EMBEDDED}, in ${directory}`;
  // A start makes it: until then there is nothing to answer.
  const isThere = databaseUrl !== undefined || existsSync(path.join(directory, 'postgres'));
  const media = mediaUrl ? mediaUrl.replace(/\?.*$/s, '').replace(/\/\/[^/]*@/, '//') : `${EMBEDDED}, in ${directory}`;
  return [
    { part: 'database', by: isThere ? by : '', ...(isThere && { ask: () => database(config) }) },
    { part: 'memory', by: isThere ? 'external systems of avatars' : '', ...(isThere && { ask: () => memory(config) }) },
    { part: 'storage', by: media, ask: () => storage(config) },
  ];
}

function ofNetwork(config: Config): Check[] {
  const {
    REDIS_URL: redis,
    HINTS_URL: notifications,
    SMTP_URL: smtp,
    TWITCH_CLIENT_ID: twitch,
    TWITCH_AUTH_URL: twitchAt,
  } = config;
  const identity = callsOf(config).fetch('identity');
  return [
    redis ? { part: 'redis', by: hostOf(redis), ask: () => pingRedis(redis) } : { part: 'redis', by: '' },
    notifications
      ? { part: 'notifications', by: hostOf(notifications), ask: () => pingBroker(notifications) }
      : { part: 'notifications', by: '' },
    smtp ? { part: 'mail', by: hostOf(smtp), ask: () => mail(smtp) } : { part: 'mail', by: '' },
    ...config.OIDC_ISSUERS.map(({ issuer, jwksUrl }) => ({
      part: 'sign-in',
      by: issuer,
      ask: () => readable(identity, jwksUrl ?? `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`),
    })),
    twitch ? { part: 'twitch', by: hostOf(twitchAt), ask: () => twitchApp(config) } : { part: 'twitch', by: '' },
  ];
}

function ofImages(env: Env, { IMAGE_MODEL: models, IMAGE_BASE_URL: baseUrl }: Config): Check[] {
  const ask = (use: keyof typeof IMAGES) => () =>
    asked(env, 'IMAGE', 'image', (engines, signal) => image(engines, use, signal));
  const named = Object.entries(models ?? {}) as [keyof typeof IMAGES, string][];
  if (named.length === 0) return [{ part: 'image', by: EMBEDDED, ask: ask('all') }];
  return named.map(([use, model]) => ({ part: 'image', by: served(baseUrl, model), ask: ask(use) }));
}

function ofVideo(env: Env, { VIDEO_MODEL: models, VIDEO_BASE_URL: baseUrl }: Config): Check[] {
  const ask = (use: VideoUse) => () => asked(env, 'VIDEO', 'video', (engines, signal) => video(engines, use, signal));
  const named = Object.entries(models ?? {}) as [VideoUse, string][];
  if (named.length === 0) return [{ part: 'video', by: EMBEDDED, ask: ask('all') }];
  return named.map(([use, model]) => ({ part: 'video', by: served(baseUrl, model), ask: ask(use) }));
}

const callsOf = (config: Config): RemoteCalls => new RemoteCalls({ seconds: config.REMOTE_SECONDS, log: silent });

/** Opens the engines with one kind of remote ones, asks, and closes them. */
async function asked(
  env: Env,
  kind: string,
  service: RemoteService,
  ask: (engines: RunningEngines, signal: AbortSignal) => Promise<string>,
): Promise<string> {
  const isOther = (name: string) => OF_ENGINES.test(name) && !name.startsWith(`${kind}_`);
  const config = readConfig(Object.fromEntries(Object.entries(env).filter(([name]) => !isOther(name))));
  const calls = callsOf(config);
  const decoders = createDecoders();
  const safeFetch = createSafeFetch({ allowHosts: config.FETCH_ALLOW_HOSTS, calls });
  const download = (url: string, signal?: AbortSignal) => videoAt(safeFetch, url, signal);
  try {
    const engines = await createEngines(config, { download, decoders, calls });
    try {
      return await ask(engines, AbortSignal.timeout(calls.longestMs(service)));
    } finally {
      await engines.close();
    }
  } finally {
    await decoders.close();
  }
}

async function database(config: Config): Promise<string> {
  let note = '';
  await withDatabase(config, async (url) => {
    const schema = openSchema(url, 2);
    const db = await openDatabase(schema);
    try {
      const [row] = await db.rows<{ server_version: string }>('show server_version');
      note = `PostgreSQL ${row?.server_version}`;
    } finally {
      await db.close();
    }
  });
  return note;
}

/** Each address that owners have chosen is searched once, with the settings of the first avatar that names it. */
async function memory(config: Config): Promise<string> {
  const asked = new Set<string>();
  await withDatabase(config, async (url) => {
    const db = await openDatabase(openSchema(url, 2));
    try {
      const secrets = new InstanceSecrets({ db, clock: systemClock, config });
      await secrets.reload();
      const masterKey = secrets.encryption.toString('base64');
      const guarded = createGuardedFetch({
        allowHosts: config.FETCH_ALLOW_HOSTS,
        maxBytes: LIMITS.externalAnswerBytes,
      });
      const timeoutMs = callsOf(config).longestMs('memory');
      const where = { brainSettings: { $ne: null } };
      for (const { id: avatarId, brainSystem: system, brainSettings: settings } of await db
        .em()
        .find(AvatarEntity, where)) {
        if (!settings || !system) continue;
        const { baseUrl } = settingsOf(settings, masterKey, avatarId);
        if (asked.has(baseUrl)) continue;
        asked.add(baseUrl);
        const opened = openExternal(system, settings, { masterKey, avatarId, fetch: guarded, timeoutMs });
        const readable = { shared: ['public'], speakers: { refs: [] } } as const;
        await opened
          .recall(db, { avatarId, sandboxId: null, query: WORDS, limit: 1, readable })
          .catch((cause: unknown) => {
            throw new Error(`${hostOf(baseUrl)} (${system}):`, { cause });
          });
      }
    } finally {
      await db.close();
    }
  });
  return asked.size === 0 ? 'no avatar has one' : [...asked].map(hostOf).join(', ');
}

/** Written, read and removed again. */
async function storage({ MEDIA_URL: mediaUrl, DATA_DIR: directory }: Config): Promise<string> {
  const store = openStore(mediaUrl, directory);
  const missing = await store.missing(AbortSignal.timeout(10_000));
  if (missing.includes('disk')) throw new Error('The disk is full.');
  if (missing.length > 0) throw new Error('It cannot be written to.');
  const key = `doctor/${randomUUID()}.txt`;
  await store.put(key, Buffer.from(WORDS), { contentType: 'text/plain' });
  const bytes = await store.readBytes(key);
  await store.remove(key);
  if (bytes === undefined || Buffer.from(bytes).toString() !== WORDS)
    throw new Error('What was written is not what was read.');
  return 'written, read, removed';
}

async function mail(url: string): Promise<string> {
  await checkMailServer(url);
  return 'signed in, nothing sent';
}

async function readable(fetcher: ReturnType<RemoteCalls['fetch']>, url: string): Promise<string> {
  const response = await fetcher(url, {});
  if (!response.ok) throw new Error(`It answered ${response.status}.`);
  await response.json();
  return '';
}

/** A token of the app itself, which needs no user's consent. */
async function twitchApp(config: Config): Promise<string> {
  const body = new URLSearchParams({
    client_id: config.TWITCH_CLIENT_ID ?? '',
    client_secret: config.TWITCH_CLIENT_SECRET ?? '',
    grant_type: 'client_credentials',
  });
  const streaming = callsOf(config).fetch('streaming');
  const response = await streaming(`${config.TWITCH_AUTH_URL}/oauth2/token`, { method: 'POST', body });
  if (!response.ok) throw new Error(`It answered ${response.status}.`);
  return 'knows the app';
}

async function chat({ chat: model }: RunningEngines, abortSignal: AbortSignal): Promise<string> {
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }],
    maxOutputTokens: 16,
    abortSignal,
  });
  let words = '';
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') words += part.delta;
  }
  // Models that think first may have used up what they were given.
  return words.trim() === '' ? 'answered without words' : `"${words.trim().slice(0, 40)}"`;
}

async function embedding({ embedding: model }: RunningEngines, abortSignal: AbortSignal): Promise<string> {
  if (!model) throw new ConfigError('EMBEDDING_MODEL is not set.');
  const { embeddings } = await model.doEmbed({ values: [WORDS], abortSignal });
  return `${embeddings[0]?.length ?? 0} dimensions`;
}

interface Synthesised {
  pcm: Int16Array;
  rate: number;
  marks: Mark[];
}

async function synthesised({ speech: engine }: RunningEngines, signal: AbortSignal): Promise<Synthesised> {
  const [voice] = engine.voices();
  if (!voice) throw new ConfigError('There is no voice.');
  const samples: number[] = [];
  const marks: Mark[] = [];
  let rate = 0;
  for await (const piece of engine.stream({ text: WORDS, voice: { base: voice.id }, signal })) {
    for (const sample of piece.pcm) samples.push(sample);
    marks.push(...piece.marks);
    ({ rate } = piece);
  }
  if (samples.length === 0) throw new Error('It gave no sound.');
  return { pcm: Int16Array.from(samples), rate, marks };
}

async function speech(engines: RunningEngines, signal: AbortSignal): Promise<string> {
  const { pcm, rate } = await synthesised(engines, signal);
  return `${(pcm.length / rate).toFixed(1)} s of sound, ${engines.speech.voices().length} voices`;
}

async function transcription(engines: RunningEngines, abortSignal: AbortSignal): Promise<string> {
  const { transcription: model } = engines;
  if (!model) throw new ConfigError('TRANSCRIPTION_MODEL is not set.');
  const { pcm, rate } = await synthesised(engines, abortSignal);
  const { text } = await model.doGenerate({ audio: wavFile([pcm], rate), mediaType: 'audio/wav', abortSignal });
  return `heard "${text.slice(0, 40)}"`;
}

async function portraitOf({ portrait }: RunningEngines, abortSignal: AbortSignal): Promise<Uint8Array> {
  return drawn(portrait, { prompt: 'A woman.', abortSignal });
}

type Drawing = { prompt: string; abortSignal: AbortSignal; reference?: Uint8Array };

async function drawn(model: RunningEngines['portrait'], { reference, ...call }: Drawing): Promise<Uint8Array> {
  const files = reference && [{ type: 'file' as const, mediaType: 'image/jpeg', data: reference }];
  const { images } = await model.doGenerate({
    ...{ n: 1, size: undefined, aspectRatio: '1:1', seed: 1, mask: undefined, providerOptions: {} },
    ...call,
    files,
  });
  const [image] = images;
  if (image === undefined) throw new Error('It gave no image.');
  return typeof image === 'string' ? Buffer.from(image, 'base64') : image;
}

/** What each name of IMAGE_MODEL is for: the model of the documented API, and whether a given image is changed. */
const IMAGES = {
  all: { id: 'default', prompt: SCENE, isEdit: false },
  edit: { id: 'default', prompt: 'Make it black and white.', isEdit: true },
  typo_gen: { id: 'typo_gen', prompt: 'A sign that says "Hello".', isEdit: false },
  typo_edit: { id: 'typo_edit', prompt: 'Add the text "Hello".', isEdit: true },
} as const;

async function image(engines: RunningEngines, use: keyof typeof IMAGES, abortSignal: AbortSignal): Promise<string> {
  const { id, prompt, isEdit } = IMAGES[use];
  const reference = isEdit ? { reference: await portraitOf(engines, abortSignal) } : {};
  const { length } = await drawn(engines.image(id), { prompt, abortSignal, ...reference });
  return [use === 'all' ? '' : `${use}:`, kilobytes(length)].join(' ').trim();
}

type VideoUse = 'all' | 'motion' | 'scene' | 'ensemble';

async function video(engines: RunningEngines, use: VideoUse, signal: AbortSignal): Promise<string> {
  const still = use === 'motion' ? { image: await portraitOf(engines, signal) } : {};
  const model = use === 'all' ? 'cinematic' : use;
  for await (const piece of engines.video.render({
    prompt: SCENE,
    model,
    duration: 1,
    draft: true,
    signal,
    ...still,
  })) {
    if ('file' in piece)
      return `${[use === 'all' ? '' : `${use}:`, `${piece.seconds} s`].join(' ').trim()}, ${kilobytes(piece.file.length)}`;
  }
  throw new Error('It gave no video.');
}

async function talkingHead(engines: RunningEngines, signal: AbortSignal): Promise<string> {
  const { pcm, rate, marks } = await synthesised(engines, signal);
  let bytes = 0;
  const query = { image: await portraitOf(engines, signal), pcm, rate, marks, signal };
  const { remoteTalkingHead: remote } = engines;
  if (remote) {
    const { length } = await remote.render({ ...query, keep: async () => {}, whose: async () => 'ours' });
    return `${(pcm.length / rate).toFixed(1)} s, ${kilobytes(length)}`;
  }
  for await (const piece of engines.talkingHead.render(query)) bytes += piece.length;
  return `${(pcm.length / rate).toFixed(1)} s, ${kilobytes(bytes)}`;
}
