/**
 * Configuration is environment variables. Each is described once, here, with its default and its reader; a wrong one
 * stops the start with one sentence (`ConfigError`). Nothing else in the project reads `process.env`.
 */
import path from 'node:path';
import { toMicro } from './credits.ts';
import { codePoints, EMAIL, LIMITS } from './limits.ts';
import { QUOTAS, readQuotas } from './quotas.ts';
import { MIN_KEY_CHARS } from './sealing.ts';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

interface Variable<T> {
  about: string;
  /** The value when the variable is unset or empty. */
  fallback: string;
  /** Reads the text; throws a sentence without the variable's name. */
  read(text: string): T;
  secret?: boolean;
}

const text = (value: string): string => value;
const optional = (value: string): string | undefined => value || undefined;
const list = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

function integer(min: number, max: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}".`);
    }
    return number;
  };
}

function oneOf<const T extends string>(...values: T[]) {
  return (value: string): T => {
    if (!values.includes(value as T)) throw new Error(`must be one of ${values.join(', ')}, not "${value}".`);
    return value as T;
  };
}

function url(...protocols: string[]) {
  return (value: string): string | undefined => {
    if (!value) return undefined;
    let parsed: URL;
    try {
      parsed = new URL(value);
    } catch {
      throw new Error('is not a URL.');
    }
    if (!protocols.includes(parsed.protocol)) {
      throw new Error(`must start with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`);
    }
    return value.replace(/\/+$/, '');
  };
}

function credits(value: string): number {
  const amount = Number(value);
  if (!(amount >= 0 && amount <= 1_000_000)) throw new Error('must be an amount of credits from 0 to 1000000.');
  if (toMicro(amount) === undefined) throw new Error('must have at most six decimals.');
  return amount;
}

function emails(value: string): string[] {
  return list(value).map((item) => {
    if (item.length > LIMITS.email || !EMAIL.test(item)) throw new Error(`must be e-mail addresses, not "${item}".`);
    return item;
  });
}

/** `address` or `Name <address>`; undefined when empty. */
function sender(value: string): { name: string; address: string } | undefined {
  if (!value) return undefined;
  const [, name = '', address = value] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(value) ?? [];
  if (!EMAIL.test(address)) throw new Error(`must be an e-mail address or Name <address>, not "${value}".`);
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}

function password(value: string): string | undefined {
  const { passwordMin: min, passwordMax: max } = LIMITS;
  if (value && (codePoints(value) < min || codePoints(value) > max)) {
    throw new Error(`must have ${min} to ${max} characters.`);
  }
  return value || undefined;
}

function secretsKey(value: string): string | undefined {
  if (value && value.length < MIN_KEY_CHARS) throw new Error(`must have at least ${MIN_KEY_CHARS} characters.`);
  return value || undefined;
}

/** Host names, IPv6 ones in brackets, each with a port or without. */
function hosts(value: string): string[] {
  return list(value).map((item) => {
    if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(item)) {
      throw new Error(`must be host or host:port items, not "${item}".`);
    }
    return item;
  });
}

/** `issuer|audience|jwksUrl`, several separated by commas; the JWKS address is discovered when left out. */
function issuers(value: string): { issuer: string; audience: string; jwksUrl?: string }[] {
  return list(value).map((item) => {
    const [issuer, audience, jwksUrl] = item.split('|').map((part) => part.trim());
    if (!issuer || !audience) throw new Error('must be a list of issuer|audience or issuer|audience|jwksUrl.');
    return { issuer, audience, ...(jwksUrl ? { jwksUrl } : {}) };
  });
}

/**
 * A model for everything, then others by name for what it is not to do: `painter, edit=retoucher`. Undefined when empty.
 */
function models<const T extends string>(...names: T[]) {
  return (value: string): ({ all: string } & { [K in T]?: string }) | undefined => {
    const found: Record<string, string> = {};
    for (const item of list(value)) {
      const [, name = 'all', model = item] = /^(\w+)=(.+)$/.exec(item) ?? [];
      if (name !== 'all' && !names.includes(name as T)) throw new Error(`knows ${names.join(', ')}, not "${name}".`);
      if (found[name]) throw new Error(`must name one model for ${name}.`);
      found[name] = model;
    }
    if (!value) return undefined;
    if (!found.all) throw new Error('must name the model for everything first, without a name before it.');
    return found as { all: string } & { [K in T]?: string };
  };
}

/** Options by provider, as the AI SDK's provider packages document them. */
function jsonObjects(value: string): Record<string, Record<string, never>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new Error('is not JSON.');
  }
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!isObject(parsed) || !Object.values(parsed as object).every(isObject)) {
    throw new Error('must be a JSON object of objects by provider, e.g. {"fal": {"guidanceScale": 4}}.');
  }
  return parsed as Record<string, Record<string, never>>;
}

/** Declares a variable; keeps its value's type. */
function variable<T>(about: string, fallback: string, read: (text: string) => T, secret = false): Variable<T> {
  return { about, fallback, read, ...(secret ? { secret } : {}) };
}

export const VARIABLES = {
  PORT: variable('TCP port of HTTP and WebSocket.', '4000', integer(1, 65535)),
  HOST: variable('Address to listen on.', '0.0.0.0', text),
  BASE_URL: variable('Public address of the API; default http://localhost:PORT.', '', url('http:', 'https:')),
  SITE_URL: variable('Public address of the pages; default BASE_URL.', '', url('http:', 'https:')),
  DATA_DIR: variable('Folder of the embedded database and local media.', '.data', (dir) => path.resolve(dir)),
  DATABASE_URL: variable('PostgreSQL to use instead of the embedded one.', '', url('postgres:', 'postgresql:'), true),
  DATABASE_POOL: variable('Connections of one process to PostgreSQL.', '12', integer(2, 200)),
  MEDIA_URL: variable('s3://bucket/prefix?endpoint=...&region=... instead of DATA_DIR/media.', '', url('s3:'), true),
  REDIS_URL: variable('Redis for rate limits shared by several web processes.', '', url('redis:', 'rediss:'), true),
  ROLE: variable('all (web, with its worker beside it), web, or worker.', 'all', oneOf('all', 'web', 'worker')),
  OPERATOR_EMAILS: variable('Comma-separated accounts that may grant credits; made at start.', '', emails),
  OPERATOR_PASSWORD: variable('Password of the operator accounts, set at start.', '', password, true),
  SIGNUP_CREDITS: variable('Credits granted to a new account, which it can spend and not give away.', '5', credits),
  SMTP_URL: variable(
    'Mail server, smtp://user:password@host:587 or smtps://...: a new account is asked to confirm its e-mail address.',
    '',
    url('smtp:', 'smtps:'),
    true,
  ),
  SMTP_FROM: variable('Sender of mails: address or Name <address>.', '', sender),
  VERIFY_EMAIL: variable(
    'With SMTP_URL, what waits until the address is confirmed: off (nothing, no mail), credits (SIGNUP_CREDITS), signin (signing in too).',
    'credits',
    oneOf('off', 'credits', 'signin'),
  ),
  QUOTAS: variable(
    `What one account may have, where it is not the default: ${Object.entries(QUOTAS)
      .map(([name, { limit }]) => `${name}=${limit}`)
      .join(', ')}.`,
    '',
    readQuotas,
  ),
  RATE_LIMITS: variable('off for measuring.', 'on', oneOf('on', 'off')),
  FETCH_ALLOW_HOSTS: variable('host or host:port list exempt from the private-address rule of fetches.', '', hosts),
  OIDC_ISSUERS: variable('External sign-in: issuer|audience[|jwksUrl], comma-separated.', '', issuers),
  TRUST_PROXY: variable('Number of reverse proxies in front, for the caller address.', '0', integer(0, 10)),
  LOG_LEVEL: variable(
    'fatal, error, warn, info, debug or silent.',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  ),
  AUDIT_DAYS: variable('Days for which lines of the audit log are kept.', '400', integer(1, 3650)),
  CLIENT_SECRET_OVERLAP_HOURS: variable(
    'Hours for which the secret of an app verifies after it was replaced, unless its owner says otherwise.',
    '24',
    integer(0, 720),
  ),
  METRICS_TOKEN: variable('Bearer token of /metrics; without it only this machine reads them.', '', optional, true),
  SECRETS_KEY: variable(
    'Wraps the keys that the instance keeps in its database: at least 32 random characters, the same on every machine. Default: made at the first start, in a file secrets.key of mode 600 in DATA_DIR.',
    '',
    secretsKey,
    true,
  ),
  SECRETS_KEY_FILE: variable('File that holds SECRETS_KEY, instead of it.', '', optional),
  KEY_ROTATION_DAYS: variable(
    'Age at which signing and media keys are replaced by themselves; 0: never.',
    '0',
    integer(0, 3650),
  ),
  KEY_OVERLAP_DAYS: variable('Days for which a replaced signing key still verifies.', '30', integer(1, 365)),
  SLUG_LENGTH: variable('Random characters of a share slug.', '4', integer(4, 12)),
  RENDER_CONCURRENCY: variable('Renders at once in one worker; default one per core.', '0', integer(0, 256)),
  IMAGE_MODEL: variable(
    'Image model instead of the illustrator: package:model of an installed AI SDK provider, or a model of IMAGE_BASE_URL. ' +
      'Others for what it does not do: , edit=..., typo_gen=..., typo_edit=...',
    '',
    models('edit', 'typo_gen', 'typo_edit'),
  ),
  IMAGE_BASE_URL: variable("OpenAI-compatible image API, or the provider's address.", '', url('http:', 'https:')),
  IMAGE_API_KEY: variable(
    'Key of the image API; a provider package has a variable of its own too.',
    '',
    optional,
    true,
  ),
  IMAGE_OPTIONS: variable('JSON of provider options for each image, by provider.', '{}', jsonObjects),
  VIDEO_MODEL: variable(
    'Video model instead of the embedded one: package:model of an installed AI SDK provider. ' +
      'Others for what it does not do: , motion=... (films that open on a picture), scene=..., ensemble=...',
    '',
    models('motion', 'scene', 'ensemble'),
  ),
  VIDEO_BASE_URL: variable("The video provider's address, where its package takes one.", '', url('http:', 'https:')),
  VIDEO_API_KEY: variable('Key of the video provider; its package has a variable of its own too.', '', optional, true),
  VIDEO_OPTIONS: variable('JSON of provider options for each film, by provider.', '{}', jsonObjects),
  VIDEO_CONCURRENCY: variable('Films at once in one worker.', '1', integer(1, 64)),
  CHAT_BASE_URL: variable('OpenAI-compatible chat API instead of the built-in responder.', '', url('http:', 'https:')),
  CHAT_API_KEY: variable('Key of the chat API.', '', optional, true),
  CHAT_MODEL: variable('Model of the chat API.', '', optional),
  EMBEDDING_BASE_URL: variable(
    "OpenAI-compatible embedding API, or the provider's address: memories are then found by meaning too.",
    '',
    url('http:', 'https:'),
  ),
  EMBEDDING_API_KEY: variable('Key of the embedding API.', '', optional, true),
  EMBEDDING_MODEL: variable(
    'Model of the embedding API, or package:model of an installed AI SDK provider; another one embeds all memories anew.',
    '',
    optional,
  ),
  EMBEDDING_DIMENSIONS: variable(
    'Length of its vectors, where it can shorten them; 0: its own.',
    '0',
    integer(0, 8192),
  ),
  SPEECH_BASE_URL: variable('OpenAI-compatible speech API instead of eSpeak NG.', '', url('http:', 'https:')),
  SPEECH_API_KEY: variable('Key of the speech API.', '', optional, true),
  SPEECH_MODEL: variable('Model of the speech API.', '', optional),
  SPEECH_VOICES: variable('Voices of the speech API, comma-separated id or id|name|language.', '', list),
  TWITCH_CLIENT_ID: variable('Twitch app that proves stream names and subscriptions; else operators do.', '', optional),
  TWITCH_CLIENT_SECRET: variable('Secret of the Twitch app.', '', optional, true),
  TWITCH_BASE_URL: variable('Address of the Helix API.', 'https://api.twitch.tv', url('http:', 'https:')),
  TWITCH_AUTH_URL: variable("Address of Twitch's sign-in.", 'https://id.twitch.tv', url('http:', 'https:')),
  ENGINES: variable(
    'noop swaps speech and talking head for engines that do nothing, to measure the pipeline.',
    'real',
    oneOf('real', 'noop'),
  ),
} as const;

type Values = { [K in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[K]['read']> };

/** Every variable read, with the two addresses filled in; without a mail server nothing is verified. */
export type Config = Omit<Values, 'BASE_URL' | 'SITE_URL'> & { BASE_URL: string; SITE_URL: string };

/** Reads the configuration. Throws ConfigError with one sentence that names the variable. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  for (const [name, { fallback, read }] of Object.entries(VARIABLES)) {
    try {
      values[name] = read(env[name]?.trim() || fallback);
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}`);
    }
  }
  const config = values as Values;
  if (config.OPERATOR_EMAILS.length > 0 && !config.OPERATOR_PASSWORD) {
    throw new ConfigError('OPERATOR_PASSWORD must be set when OPERATOR_EMAILS is.');
  }
  if (config.TWITCH_CLIENT_ID && !config.TWITCH_CLIENT_SECRET) {
    throw new ConfigError('TWITCH_CLIENT_SECRET must be set when TWITCH_CLIENT_ID is.');
  }
  if (config.SECRETS_KEY && config.SECRETS_KEY_FILE) {
    throw new ConfigError('SECRETS_KEY and SECRETS_KEY_FILE must not both be set.');
  }
  if (config.ROLE !== 'all' && !config.DATABASE_URL) {
    throw new ConfigError(
      `DATABASE_URL must be set when ROLE is ${config.ROLE}: the embedded database serves one machine.`,
    );
  }
  if (config.SMTP_URL && !config.SMTP_FROM) throw new ConfigError('SMTP_FROM must be set when SMTP_URL is.');
  if (config.VERIFY_EMAIL === 'signin' && !config.SMTP_URL) {
    throw new ConfigError('SMTP_URL must be set when VERIFY_EMAIL is signin.');
  }
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`;
  const verifyEmail = config.SMTP_URL ? config.VERIFY_EMAIL : 'off';
  return { ...config, VERIFY_EMAIL: verifyEmail, BASE_URL: baseUrl, SITE_URL: config.SITE_URL ?? baseUrl };
}
