/** The codes of errors, published: what `extensions.code` may be. */
import { Field, Int, ObjectType } from 'type-graphql';
import { ERRORS, type ErrorCode } from '../src/kernel/errors.ts';
import { closed } from './enums.ts';

/** What GraphQL itself refuses, before anything of ours is asked. */
const OF_GRAPHQL = {
  GRAPHQL_PARSE_FAILED: { status: 400, text: 'The document is not GraphQL.' },
  GRAPHQL_VALIDATION_FAILED: { status: 400, text: 'The document asks for what the schema lacks, or for too much.' },
  OPERATION_RESOLUTION_FAILURE: { status: 400, text: 'The document has no operation of that name.' },
  BAD_REQUEST: { status: 400, text: 'The request is none of GraphQL over HTTP.' },
  UNTRUSTED_DOCUMENT: { status: 400, text: 'The operation is none of those that are registered here.' },
  PERSISTED_QUERY_NOT_FOUND: { status: 200, text: 'The hash is not known: send the document with it.' },
  PERSISTED_QUERY_NOT_SUPPORTED: { status: 200, text: 'Persisted queries are not taken.' },
} as const;

const ALL = { ...ERRORS, ...OF_GRAPHQL };
type Code = ErrorCode | keyof typeof OF_GRAPHQL;
const CODES = Object.keys(ALL) as Code[];

/** The GraphQL enum of error codes. */
const ErrorCodeType = closed(
  'ErrorCode',
  'What went wrong, for programs: `extensions.code` of every error.',
  Object.fromEntries(CODES.map((code) => [code, ALL[code].text])) as Record<Code, string>,
);

@ObjectType({
  description:
    'A kind of error. Beside its code an error has in `extensions`: `requestId`, as in the log; for bad input `field`; ' +
    'and the amounts that show how much is lacking (`requiredCredits`, `availableCredits`; `balance`, `required`; ' +
    '`transferable`, `required`; `quota`, `limit`).',
})
export class ErrorKind {
  @Field(() => ErrorCodeType, { description: 'What `extensions.code` says.' })
  code: string;

  @Field(() => Int, { description: 'The status with which REST answers it.' })
  status: number;

  @Field({ description: 'What is said where there is nothing better to say.' })
  message: string;
}

/** Every kind, in the order of their statuses. */
export const ERROR_KINDS: readonly ErrorKind[] = CODES.map((code) => ({
  code,
  status: ALL[code].status,
  message: ALL[code].text,
}));
