/**
 * GraphQL over Server-Sent Events, for networks that let no WebSocket through: the distinct connections mode of the protocol
 * of graphql-sse, one operation a request, at the same address as every other. What holds of sockets holds here: limits of
 * documents, budgets of requests and of guessed slugs, access that ends when it is revoked.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionResult, type GraphQLError, getOperationAST } from 'graphql';
import type { Executor } from '../../../../resolvers/execute.ts';
import { pointsOf } from '../../../../resolvers/limits.ts';
import type { RequestContext } from '../../../../resolvers/request-context.ts';
import type { AskedDocument, TrustedDocuments } from '../../../../resolvers/trusted-documents.ts';
import type { RateLimits } from '../../../auth/rate-limits.ts';
import { badInput, PlatformError } from '../../../kernel/errors.ts';
import type { Live } from '../live.service.ts';
import { Documents } from './document.cache.ts';
import { countingMisses } from './slug-guess.access.ts';
import { LIVE_LIMITS } from './socket.transport.ts';
import { asInputError, isPassing, refusal, unknownOperation } from './socket-error.rules.ts';

/** What the protocol calls an event. */
const NEXT = 'event: next\ndata: ';
const COMPLETE = 'event: complete\ndata:\n\n';
const PING = ':\n\n';

interface Asked {
  named: AskedDocument;
  operationName: string | null;
  variables: Record<string, unknown>;
}

type Results = AsyncIterator<ExecutionResult>;

/** What carries out the operations. */
export interface EventStreamPorts {
  /** Until when a caller's credential is valid. */
  live: Pick<Live, 'holdCredential'>;
  /** Operations count as requests do, and unknown slugs as misses. */
  rates: Pick<RateLimits, 'count' | 'lookUp'>;
  executor: Executor;
  /** The only operations that are taken; without it, all. */
  trusted?: TrustedDocuments | undefined;
  contextFor(request: FastifyRequest): Promise<RequestContext>;
  /** An answer with its errors as callers may see them. */
  format(result: ExecutionResult, requestId: string): object;
}

/** True where the answer is to be a stream of events: clients that take JSON as well are answered by that. */
export const wantsEvents = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.includes('text/event-stream') && !accept.includes('json');

/** The open streams of a process. */
export class EventStreams {
  readonly #ports: EventStreamPorts;
  readonly #documents: Documents;
  readonly #open = new Set<PassThrough>();
  #isClosing = false;

  constructor(ports: EventStreamPorts) {
    this.#ports = ports;
    this.#documents = new Documents(ports.executor.schema, ports.trusted);
  }

  /** Answers with the results of one operation as they come. What is refused before it has begun is an HTTP error. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#ports.contextFor(request);
    if (request.headers.authorization && !context.principal) throw new PlatformError('UNAUTHENTICATED');
    const results = await this.#results(request, context);
    const stream = new PassThrough();
    this.#open.add(stream);
    // The reader disconnected in the middle of a write.
    stream.on('error', () => {});
    const release = context.principal
      ? this.#ports.live.holdCredential(context.principal, () => this.#revoke(stream, context.requestId))
      : () => {};
    const stopPinging = ping(stream);
    stream.once('close', () => {
      this.#open.delete(stream);
      release();
      stopPinging();
      void results.return?.();
    });
    void this.#write(stream, results, context.requestId);
    // The last one is for proxies that would gather what flows.
    void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    return reply.send(stream);
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Sends everyone away, as a lost connection: clients connect again elsewhere, and to follow here is UNAVAILABLE. */
  close(): void {
    this.#isClosing = true;
    for (const stream of this.#open) stream.destroy();
  }

  async #results(request: FastifyRequest, context: RequestContext): Promise<Results> {
    const { rates, executor, trusted } = this.#ports;
    const { named, operationName, variables } = readOperation(request);
    if (!trusted && typeof named.query !== 'string') throw badInput('query', 'is required: send it as text.');
    const checked = this.#documents.check(named);
    if ('errors' in checked) return only({ errors: checked.errors });
    const { document } = checked;
    const unknown = unknownOperation(document, operationName);
    if (unknown) return only({ errors: [unknown] });
    // One was counted when the request came.
    const more = pointsOf(executor.schema, document, variables) - 1;
    if (more > 0) await rates.count('request', context.address, more);
    const operation = getOperationAST(document, operationName)?.operation;
    if (operation === 'mutation' && request.method === 'GET')
      throw badInput('query', 'is a mutation, which is sent by POST.');
    if (operation !== 'subscription')
      return only(await executor.execute({ document, operationName, variables, context }));
    // The port is open for a while yet: the server would wait for clients that reconnect.
    if (this.#isClosing) throw new PlatformError('UNAVAILABLE');
    const asked = { address: context.address, document, operationName, variables };
    const begun = await countingMisses<AsyncIterable<ExecutionResult>>(rates, asked, () =>
      executor.subscribe({ document, operationName, variables, context }),
    );
    if (!('errors' in begun)) {
      const results = begun[Symbol.asyncIterator]();
      if (!this.#isClosing) return results;
      await results.return?.();
      throw new PlatformError('UNAVAILABLE');
    }
    const passing = begun.errors.find(isPassing);
    if (passing) throw passing.originalError;
    return only({ errors: begun.errors.map(asInputError) });
  }

  /** Writes at the reader's pace; what it does not take waits in the queue of its subscription, which is bounded. */
  async #write(stream: PassThrough, results: Results, requestId: string): Promise<void> {
    const closing = new AbortController();
    stream.once('close', () => closing.abort());
    const send = async (result: ExecutionResult): Promise<void> => {
      if (!stream.writable) return;
      const isRead = stream.write(`${NEXT}${JSON.stringify(this.#ports.format(result, requestId))}\n\n`);
      if (!isRead) await once(stream, 'drain', { signal: closing.signal });
    };
    try {
      for (let { value, done } = await results.next(); !done; { value, done } = await results.next()) await send(value);
    } catch (error) {
      await send({ errors: [refusal(error as Error)] }).catch(() => {});
    }
    if (stream.writable) stream.end(COMPLETE);
  }

  #revoke(stream: PassThrough, requestId: string): void {
    const errors: GraphQLError[] = [refusal(new PlatformError('UNAUTHENTICATED', 'The credential was revoked.'))];
    if (!stream.writable) return;
    stream.end(`${NEXT}${JSON.stringify(this.#ports.format({ errors }, requestId))}\n\n${COMPLETE}`);
  }
}

/** Shows proxies that it is alive, and cuts off a reader that takes nothing from one ping to the next. */
function ping(stream: PassThrough): () => void {
  let waited = false;
  stream.write(PING);
  const timer = setInterval(() => {
    if (!stream.writableNeedDrain) stream.write(PING);
    else if (waited) stream.destroy();
    waited = stream.writableNeedDrain;
  }, LIVE_LIMITS.pingMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function* only(result: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield result;
}

function readOperation({ method, query: given, body }: FastifyRequest): Asked {
  const named = (method === 'GET' ? given : (body ?? {})) as Record<string, unknown>;
  const { operationName, variables } = named;
  return {
    named,
    operationName: typeof operationName === 'string' ? operationName : null,
    variables: readVariables(variables),
  };
}

function readVariables(given: unknown): Record<string, unknown> {
  let variables = given ?? {};
  try {
    if (typeof variables === 'string') variables = JSON.parse(variables);
  } catch {
    throw badInput('variables', 'must be JSON.');
  }
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
    throw badInput('variables', 'must be an object.');
  }
  return variables as Record<string, unknown>;
}
