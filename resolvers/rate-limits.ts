/**
 * The limits on failures. They are applied by the executor, through which every transport goes. A root field in the table is
 * refused while its caller's budget of failures is used up, and each failure of the named kind costs a point.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Outcome, RateLimits, RateName } from '../src/auth/rate-limits.ts';
import { type ErrorCode, PlatformError } from '../src/kernel/errors.ts';
import type { ExecuteRequest, Executor } from './execute.ts';

interface Budget {
  rate: RateName;
  /** The failures that cost a point; 'any' counts every call. */
  on: readonly ErrorCode[] | 'any';
  /** The argument whose value is guessed: an account, a slug. */
  by?: 'email' | 'slug' | 'turnId' | 'conversationId';
}

const SLUG_MISS: Budget = { rate: 'slugMiss', on: ['NOT_FOUND'], by: 'slug' };

/** The rates that failures of an operation count against, by root field. */
export const FAILURE_BUDGETS: Readonly<Record<string, Budget>> = {
  signIn: { rate: 'signIn', on: ['UNAUTHENTICATED'], by: 'email' },
  changePassword: { rate: 'token', on: ['FORBIDDEN'] },
  deleteAccount: { rate: 'token', on: ['FORBIDDEN'] },
  signUp: { rate: 'signUp', on: 'any' },
  resendVerification: { rate: 'verificationMail', on: 'any' },
  requestPasswordReset: { rate: 'verificationMail', on: 'any' },
  changeEmail: { rate: 'verificationMail', on: 'any' },
  resetPassword: { rate: 'token', on: ['NOT_FOUND'] },
  confirmEmailChange: { rate: 'token', on: ['NOT_FOUND'] },
  verifyEmail: { rate: 'token', on: ['NOT_FOUND'] },
  // Guessed secrets; a used-up code is no guess, and a hundred parallel exchanges of one code are one mistake.
  oauthToken: { rate: 'token', on: ['INVALID_CLIENT'] },
  oauthRevoke: { rate: 'token', on: ['INVALID_CLIENT'] },
  oauthIntrospection: { rate: 'token', on: ['INVALID_CLIENT'] },
  // Each is a row, for any caller who knows an app's id.
  pushAuthorization: { rate: 'pushedRequest', on: 'any' },
  oauthRegister: { rate: 'registration', on: 'any' },
  // Free, and yet it costs processor time.
  voiceSample: { rate: 'voiceSample', on: 'any' },
  createUpload: { rate: 'upload', on: 'any' },
  tryPersona: { rate: 'personaTryOut', on: 'any' },
  transcribe: { rate: 'transcription', on: 'any' },
  beginVisit: { rate: 'visit', on: 'any' },
  sayToAvatar: { rate: 'visitorTurn', on: 'any' },
  interruptAvatar: { rate: 'visitorTurn', on: 'any' },
  transcribeForAvatar: { rate: 'transcription', on: 'any' },
  conversationBySlug: SLUG_MISS,
  // Also found by its slug, which can be guessed.
  conversation: { ...SLUG_MISS, by: 'conversationId' },
  conversationTag: SLUG_MISS,
  turnBySlug: SLUG_MISS,
  turnCard: SLUG_MISS,
  speechCard: SLUG_MISS,
  sharedVideo: SLUG_MISS,
  idleVideo: SLUG_MISS,
  talkPage: SLUG_MISS,
  turnUpdated: SLUG_MISS,
  translatedCaption: { rate: 'translation', on: 'any' },
};

const codeOf = (error: GraphQLError): string | undefined =>
  error.originalError instanceof PlatformError ? error.originalError.code : undefined;

/** A second budget for fields whose every call counts and where something is guessed as well: a `t-` slug, a secret. */
const FURTHER_BUDGETS: Readonly<Record<string, Budget>> = {
  translatedCaption: { ...SLUG_MISS, by: 'turnId' },
  pushAuthorization: { rate: 'token', on: ['INVALID_CLIENT'] },
};

type Variables = Record<string, unknown> | null | undefined;

interface Guarded {
  budget: Budget;
  /** Its name in the answer. */
  name: string;
  /** What is guessed at; undefined where the budget does not ask, or the caller gave no text. */
  subject(variables: Variables): string | undefined;
}

/** Root fields of an operation that have a budget; a REST row's document is the same one for every request. */
const known = new WeakMap<DocumentNode, Map<string, Guarded[]>>();

/** The root fields of an operation that have a budget of failures. */
export function guardedOf(document: DocumentNode, operationName: string | null | undefined): Guarded[] {
  const byName = known.get(document) ?? new Map<string, Guarded[]>();
  known.set(document, byName);
  const name = operationName ?? '';
  const found = byName.get(name);
  if (found) return found;
  const operation = getOperationAST(document, operationName);
  const guarded = rootFields(document, operation?.selectionSet).flatMap((node) =>
    [FAILURE_BUDGETS, FURTHER_BUDGETS].flatMap(({ [node.name.value]: budget }) =>
      budget
        ? [{ budget, name: node.alias?.value ?? node.name.value, subject: subjectOf(node, budget.by, operation) }]
        : [],
    ),
  );
  byName.set(name, guarded);
  return guarded;
}

/** Reads an argument of text, or a field of that name in `input`. */
function subjectOf(
  field: FieldNode,
  name: string | undefined,
  operation: OperationDefinitionNode | null | undefined,
): Guarded['subject'] {
  if (name === undefined) return () => undefined;
  const argument = (asked: string) => field.arguments?.find((each) => each.name.value === asked)?.value;
  const direct = argument(name);
  const read = readerOf(direct ?? argument('input'), operation);
  return (variables) => {
    const value = read(variables);
    const found = direct ? value : isRecord(value) ? value[name] : undefined;
    return typeof found === 'string' ? found : undefined;
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Reads a value of a document: a literal, a variable, or the default of a variable that was not given. */
function readerOf(
  value: ValueNode | undefined,
  operation: OperationDefinitionNode | null | undefined,
): (variables: Variables) => unknown {
  if (!value) return () => undefined;
  if (value.kind === Kind.VARIABLE) {
    const name = value.name.value;
    const definition = operation?.variableDefinitions?.find(({ variable }) => variable.name.value === name);
    const fallback = definition?.defaultValue && valueFromASTUntyped(definition.defaultValue);
    return (variables) => (variables?.[name] === undefined ? fallback : variables[name]);
  }
  if (value.kind !== Kind.OBJECT) return (variables) => valueFromASTUntyped(value, variables);
  const fields = value.fields.map((each) => [each.name.value, readerOf(each.value, operation)] as const);
  return (variables) => Object.fromEntries(fields.map(([name, read]) => [name, read(variables)]));
}

/** The fields of a selection, those of its fragments too: a fragment at the root is no way round a limit. */
function rootFields(document: DocumentNode, selection: SelectionSetNode | undefined): FieldNode[] {
  return (selection?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    if (node.kind === Kind.INLINE_FRAGMENT) return rootFields(document, node.selectionSet);
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value,
    );
    return rootFields(document, (fragment as FragmentDefinitionNode | undefined)?.selectionSet);
  });
}

/** What was taken before an operation, for some of its fields; which is settled by what became of each. */
interface Taken {
  fields: readonly Guarded[];
  settle(outcomes: Outcome[]): Promise<void>;
}

/** Takes what the operation may cost; throws RATE_LIMITED, and keeps nothing then. */
async function take(limits: RateLimits, guarded: readonly Guarded[], address: string, variables: Variables) {
  const taken: Taken[] = [];
  const reportAll = async (outcomeOf: (field: Guarded) => Outcome): Promise<void> => {
    await Promise.all(taken.map(({ fields, settle }) => settle(fields.map(outcomeOf))));
  };
  // In one order for all: two operations never wait for what the other has taken.
  const rates = [...new Set(guarded.map(({ budget }) => budget.rate))].sort();
  try {
    for (const rate of rates) {
      const fields = guarded.filter(({ budget }) => budget.rate === rate);
      taken.push(...(await takeRate(limits, rate, fields, address, variables)));
    }
    for (const field of guarded.filter(({ budget }) => budget.by === 'email')) {
      const email = field.subject(variables);
      if (email === undefined) continue;
      const settle = await limits.signIn(email, address);
      taken.push({ fields: [field], settle: ([outcome]) => settle(outcome!) });
    }
  } catch (error) {
    await reportAll(() => 'other');
    throw error;
  }
  return reportAll;
}

async function takeRate(
  limits: RateLimits,
  rate: RateName,
  fields: readonly Guarded[],
  address: string,
  variables: Variables,
): Promise<Taken[]> {
  const [{ budget }] = fields as [Guarded];
  if (budget.on === 'any') {
    for (const _ of fields) await limits.count(rate, address);
    return [];
  }
  if (rate === 'slugMiss') {
    const slugs = fields.map((field) => field.subject(variables));
    return [{ fields, settle: await limits.lookUp(address, slugs) }];
  }
  const settle = await limits.attempt(rate, address, fields.length);
  return [{ fields, settle: (outcomes) => settle(outcomes.filter((outcome) => outcome === 'failed').length) }];
}

function outcomeIn(result: ExecutionResult, { budget, name }: Guarded): Outcome {
  const failure = result.errors?.find((error) => error.path?.[0] === name);
  // An error without a path is of the whole operation: no field was asked.
  if (!failure) return result.data?.[name] == null ? 'other' : 'ok';
  return budget.on.includes(codeOf(failure) as ErrorCode) ? 'failed' : 'other';
}

/** The executor, refusing callers who have failed too often. */
export function limitFailures(executor: Executor, limits: RateLimits): Executor {
  async function guard(request: ExecuteRequest, guarded: readonly Guarded[]): Promise<ExecutionResult> {
    let report: Awaited<ReturnType<typeof take>>;
    try {
      report = await take(limits, guarded, request.context.address, request.variables);
    } catch (error) {
      return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] };
    }
    let result: ExecutionResult = {};
    try {
      result = await executor.execute(request);
      return result;
    } finally {
      await report((field) => outcomeIn(result, field));
    }
  }

  return {
    ...executor,
    execute(request) {
      const guarded = guardedOf(request.document, request.operationName);
      return guarded.length === 0 ? executor.execute(request) : guard(request, guarded);
    },
  };
}
