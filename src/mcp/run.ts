/**
 * Runs a tool: its operation through the one executor, then, where it takes longer, the reading of it until it is done, the
 * caller hangs up, or the time is over. Each look asks anew who calls, so that a token that was revoked ends it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentNode, ExecutionResult } from 'graphql';
import type { Executor } from '../../resolvers/execute.ts';
import type { RequestContext } from '../../resolvers/request-context.ts';
import { errorBody, firstError, publicError } from '../../rest-compat/errors.ts';
import { refuseUnknown } from '../../rest-compat/variables.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { PreparedTool } from './prepare.ts';
import type { Data } from './tool.ts';

/** Below the minute after which clients give up a request; the model asks for a result that takes longer by another tool. */
const WAIT_MS = 50 * SECOND_MS;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = SECOND_MS;
/** Calls of one account that wait at once in this process; others are answered with how far it is. */
const WAITING_OF_ACCOUNT = 8;

/** A call of a tool. */
export interface Call {
  executor: Executor;
  /** The caller's context, read anew; throws UNAUTHENTICATED when their credential does not open the tools any more. */
  context(): Promise<RequestContext>;
  args: Data;
  log: Log;
  requestId: string;
  /** Aborted when the caller waits for the result no more, or the server stops. */
  signal: AbortSignal;
  /** Reports progress to the client; undefined where it did not ask. */
  report?: (elapsedMs: number, share: number | undefined) => Promise<void>;
}

/** The result as the model receives it. */
export type ToolResult = {
  isError?: true;
  content: Part[];
  /** Of the form of the tool's `outputSchema`; none of an error. */
  structuredContent?: Data;
};

type Part = { type: 'text'; text: string } | { type: 'resource_link'; uri: string; name: string; mimeType?: string };

/** The result of a tool, or its error in a sentence. */
export async function runTool(tool: PreparedTool, call: Call): Promise<ToolResult> {
  try {
    refuseUnknown('', call.args, Object.keys(tool.arguments.properties));
    const started = await ask(call, tool.document, tool.variablesOf(call.args));
    if (!tool.waits) return shown(tool, filtered(tool, started, call.args), '');
    const { result, isDone } = await waitFor(tool, tool.waits, started, call);
    const more = isDone ? '' : `It is not finished yet: ask ${tool.waits.later} for it in a while.`;
    return shown(tool, result, more);
  } catch (error) {
    return refused(error, call);
  }
}

async function ask(call: Call, document: DocumentNode, variables: Data): Promise<Data> {
  const context = await call.context();
  const result: ExecutionResult = await call.executor.execute({ document, variables, context });
  const error = firstError(result);
  if (error) throw error;
  return plain(result.data) as Data;
}

/** Lists without the form in which the graph pages them: the items, and beside them `next`, where there is more. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value !== 'object') return value;
  const object: Data = {};
  for (const [name, inner] of Object.entries(value)) {
    const list = inner as { nodes?: unknown; pageInfo?: { hasNextPage: boolean; endCursor: string } } | null;
    if (list && typeof list === 'object' && Array.isArray(list.nodes)) {
      object[name] = plain(list.nodes);
      if (list.pageInfo?.hasNextPage) object.next = list.pageInfo.endCursor;
    } else object[name] = plain(inner);
  }
  return object;
}

function filtered({ filters }: PreparedTool, data: Data, { name }: Data): Data {
  if (!filters || typeof name !== 'string') return data;
  const wanted = name.toLowerCase();
  const items = data[filters] as { displayName: string | null }[];
  return { ...data, [filters]: items.filter(({ displayName }) => displayName?.toLowerCase().includes(wanted)) };
}

const waiting = new Map<string, number>();

/** Calls that wait in this process, of all accounts. */
export const waitingCalls = (): number => [...waiting.values()].reduce((sum, calls) => sum + calls, 0);

async function waitFor(
  tool: PreparedTool,
  waits: NonNullable<PreparedTool['waits']>,
  started: Data,
  call: Call,
): Promise<{ result: Data; isDone: boolean }> {
  const account = (await call.context()).principal?.userId ?? '';
  const already = waiting.get(account) ?? 0;
  waiting.set(account, already + 1);
  try {
    const since = performance.now();
    const endsMs = already < WAITING_OF_ACCOUNT ? WAIT_MS : 0;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      const read = tool.reading ? await ask(call, tool.reading, waits.variables(started, call.args)) : started;
      const result = waits.result(started, read);
      const isDone = waits.isDone(result, call.args);
      const elapsedMs = performance.now() - since;
      if (isDone || elapsedMs >= endsMs || call.signal.aborted) return { result, isDone };
      await call.report?.(elapsedMs, waits.progress?.(result));
      await pause(pauseMs, undefined, { signal: call.signal }).catch(() => {});
    }
  } finally {
    const left = (waiting.get(account) ?? 1) - 1;
    if (left > 0) waiting.set(account, left);
    else waiting.delete(account);
  }
}

function shown({ says }: PreparedTool, data: Data, more: string): ToolResult {
  const words = [says?.(data), more].filter(Boolean).map((text) => ({ type: 'text', text: text as string }) as const);
  // Clients that know no structured content read the same as text.
  const asText = { type: 'text', text: JSON.stringify(data) } as const;
  return { content: [...words, asText, ...linksIn(data)], structuredContent: data };
}

/** What fields hold media, and what they are called as resources. */
const MEDIA: Readonly<Record<string, string>> = { imageUrl: 'image', audioUrl: 'recording', videoUrl: 'video' };
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
};

function linksIn(value: unknown): Part[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([field, inner]): Part[] => {
    const { [field]: name } = MEDIA;
    if (!name || typeof inner !== 'string') return linksIn(inner);
    const extension = /\.(\w+)$/.exec(new URL(inner).pathname)?.[1] ?? '';
    const { [extension]: mimeType } = TYPES;
    return [{ type: 'resource_link', uri: inner, name, ...(mimeType ? { mimeType } : {}) }];
  });
}

/**
 * An error that a model can read, and act upon: in a sentence, then with its code as JSON. As structured content it would have
 * to be of the form of a result: clients of the SDK's first version check that of errors too, and would show theirs instead.
 */
function refused(error: unknown, { log, requestId }: Call): ToolResult {
  const seen = publicError(error, log);
  const { field: _, ...details } = seen.details ?? {};
  const numbers = Object.entries(details).map(([name, value]) => `${name}: ${String(value)}`);
  const text = [seen.message, ...numbers].join(' ');
  const body = JSON.stringify(errorBody(seen, requestId));
  return { isError: true, content: [text, body].map((part) => ({ type: 'text', text: part })) };
}
