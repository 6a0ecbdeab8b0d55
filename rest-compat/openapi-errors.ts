/** The refusals of the OpenAPI document: which statuses an operation may have, and the bodies that they come with. */
import type { Rule } from '../src/auth/principal.ts';
import { ERRORS } from '../src/kernel/errors.ts';
import { QUOTAS } from '../src/kernel/quotas.ts';
import { type Json, refTo } from './openapi-schemas.ts';
import type { Route } from './routes/index.ts';

const amount = (description: string): Json => ({ type: 'number', description });

/** An error body with amounts; those in `required` are always present. */
const withAmounts = (
  description: string,
  example: Json,
  properties: Record<string, Json>,
  required: string[] = [],
): Json => ({
  description,
  allOf: [refTo('Error'), { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }],
  example: { ...example, requestId: 'req_01jd8q4m3t000001' },
});

/** The shapes of errors in the OpenAPI document. */
export const ERROR_SCHEMAS: Record<string, Json> = {
  Error: {
    type: 'object',
    description: 'Why a request was refused.',
    required: ['error', 'code', 'requestId'],
    properties: {
      error: { type: 'string', description: 'A sentence; for bad input it names the field.' },
      code: refTo('ErrorCode'),
      requestId: { type: 'string', description: 'As in X-Request-Id, and in the log.' },
      error_description: {
        type: 'string',
        description: 'Of OAuth’s endpoints: the sentence beside the standard’s code.',
      },
      retryAfterSeconds: amount('With 429 and 503: when to ask again.'),
      quota: { type: 'string', enum: Object.keys(QUOTAS), description: 'With QUOTA_EXCEEDED: which one.' },
      limit: amount('With QUOTA_EXCEEDED: how many an account may have.'),
    },
    example: { error: 'userText is required.', code: 'BAD_INPUT', requestId: 'req_01jd8q4m3t000001' },
  },
  ErrorCode: {
    type: 'string',
    description: 'What happened, for programs.',
    enum: [...Object.keys(ERRORS), 'METHOD_NOT_ALLOWED'],
  },
  InsufficientCredits: withAmounts(
    'The payer has too few credits; nothing was made nor charged.',
    {
      error: 'Not enough credits.',
      code: 'INSUFFICIENT_CREDITS',
      requiredCredits: 0.05,
      availableCredits: 0.01,
    },
    {
      requiredCredits: amount('What it would cost.'),
      availableCredits: amount('What there is; 0 where another account would pay.'),
    },
    ['requiredCredits', 'availableCredits'],
  ),
  InsufficientBalance: withAmounts(
    'Bad input, or too few credits to join: then with both amounts.',
    { error: 'Not enough credits to join.', code: 'INSUFFICIENT_BALANCE', balance: 0.5, required: 2 },
    {
      balance: amount('What the caller has.'),
      required: amount('What joining costs.'),
    },
  ),
  InsufficientTransferable: withAmounts(
    'Bad input, or too few credits that may be given away: then with both amounts.',
    { error: 'Not enough transferable credits.', code: 'INSUFFICIENT_TRANSFERABLE', transferable: 0.5, required: 2 },
    {
      transferable: amount('What the sender may give away.'),
      required: amount('What the gift needs.'),
    },
  ),
};

const TEXTS: Record<number, string> = {
  400: 'Bad input; the sentence names the field.',
  401: 'No credential, or one that does not hold.',
  402: 'Too few credits.',
  403: 'Not allowed to this caller, or to this access token.',
  404: 'Not found, or not yours.',
  409: 'Already resolved; or the same request with this Idempotency-Key is still running.',
  410: 'Expired.',
  413: 'The request is too large.',
  422: 'The Idempotency-Key was used with another request.',
  429: 'Too many requests.',
  502: 'An upstream service failed; nothing was charged.',
  503: 'A part of the service does not answer: try again later.',
};

/** Statuses of single operations beyond those of all operations of their kind, by operationId. */
const OWN: Record<string, readonly number[]> = {
  speak: [402],
  injectTurn: [402],
  generateImage: [402, 502],
  editImage: [402, 502],
  generateVideo: [402, 502],
  trainAvatar: [502],
  giftIntent: [403],
  cancelGift: [403],
  confirmGift: [403, 409, 410],
  createConversation: [404],
  conversation: [403],
  conversationBySlug: [403],
  proposeGift: [404],
  giftsSent: [404],
  oauthToken: [401],
  // 404 where the operator has not switched it on.
  oauthIntrospection: [401, 404],
  pushAuthorization: [401, 404],
  oauthRegister: [404],
  oauthRevoke: [401],
};

const SCHEMAS: Record<string, Record<number, string>> = {
  joinTribe: { 400: 'InsufficientBalance' },
  proposeGift: { 400: 'InsufficientTransferable' },
  confirmGift: { 400: 'InsufficientTransferable' },
};

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 0 } } };

/** The parts of a route that decide which refusals it documents. */
type Refusing = Pick<Route, 'path' | 'idempotent'> & { method: string };

function statusesOf(route: Refusing, rule: Rule | undefined, operationId: string, hasInput: boolean): number[] {
  const isOpen = !rule || rule.auth === 'none';
  return [
    ...(hasInput ? [400] : []),
    ...(isOpen ? [] : [401]),
    ...(isOpen || rule.auth === 'optional' ? [] : [403]),
    ...(route.path.includes('{') ? [404] : []),
    ...(route.idempotent ? [409, 422] : []),
    ...(route.method === 'GET' || route.method === 'DELETE' ? [] : [413]),
    429,
    503,
    ...(OWN[operationId] ?? []),
  ];
}

/** The refusals of an operation, by status. */
export function refusals(route: Refusing, rule: Rule | undefined, operationId: string, hasInput: boolean): Json {
  const statuses = [...new Set(statusesOf(route, rule, operationId, hasInput))].sort((a, b) => a - b);
  const schemaOf = (status: number) =>
    SCHEMAS[operationId]?.[status] ?? (status === 402 ? 'InsufficientCredits' : 'Error');
  const refusal = (status: number): Json => ({
    description: TEXTS[status],
    ...([409, 429, 503].includes(status) ? { headers: RETRY_AFTER } : {}),
    content: { 'application/json': { schema: refTo(schemaOf(status)) } },
  });
  return {
    ...Object.fromEntries(statuses.map((status) => [status, refusal(status)])),
    default: { description: 'Any other error.', content: { 'application/json': { schema: refTo('Error') } } },
  };
}
