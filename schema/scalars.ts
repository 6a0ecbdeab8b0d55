/**
 * Scalars of the API. Each carries `extensions.jsonSchema`, from which the OpenAPI document derives its schemas.
 */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { fromMicro, toMicro } from '../src/kernel/credits.ts';
import { LEDGER_LABELS } from '../src/kernel/ledger-kinds.ts';
import { ASPECT_RATIOS, MATCH_INPUT, RESOLUTIONS } from '../src/kernel/media-options.ts';
import { OFFLINE_ACCESS, SCOPES } from '../src/kernel/scopes.ts';
import { TEST_EVENT, WEBHOOK_EVENT_NAMES } from '../src/kernel/webhook-events.ts';

/** Epoch milliseconds: an integer beyond GraphQL's 32-bit Int. */
export const EpochMillis = new GraphQLScalarType<number, number>({
  name: 'EpochMillis',
  description: 'A moment, in milliseconds since 1970-01-01T00:00:00Z: an integer.',
  specifiedByURL: 'https://tc39.es/ecma262/#sec-time-values-and-time-range',
  extensions: { jsonSchema: { type: 'integer', format: 'int64', example: 1790000000000 } },
  serialize: (value) => Number(value),
  parseValue: readMillis,
  parseLiteral: (node) => readMillis(node.kind === Kind.INT ? Number(node.value) : undefined),
});

function readMillis(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new GraphQLError('EpochMillis must be an integer.');
  return value;
}

/** Credits: stored as bigint micro-credits, shown as a decimal with at most six places. */
export const Credits = new GraphQLScalarType<bigint, number>({
  name: 'Credits',
  description: 'An amount of credits: a number with at most six decimals.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  extensions: { jsonSchema: { type: 'number', example: 0.0265 } },
  serialize: (value) => (typeof value === 'bigint' ? fromMicro(value) : Number(value)),
  parseValue: readCredits,
  parseLiteral: (node) =>
    readCredits(node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined),
});

function readCredits(value: unknown): bigint {
  const micro = typeof value === 'number' ? toMicro(value) : undefined;
  if (micro === undefined) throw new GraphQLError('must be a number with at most six decimals.');
  return micro;
}

interface TextFormat {
  name: string;
  description: string;
  specifiedByURL: string;
  jsonSchema: Record<string, unknown>;
}

/** A text of a certain form. What a text of it must be is a rule of the field; here it is only known by its name. */
function formOfText({ name, description, specifiedByURL, jsonSchema }: TextFormat): GraphQLScalarType<string, string> {
  return new GraphQLScalarType({
    name,
    description,
    specifiedByURL,
    extensions: { jsonSchema },
    serialize: (value) => String(value),
    parseValue: readText,
    parseLiteral: (node) => readText(node.kind === Kind.STRING ? node.value : undefined),
  });
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw new GraphQLError('must be a string.');
  return value;
}

/** An address. */
export const Url = formOfText({
  name: 'URL',
  description: 'An http or https address.',
  specifiedByURL: 'https://url.spec.whatwg.org/',
  jsonSchema: { type: 'string', format: 'uri' },
});

/** Bytes of a file: those of a form as they came, in JSON as base64. */
export const FileBytes = new GraphQLScalarType<Uint8Array, string>({
  name: 'FileBytes',
  description: 'A file: its bytes in base64. REST takes the file itself, as a part of a form.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4648#section-4',
  extensions: { jsonSchema: { type: 'string', contentEncoding: 'base64' } },
  serialize: (value) => Buffer.from(value as Uint8Array).toString('base64'),
  parseValue: (value) => (value instanceof Uint8Array ? value : readBase64(value)),
  parseLiteral: (node) => readBase64(node.kind === Kind.STRING ? node.value : undefined),
});

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function readBase64(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !BASE64.test(value)) throw new GraphQLError('must be base64.');
  return Buffer.from(value, 'base64');
}

/** A language tag of RFC 5646. */
export const BCP47 = formOfText({
  name: 'BCP47',
  description: 'A language, e.g. de or pt-BR.',
  specifiedByURL: 'https://www.rfc-editor.org/info/bcp47',
  jsonSchema: { type: 'string' },
});

/** A day of the calendar. */
export const CalendarDate = formOfText({
  name: 'Date',
  description: 'A day in UTC, as 2026-01-31.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  jsonSchema: { type: 'string', format: 'date' },
});

/** A whole number beyond GraphQL's 32-bit Int. What it may be is a rule of the field. */
export const SafeInt = new GraphQLScalarType<number, number>({
  name: 'SafeInt',
  description: 'A whole number of up to 53 bits.',
  specifiedByURL: 'https://tc39.es/ecma262/#sec-number.issafeinteger',
  extensions: { jsonSchema: { type: 'integer', format: 'int64' } },
  serialize: (value) => Number(value),
  parseValue: readNumber,
  parseLiteral: (node) =>
    readNumber(node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined),
});

function readNumber(value: unknown): number {
  if (typeof value !== 'number') throw new GraphQLError('must be a number.');
  return value;
}

/** Where a description lists the texts, this says how one is written. */
const JSON_TEXT = 'https://www.rfc-editor.org/rfc/rfc8259#section-7';

/** GraphQL has no names for the values of these: an enumeration of them would have others than REST. */
export const AspectRatioText = formOfText({
  name: 'AspectRatio',
  description: `Width to height: ${ASPECT_RATIOS.join(', ')}. An edit also takes ${MATCH_INPUT}: as its first image.`,
  specifiedByURL: JSON_TEXT,
  jsonSchema: { type: 'string' },
});

/** The resolution of an image. */
export const ResolutionText = formOfText({
  name: 'Resolution',
  description: `Lines of an image: ${RESOLUTIONS.join(' or ')}.`,
  specifiedByURL: JSON_TEXT,
  jsonSchema: { type: 'string' },
});

/** What an access token or a key may do. */
export const ScopeText = formOfText({
  name: 'Scope',
  description: `What an access token or a key may do: ${SCOPES.join(', ')}. An app may ask for ${OFFLINE_ACCESS} beside them, where OAUTH_REFRESH_DAYS is set.`,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc6749#section-3.3',
  jsonSchema: { type: 'string', enum: SCOPES },
});

/** What webhooks report. */
export const WebhookEventText = formOfText({
  name: 'WebhookEvent',
  description: `What has happened: ${WEBHOOK_EVENT_NAMES.join(', ')}; ${TEST_EVENT} tries an address.`,
  specifiedByURL: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  jsonSchema: { type: 'string' },
});

/** What a line of the ledger is for, as the documentation names it. */
export const LedgerLabelText = formOfText({
  name: 'LedgerLabel',
  description: `What a line of the ledger is for: ${LEDGER_LABELS.join(', ')}.`,
  specifiedByURL: JSON_TEXT,
  jsonSchema: { type: 'string' },
});
