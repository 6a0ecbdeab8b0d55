/**
 * The hooks of graphql-ws: who may connect, how an operation is checked, and where its results go. Queries and mutations run
 * through the shared executor. Feeds write the updates of `turnUpdated` to the sockets themselves, so the iterator of
 * that subscription yields nothing and only ends.
 */
import {
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
} from 'graphql';
import { type Context as Connection, type ServerOptions, type SubscribePayload } from 'graphql-ws';
import type { Logger } from 'pino';
import type { Executor } from '../../../../resolvers/execute.ts';
import { pointsOf } from '../../../../resolvers/limits.ts';
import type { LiveSink } from '../../../../resolvers/live.ts';
import type { RequestContext } from '../../../../resolvers/request-context.ts';
import type { AskedDocument, TrustedDocuments } from '../../../../resolvers/trusted-documents.ts';
import type { RateLimits } from '../../../auth/rate-limits.ts';
import { badInput, PlatformError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Live } from '../live.service.ts';
import { Documents } from './document.cache.ts';
import { SharedFrames } from './frame.codec.ts';
import { countingMisses } from './slug-guess.access.ts';
import { CLOSE, type LiveLimits, type Peer, type Sockets } from './socket.transport.ts';
import { asInputError, isPassing, refusal, unknownOperation } from './socket-error.rules.ts';
import type { UpdateFrame } from './update-frame.codec.ts';

/** What the protocol calls. */
export interface ProtocolPorts {
  executor: Executor;
  /** The only operations that are taken; without it, all. */
  trusted?: TrustedDocuments | undefined;
  /** Until when a caller's credential is valid, and what an update shows. */
  live: Pick<Live, 'holdCredential' | 'show'>;
  /** The caller behind an Authorization header; asked for on connect and for each operation. */
  contextFor(opening: Opening): Promise<RequestContext>;
  /** The same error table as over HTTP. */
  formatError(formatted: GraphQLFormattedError, error: GraphQLError, requestId?: string): GraphQLFormattedError;
  /** Operations count as requests do, and unknown slugs as misses. */
  rates: Pick<RateLimits, 'count' | 'lookUp'>;
  log: Logger;
}

/** What a socket's first message said. */
export interface Opening {
  authorization?: string;
  requestId: string;
  address: string;
}

type Params = Record<string, unknown>;

/** What is known of a socket beside the protocol. */
export interface Extra {
  peer: Peer;
  /** Of a page of ours: the Authorization of its session; undefined when there is none. */
  sessionOf?(params: Params | undefined): string | undefined;
}

type Operation = ExecutionArgs & { id: string; peer: Peer; contextValue: RequestContext };

const ID_CHARS = 128;

export class Protocol {
  readonly options: ServerOptions<Params, Extra>;
  readonly #ports: ProtocolPorts;
  readonly #sockets: Sockets;
  readonly #limits: LiveLimits;
  readonly #documents: Documents;
  readonly #frames: SharedFrames;
  /** By what the client sent: each operation counts as a request, and its errors name it. */
  readonly #requestIds = new WeakMap<SubscribePayload, string>();

  constructor(ports: ProtocolPorts, sockets: Sockets, limits: LiveLimits) {
    const { executor } = ports;
    this.#ports = ports;
    this.#sockets = sockets;
    this.#limits = limits;
    this.#documents = new Documents(executor.schema, ports.trusted);
    this.#frames = new SharedFrames(executor, ports.live, (result, requestId) => this.#format(result, requestId));
    this.options = {
      connectionInitWaitTimeout: limits.initTimeoutMs,
      onConnect: (connection) => this.#connect(connection),
      onSubscribe: (connection, id, payload) => this.#operation(connection, id, payload),
      subscribe: (args) => this.#subscribe(args as Operation),
      execute: ({ document, operationName, variableValues, contextValue }) =>
        executor.execute({
          document,
          operationName: operationName ?? null,
          variables: variableValues ?? {},
          context: contextValue as RequestContext,
        }),
      onNext: (_connection, _id, payload, _args, result) =>
        this.#format(result as ExecutionResult, this.#requestIds.get(payload)),
      onError: (_connection, _id, payload, errors) =>
        errors.map((error) => this.#formatError(error as GraphQLError, this.#requestIds.get(payload))),
    };
  }

  async #connect({ connectionParams, extra: { peer, sessionOf } }: Connection<Params, Extra>): Promise<boolean> {
    const header = sessionOf
      ? sessionOf(connectionParams)
      : (connectionParams?.authorization ?? connectionParams?.Authorization);
    if (sessionOf && header === undefined) {
      this.#sockets.close(peer, CLOSE.unauthorized, 'Unauthorized');
      return false;
    }
    if (typeof header === 'string' && header !== '') peer.authorization = header;
    const context = await this.#contextFor(peer);
    if (!context) return false;
    if (context.principal && this.#sockets.peers.has(peer)) {
      peer.release = this.#ports.live.holdCredential(context.principal, () => this.#sockets.revoke(peer));
    }
    return true;
  }

  /** The present caller. Undefined when the credential is invalid or cannot be looked up: the socket is closed. */
  async #contextFor(peer: Peer, requestId = newId('req')): Promise<RequestContext | undefined> {
    const { authorization, address } = peer;
    try {
      const opening = { ...(authorization ? { authorization } : {}), requestId, address };
      const context = await this.#ports.contextFor(opening);
      if (!authorization || context.principal) return context;
      this.#sockets.close(peer, CLOSE.unauthorized, 'Unauthorized');
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'live socket not authorised');
      this.#sockets.close(peer, CLOSE.tryLater, 'Try again later');
    }
    return undefined;
  }

  async #operation(
    { subscriptions, extra: { peer } }: Connection<Params, Extra>,
    id: string,
    payload: SubscribePayload,
  ): Promise<Operation | readonly GraphQLError[]> {
    const requestId = newId('req');
    this.#requestIds.set(payload, requestId);
    if (id.length > ID_CHARS) {
      this.#sockets.close(peer, CLOSE.badRequest, 'The id is too long');
      return [refusal(badInput('id', 'is too long.'))];
    }
    if (Object.keys(subscriptions).length > this.#limits.subscriptionsPerSocket) {
      return [refusal(new PlatformError('RATE_LIMITED', 'Too many operations at once on one socket.'))];
    }
    try {
      await this.#ports.rates.count('request', peer.address);
    } catch (error) {
      return [refusal(error as Error)];
    }
    const context = await this.#contextFor(peer, requestId);
    if (!context) return [refusal(new PlatformError('UNAUTHENTICATED'))];
    const checked = this.#documents.check(payload as AskedDocument);
    if ('errors' in checked) return checked.errors;
    const unknown = unknownOperation(checked.document, payload.operationName);
    if (unknown) return [unknown];
    const { schema } = this.#ports.executor;
    try {
      // One point was counted when the message came, before its document was read.
      const more = pointsOf(schema, checked.document, payload.variables ?? {}) - 1;
      if (more > 0) await this.#ports.rates.count('request', peer.address, more);
    } catch (error) {
      return [refusal(error as Error)];
    }
    return {
      id,
      peer,
      schema,
      document: checked.document,
      operationName: payload.operationName ?? null,
      variableValues: payload.variables ?? {},
      contextValue: context,
    };
  }

  async #subscribe(operation: Operation): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
    const { id, peer, document, operationName = null, contextValue: context } = operation;
    const variables = operation.variableValues as Record<string, unknown>;
    const encoder = this.#frames.encoderOf({ document, operationName, variables, context });
    const asked = { address: peer.address, document, operationName, variables };
    try {
      // Of other subscriptions each viewer's updates are its own.
      const mine = encoder ? { ...context, sink: new SocketSink(this.#sockets, peer, id, encoder) } : context;
      const begun = await countingMisses<AsyncIterable<ExecutionResult>>(this.#ports.rates, asked, () =>
        this.#ports.executor.subscribe({ document, operationName, variables, context: mine }),
      );
      return 'errors' in begun ? this.#refused(peer, begun.errors) : begun;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return { errors: [refusal(error)] };
    }
  }

  #refused(peer: Peer, errors: readonly GraphQLError[]): ExecutionResult {
    // The stock client connects again after this; an error would be final to it.
    if (errors.some(isPassing)) this.#sockets.close(peer, CLOSE.tryLater, 'Try again later');
    return { errors: errors.map(asInputError) };
  }

  #format({ errors, ...result }: ExecutionResult, requestId?: string): FormattedExecutionResult {
    return { ...result, ...(errors ? { errors: errors.map((error) => this.#formatError(error, requestId)) } : {}) };
  }

  #formatError(error: GraphQLError, requestId?: string): GraphQLFormattedError {
    return this.#ports.formatError(error.toJSON(), error, requestId);
  }
}

/** A viewer's socket. Nothing is queued besides its own buffer. */
class SocketSink implements LiveSink<UpdateFrame> {
  readonly encoder: LiveSink<UpdateFrame>['encoder'];
  readonly #sockets: Sockets;
  readonly #peer: Peer;
  readonly #socket: Peer['socket'];
  readonly #stream: Peer['stream'];
  readonly #head: Buffer;

  constructor(sockets: Sockets, peer: Peer, id: string, encoder: LiveSink<UpdateFrame>['encoder']) {
    this.encoder = encoder;
    this.#sockets = sockets;
    this.#peer = peer;
    this.#socket = peer.socket;
    this.#stream = peer.stream;
    this.#head = Buffer.from(`{"id":${JSON.stringify(id)}`);
  }

  deliver(frame: UpdateFrame): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    frame.write(this.#stream, this.#head);
    if (!this.#sockets.isSlow(this.#stream)) return true;
    this.#sockets.closeSlow(this.#peer);
    return false;
  }

  /** An unsolicited pong is allowed; its callback comes when everything before it was written. */
  async drained(): Promise<void> {
    if (this.#stream.writableLength === 0) return;
    await new Promise<void>((resolve) => this.#socket.pong(undefined, undefined, () => resolve()));
  }

  revoked(): void {
    this.#sockets.revoke(this.#peer);
  }
}
