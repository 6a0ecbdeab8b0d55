/**
 * Redaction of keys, client secrets, tokens and codes from log lines, wherever in a text they are. It goes by their form, because
 * a secret in a URL or an error message has no field name of its own.
 */
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { PlatformError } from './errors.ts';
import { workFields } from './work-account.ts';

/** The log of the process, or of a request. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

const SECRETS: [RegExp, string][] = [
  [/\b(svc_|svcc_|svcs_|svcr_)[A-Za-z0-9]{6,}/g, '$1[redacted]'],
  [
    /([?&"'\s](?:token|key|viewerToken|visitorToken|client_secret|code_verifier|idToken|access_token)=?["']?[:=]["']?)[^&"'\s}]+/g,
    '$1[redacted]',
  ],
  // A code in an address is a secret; the `code` of an error is not, and operators look for it.
  [/([?&\s"']code=)[^&"'\s]+/g, '$1[redacted]'],
  [/\b(Bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, '$1[redacted]'],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g, '[redacted]'],
];

/** A text without the secrets in it. */
export function redactText(text: string): string {
  return SECRETS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}

function redactError(error: Error): unknown {
  return JSON.parse(redactText(JSON.stringify(pino.stdSerializers.err(error))));
}

/** What is logged of a refusal: not its sentence, which may repeat what the caller said, but the reason behind it. */
export const refusalFields = ({ code, details, cause }: PlatformError): object => ({
  code,
  ...details,
  ...(cause === undefined ? {} : { reason: reasonOf(cause) }),
});

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return redactText(String(error));
  return redactText(error.message) + (error.cause === undefined ? '' : ` (${reasonOf(error.cause)})`);
}

/** Options of pino: named fields, and every text of errors and requests. */
export const LOG_REDACTION = {
  redact: {
    paths: [
      'authorization',
      '*.authorization',
      'headers.authorization',
      'headers.cookie',
      'password',
      '*.password',
      'token',
      '*.token',
    ],
    censor: '[redacted]',
  },
  serializers: {
    err: redactError,
    url: (url: unknown) => (typeof url === 'string' ? redactText(url) : url),
  },
};

/**
 * The log of a process: JSON lines to standard output, or to `destination`. Lines of work that a request began have its
 * `requestId`, in the web and in the worker. The log of a request has it of its own (`childLoggerFactory` of Fastify).
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    ...LOG_REDACTION,
    mixin: (_given, _level, writer) => (writer === log && workFields()) || NO_FIELDS,
    mixinMergeStrategy: (given, fields) => (fields === NO_FIELDS ? given : { ...fields, ...given }),
  };
  const log: Logger = destination ? pino(options, destination) : pino(options);
  return log;
}

const NO_FIELDS = {};
