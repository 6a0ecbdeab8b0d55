/**
 * Configuration is environment variables: one zod schema gives their defaults, types and errors, and the table in
 * docs/operations.md. A wrong one stops the start with one sentence (`ConfigError`). Programs hand `process.env` in
 * (`src/main.ts`, `src/commands`); nothing below them reads it but `engines/decoders/child.ts`, for its allocator.
 */
import path from 'node:path';
import { z } from 'zod';
import {
  credits,
  databases,
  emails,
  hosts,
  integer,
  issuers,
  jsonObject,
  jsonObjects,
  list,
  models,
  oneOf,
  password,
  readBy,
  renamed,
  secretsKey,
  sender,
  share,
  someOf,
  text,
  url,
} from './config-formats.ts';
import { JOB_KINDS } from './job-kinds.ts';
import { QUOTAS, readQuotas } from './quotas.ts';
import { REMOTE_SECONDS, readRemoteSeconds } from './remote-services.ts';

/** The configuration is wrong; its message is one sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Every environment variable: its format, default and description. */
export const VARIABLES = {
  PORT: integer(1, 65535).prefault('4000').meta({ description: 'TCP port of HTTP and WebSocket.' }),
  HOST: text().prefault('0.0.0.0').meta({ description: 'Address to listen on.' }),
  BASE_URL: url('http:', 'https:')
    .optional()
    .meta({ description: 'Public address of the API; default http://localhost:PORT.' }),
  SITE_URL: url('http:', 'https:').optional().meta({ description: 'Public address of the pages; default BASE_URL.' }),
  DATA_DIR: text()
    .transform((dir) => path.resolve(dir))
    .prefault('.data')
    .meta({ description: 'Folder of the embedded database and local media.' }),
  DATABASE_URL: url('postgres:', 'postgresql:')
    .optional()
    .meta({ description: 'PostgreSQL to use instead of the embedded one.', secret: true }),
  DATABASE_DIRECT_URL: url('postgres:', 'postgresql:').optional().meta({
    description:
      'PostgreSQL itself, where DATABASE_URL is a pooler in transaction mode (PgBouncer): for LISTEN, locks and migrations, two connections a process.',
    secret: true,
  }),
  DATABASE_REPLICA_URLS: databases().prefault('').meta({
    description:
      'Comma-separated replicas of DATABASE_URL: polls, transcripts, lists and live viewers are read from those that have what was written.',
    secret: true,
  }),
  DATABASE_POOL: integer(2, 200).prefault('12').meta({ description: 'Connections of one process to PostgreSQL.' }),
  MEDIA_URL: url('s3:')
    .optional()
    .meta({ description: 's3://bucket/prefix?endpoint=...&region=... instead of DATA_DIR/media.', secret: true }),
  REDIS_URL: url('redis:', 'rediss:')
    .optional()
    .meta({ description: 'Redis for rate limits shared by several web processes.', secret: true }),
  HINTS_URL: url('redis:', 'rediss:', 'nats:', 'tls:').optional().meta({
    description:
      "Redis (redis:, rediss:) or NATS (nats:, tls:) that carries notifications between processes instead of PostgreSQL's NOTIFY.",
    secret: true,
  }),
  ROLE: oneOf('all', 'web', 'worker')
    .prefault('all')
    .meta({ description: 'all (web, with its worker beside it), web, or worker.' }),
  WORKER_KINDS: someOf(...JOB_KINDS)
    .prefault(JOB_KINDS.join())
    .meta({ description: 'Kinds of jobs that a worker takes, comma-separated; together the workers must take all.' }),
  OPERATOR_EMAILS: emails()
    .prefault('')
    .meta({ description: 'Comma-separated accounts that may grant credits; made at start.' }),
  OPERATOR_PASSWORD: password()
    .optional()
    .meta({ description: 'Password of the operator accounts, set at start.', secret: true }),
  SECURITY_CONTACT: url('mailto:', 'https:').optional().meta({
    description:
      'Where weaknesses are reported, as /.well-known/security.txt says: mailto: or https:; without it security@ of the host of SITE_URL.',
  }),
  SIGNUP_CREDITS: credits()
    .prefault('5')
    .meta({ description: 'Credits granted to a new account, which it can spend and not give away.' }),
  CREDITS_URL: url('https:', 'http:').optional().meta({
    description: 'A page of yours where users get credits; pages lead there wherever credits are missing.',
  }),
  SMTP_URL: url('smtp:', 'smtps:').optional().meta({
    description:
      'Mail server, smtp://user:password@host:587 or smtps://...: new accounts confirm their e-mail address, forgotten passwords are reset by a link, and another address is taken by one.',
    secret: true,
  }),
  SMTP_FROM: sender().optional().meta({ description: 'Sender of mails: address or Name <address>.' }),
  VERIFY_EMAIL: oneOf('off', 'credits', 'signin').prefault('credits').meta({
    description:
      'With SMTP_URL, what waits until the address is confirmed: off (nothing, no mail), credits (SIGNUP_CREDITS), signin (signing in too).',
  }),
  QUOTAS: readBy(readQuotas)
    .prefault('')
    .meta({
      description: `What one account may have, where it is not the default: ${Object.entries(QUOTAS)
        .map(([name, { limit }]) => `${name}=${limit}`)
        .join(', ')}.`,
    }),
  TRUSTED_DOCUMENTS: list().prefault('').meta({
    description:
      "Comma-separated files of the only operations that /graphql takes: Apollo's manifests of persisted queries, or texts by their hash as Relay's compiler writes them; without it, every operation.",
  }),
  FEDERATION: oneOf('on', 'off').prefault('off').meta({
    description: 'on: the graph is a subgraph of Apollo Federation 2, which an existing router composes.',
  }),
  RATE_LIMITS: oneOf('on', 'off').prefault('on').meta({ description: 'off for measuring.' }),
  VISITOR_CHALLENGE_URL: url('http:', 'https:').optional().meta({
    description:
      'Asked before a new anonymous visitor may talk with an avatar: a POST of JSON, to which 2xx lets in and 4xx does not.',
  }),
  VISITOR_CHALLENGE_SECRET: text()
    .optional()
    .meta({ description: 'Bearer token sent to VISITOR_CHALLENGE_URL.', secret: true }),
  FETCH_ALLOW_HOSTS: hosts()
    .prefault('')
    .meta({ description: 'host or host:port list exempt from the private-address rule of fetches.' }),
  REMOTE_SECONDS: readBy(readRemoteSeconds)
    .prefault('')
    .meta({
      description: `Longest time of one call of a remote service, where it is not the default: ${Object.entries(
        REMOTE_SECONDS,
      )
        .map(([name, seconds]) => `${name}=${seconds}`)
        .join(', ')}; pause: for how long an address that does not answer is left alone.`,
    }),
  DATABASE_SECONDS: integer(1, 3_600).prefault('15').meta({
    description: 'Longest wait for an answer of the database, or for a connection to it; then it counts as away.',
  }),
  MEDIA_SECONDS: integer(1, 600).prefault('10').meta({
    description:
      'Longest wait for the beginning of an answer of the bucket of MEDIA_URL, and for more of a file; then it counts as away.',
  }),
  OUTAGE_SECONDS: integer(0, 86_400).prefault('600').meta({
    description:
      'How long accepted work is tried again while the database, the store of media or a remote service is away; 0: as often as after any error.',
  }),
  OIDC_ISSUERS: issuers()
    .prefault('')
    .meta({ description: 'External sign-in: issuer|audience[|jwksUrl], comma-separated.' }),
  TRUST_PROXY: integer(0, 10)
    .prefault('0')
    .meta({ description: 'Number of reverse proxies in front, for the caller address.' }),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent')
    .prefault('info')
    .meta({ description: 'fatal, error, warn, info, debug or silent.' }),
  AUDIT_DAYS: integer(1, 3650).prefault('400').meta({ description: 'Days for which lines of the audit log are kept.' }),
  KEEP_MEDIA_DAYS: integer(0, 3650).prefault('0').meta({
    description:
      'Days after which generated images, videos and speech are deleted; 0: kept until their owner deletes them.',
  }),
  KEEP_CONVERSATION_DAYS: integer(0, 3650).prefault('0').meta({
    description:
      'Days after which what was said is deleted, with its recordings and what was remembered of it, and a conversation in which nothing is left; 0: kept until its owner deletes it.',
  }),
  KEEP_JOB_HOURS: integer(1, 720).prefault('2').meta({
    description:
      'Hours for which jobs are kept after their end, those of turns up to three times as long or seven hours; those that failed for good are kept for two weeks.',
  }),
  KEEP_FEED_DAYS: integer(1, 365).prefault('1').meta({
    description: 'Days for which a cursor of an account (updateCursor) resumes: its changes are kept for so long.',
  }),
  KEEP_IDEMPOTENCY_DAYS: integer(1, 365).prefault('1').meta({
    description: 'Days for which the answer to a request with an Idempotency-Key is kept and given again.',
  }),
  CLIENT_SECRET_OVERLAP_HOURS: integer(0, 720).prefault('24').meta({
    description:
      'Hours for which the secret of an app verifies after it was replaced, unless its owner says otherwise.',
  }),
  OAUTH_REGISTRATION: oneOf('on', 'off').prefault('on').meta({
    description:
      'on: programs that use the tools at /mcp register themselves as apps (RFC 7591); off: by their owner alone.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional().meta({
    description: 'OpenTelemetry collector (OTLP over HTTP) that is sent the spans of requests, jobs and live updates.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: text()
    .optional()
    .meta({ description: 'Headers of what is sent there: name=value, comma-separated.', secret: true }),
  OTEL_SERVICE_NAME: text().prefault('avatar-platform').meta({ description: 'Name of the service in traces.' }),
  OTEL_TRACES_SAMPLER_ARG: share().prefault('1').meta({
    description:
      'Part of the traces that begin here that is sent, 0 to 1; a request that comes with a traceparent is as its caller decided.',
  }),
  OAUTH_REFRESH_DAYS: integer(0, 3650).prefault('0').meta({
    description:
      'With more than 0, apps that ask for the scope offline_access get access tokens of an hour and refresh tokens, each of which lives for so many days and is used once; 0: access tokens live until they are revoked.',
  }),
  OAUTH_INTROSPECTION: oneOf('on', 'off').prefault('off').meta({
    description: 'on: an app may ask at /oauth/introspect whether a token it holds still stands (RFC 7662).',
  }),
  OAUTH_PAR: oneOf('on', 'off').prefault('off').meta({
    description: 'on: an app may send its authorization request to /oauth/par beforehand (RFC 9126).',
  }),
  METRICS_TOKEN: text()
    .optional()
    .meta({ description: 'Bearer token of /metrics; without it only this machine reads them.', secret: true }),
  SECRETS_KEY: secretsKey().optional().meta({
    description:
      'Wraps the keys that the instance keeps in its database: at least 32 random characters, the same on every machine. Default: made at the first start, in a file secrets.key of mode 600 in DATA_DIR.',
    secret: true,
  }),
  SECRETS_KEY_FILE: text().optional().meta({ description: 'File that holds SECRETS_KEY, instead of it.' }),
  KEY_ROTATION_DAYS: integer(0, 3650)
    .prefault('0')
    .meta({ description: 'Age at which signing and media keys are replaced by themselves; 0: never.' }),
  KEY_OVERLAP_DAYS: integer(1, 365)
    .prefault('30')
    .meta({ description: 'Days for which a replaced signing key still verifies.' }),
  SLUG_LENGTH: integer(4, 12).prefault('4').meta({ description: 'Random characters of a share slug.' }),
  RENDER_CONCURRENCY: integer(0, 256)
    .prefault('0')
    .meta({ description: 'Renders at once in one worker; default one per core.' }),
  IMAGE_MODEL: models('edit', 'typo_gen', 'typo_edit')
    .optional()
    .meta({
      description:
        'Image model instead of the illustrator: package:model of an installed AI SDK provider, or a model of IMAGE_BASE_URL. ' +
        'Others for what it does not do: , edit=..., typo_gen=..., typo_edit=...',
    }),
  IMAGE_BASE_URL: url('http:', 'https:')
    .optional()
    .meta({ description: "OpenAI-compatible image API, or the provider's address." }),
  IMAGE_API_KEY: text()
    .optional()
    .meta({ description: 'Key of the image API; a provider package has a variable of its own too.', secret: true }),
  IMAGE_OPTIONS: jsonObjects()
    .prefault('{}')
    .meta({ description: 'JSON of provider options for each image, by provider.' }),
  VIDEO_MODEL: models('motion', 'scene', 'ensemble')
    .optional()
    .meta({
      description:
        'Video model instead of the embedded one: package:model of an installed AI SDK provider. ' +
        'Others for what it does not do: , motion=... (videos that open on an image), scene=..., ensemble=...',
    }),
  VIDEO_BASE_URL: url('http:', 'https:')
    .optional()
    .meta({ description: "The video provider's address, where its package takes one." }),
  VIDEO_API_KEY: text()
    .optional()
    .meta({ description: 'Key of the video provider; its package has a variable of its own too.', secret: true }),
  VIDEO_OPTIONS: jsonObjects()
    .prefault('{}')
    .meta({ description: 'JSON of provider options for each video, by provider.' }),
  VIDEO_CONCURRENCY: integer(1, 64).prefault('1').meta({ description: 'Videos at once in one worker.' }),
  TALKING_HEAD_URL: url('http:', 'https:').optional().meta({
    description:
      'Talking-head server of your own (docs/engines/talking-head.md), or the address of the queue that TALKING_HEAD_MODEL names.',
  }),
  TALKING_HEAD_MODEL: text().optional().meta({
    description:
      'Talking-head model instead of the embedded one: fal:model or replicate:model (or @ai-sdk/fal:model, @ai-sdk/replicate:model), or a name for TALKING_HEAD_URL.',
  }),
  TALKING_HEAD_API_KEY: text()
    .optional()
    .meta({ description: 'Key of the talking-head provider or server.', secret: true }),
  TALKING_HEAD_FIELDS: renamed('image', 'video', 'audio').prefault('').meta({
    description:
      "What the model calls its inputs, where its preset does not: image=..., audio=...; video=... instead of image for models that exchange a video's lips.",
  }),
  TALKING_HEAD_OPTIONS: jsonObject()
    .prefault('{}')
    .meta({ description: 'JSON object of further inputs for each talking head, as the model documents them.' }),
  TALKING_HEAD_SIZE: integer(256, 1080).prefault('512').meta({
    description:
      "Longest side of the embedded talking head's videos in pixels, of images that are as large; 720 takes 1.7 times the computing of 512.",
  }),
  TALKING_HEAD_PREVIEW: oneOf('on', 'off').prefault('off').meta({
    description:
      'on: turns are shown by the embedded talking head while the configured one renders, whose video then takes its place.',
  }),
  MODELS: oneOf('local').optional().meta({
    description:
      'local: chat, speech, embedding and transcription by models on this machine, where nothing else is set for them (npm run models).',
  }),
  MODELS_URL: url('http:', 'https:')
    .prefault('https://huggingface.co')
    .meta({ description: 'Hub that npm run models downloads from, or a mirror of it.' }),
  MODELS_IDLE_SECONDS: integer(0, 86_400)
    .prefault('900')
    .meta({ description: 'A local model that was not used for so long leaves memory; 0: it stays.' }),
  CHAT_BASE_URL: url('http:', 'https:')
    .optional()
    .meta({ description: 'OpenAI-compatible chat API instead of the built-in responder.' }),
  CHAT_API_KEY: text().optional().meta({ description: 'Key of the chat API.', secret: true }),
  CHAT_MODEL: text()
    .optional()
    .meta({ description: 'Model of the chat API, or local:name of one that npm run models has brought.' }),
  EMBEDDING_BASE_URL: url('http:', 'https:').optional().meta({
    description: "OpenAI-compatible embedding API, or the provider's address: memories are then found by meaning too.",
  }),
  EMBEDDING_API_KEY: text().optional().meta({ description: 'Key of the embedding API.', secret: true }),
  EMBEDDING_MODEL: text().optional().meta({
    description:
      'Model of the embedding API, package:model of an installed AI SDK provider, or local:name; another one embeds all memories anew.',
  }),
  EMBEDDING_DIMENSIONS: integer(0, 8192)
    .prefault('0')
    .meta({ description: 'Length of its vectors, where it can shorten them; 0: its own.' }),
  SPEECH_BASE_URL: url('http:', 'https:')
    .optional()
    .meta({ description: 'OpenAI-compatible speech API instead of the built-in voices.' }),
  SPEECH_API_KEY: text().optional().meta({ description: 'Key of the speech API.', secret: true }),
  SPEECH_MODEL: text().optional().meta({ description: 'Model of the speech API, or local:name.' }),
  SPEECH_VOICES: list()
    .prefault('')
    .meta({ description: 'Voices of the speech API, comma-separated id or id|name|language.' }),
  TRANSCRIPTION_BASE_URL: url('http:', 'https:').optional().meta({
    description:
      "OpenAI-compatible transcription API, or the provider's address: speech is then understood on every browser.",
  }),
  TRANSCRIPTION_API_KEY: text().optional().meta({ description: 'Key of the transcription API.', secret: true }),
  TRANSCRIPTION_MODEL: text().optional().meta({
    description: 'Model of the transcription API, package:model of an installed AI SDK provider, or local:name.',
  }),
  TWITCH_CLIENT_ID: text()
    .optional()
    .meta({ description: 'Twitch app that proves stream names and subscriptions; else operators do.' }),
  TWITCH_CLIENT_SECRET: text().optional().meta({ description: 'Secret of the Twitch app.', secret: true }),
  TWITCH_BASE_URL: url('http:', 'https:')
    .prefault('https://api.twitch.tv')
    .meta({ description: 'Address of the Helix API.' }),
  TWITCH_AUTH_URL: url('http:', 'https:')
    .prefault('https://id.twitch.tv')
    .meta({ description: "Address of Twitch's sign-in." }),
  ENGINES: oneOf('real', 'noop')
    .prefault('real')
    .meta({ description: 'noop swaps speech and talking head for engines that do nothing, to measure the pipeline.' }),
} as const;

/** The models of `MODELS=local`, by the variable that names another model, and the one that names a server instead. */
export const LOCAL_MODELS = {
  CHAT_MODEL: { name: 'local:qwen2.5-1.5b', unless: 'CHAT_BASE_URL' },
  SPEECH_MODEL: { name: 'local:kokoro', unless: 'SPEECH_BASE_URL' },
  EMBEDDING_MODEL: { name: 'local:e5-small', unless: 'EMBEDDING_BASE_URL' },
  TRANSCRIPTION_MODEL: { name: 'local:whisper-base', unless: 'TRANSCRIPTION_BASE_URL' },
} as const;

/** All variables, and the rules between them. */
const SCHEMA = z
  .object(VARIABLES)
  .refine((config) => config.OPERATOR_EMAILS.length === 0 || config.OPERATOR_PASSWORD, {
    path: ['OPERATOR_PASSWORD'],
    error: 'must be set when OPERATOR_EMAILS is.',
  })
  .refine((config) => !config.TWITCH_CLIENT_ID || config.TWITCH_CLIENT_SECRET, {
    path: ['TWITCH_CLIENT_SECRET'],
    error: 'must be set when TWITCH_CLIENT_ID is.',
  })
  .refine((config) => !config.SECRETS_KEY || !config.SECRETS_KEY_FILE, {
    path: ['SECRETS_KEY'],
    error: 'and SECRETS_KEY_FILE must not both be set.',
  })
  .refine((config) => config.ROLE === 'all' || config.DATABASE_URL, {
    path: ['DATABASE_URL'],
    error: ({ input }) =>
      `must be set when ROLE is ${(input as { ROLE: string }).ROLE}: the embedded database serves one machine.`,
  })
  .refine((config) => config.FEDERATION === 'off' || config.TRUSTED_DOCUMENTS.length === 0, {
    path: ['TRUSTED_DOCUMENTS'],
    error: 'must not be set when FEDERATION is on: a router writes operations of its own.',
  })
  .refine((config) => !config.SMTP_URL || config.SMTP_FROM, {
    path: ['SMTP_FROM'],
    error: 'must be set when SMTP_URL is.',
  })
  .refine((config) => config.VERIFY_EMAIL !== 'signin' || config.SMTP_URL, {
    path: ['SMTP_URL'],
    error: 'must be set when VERIFY_EMAIL is signin.',
  })
  // The two addresses have defaults; without a mail server no address is verified.
  .transform(({ BASE_URL, SITE_URL, VERIFY_EMAIL, ...config }) => {
    const baseUrl = BASE_URL ?? `http://localhost:${config.PORT}`;
    const verifyEmail = config.SMTP_URL ? VERIFY_EMAIL : 'off';
    return { ...config, VERIFY_EMAIL: verifyEmail, BASE_URL: baseUrl, SITE_URL: SITE_URL ?? baseUrl };
  })
  .transform((config) => {
    if (config.MODELS !== 'local') return config;
    const models = Object.entries(LOCAL_MODELS).filter(([, { unless }]) => !config[unless]);
    return {
      ...config,
      ...Object.fromEntries(
        models.map(([variable, { name }]) => [variable, config[variable as keyof typeof LOCAL_MODELS] ?? name]),
      ),
    };
  });

/** Every variable read. */
export type Config = z.output<typeof SCHEMA>;

/**
 * Variables that say where the data of an instance are and what decrypts them: all that a program beside the platform needs.
 */
const DATA_VARIABLES = ['DATABASE_URL', 'DATA_DIR', 'MEDIA_URL', 'SECRETS_KEY', 'SECRETS_KEY_FILE'] as const;

/**
 * The configuration of a program beside the platform (backup, restore, audit): what says where the data are, and `more`.
 * Everything else has its default, so that a setting which is wrong for a worker stops no backup. Throws ConfigError.
 */
export function readDataConfig(
  env: Record<string, string | undefined>,
  more: readonly (keyof typeof VARIABLES)[] = [],
): Config {
  return readConfig(Object.fromEntries([...DATA_VARIABLES, ...more].map((name) => [name, env[name]])));
}

/** Reads the configuration; an empty variable is an unset one. Throws ConfigError with one sentence that names the variable. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const texts = Object.keys(VARIABLES).map((name) => [name, env[name]?.trim() || undefined]);
  const { data, error } = SCHEMA.safeParse(Object.fromEntries(texts));
  if (data) return data;
  const [
    {
      path: [name],
      message,
    },
  ] = error.issues as [z.core.$ZodIssue];
  throw new ConfigError(`${String(name)} ${message}`);
}
