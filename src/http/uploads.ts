/**
 * Uploads: `PUT /uploads/{id}` takes the bytes of one at the address that `createUpload` gave, which is the
 * permission; `POST /uploads` takes a form with a `file` from callers that may ask for such an address. Both are written to disk
 * as they come.
 */
import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse } from 'graphql';
import type { RequestContext } from '../../resolvers/request-context.ts';
import { firstError } from '../../rest-compat/errors.ts';
import { refuseUnknown } from '../../rest-compat/variables.ts';
import type { PendingUpload, UploadedImage } from '../../schema/upload.ts';
import type { App } from '../app/app.ts';
import { ruleOf } from '../auth/allow.ts';
import { authorize } from '../auth/principal.ts';
import { badInput, busy, PlatformError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import { FORM_BYTES, UPLOAD_FORM } from '../kernel/multipart.ts';
import type { OperationRunner } from './graphql.ts';

/** Most bytes of uploads that arrive or are re-encoded, on the disk of this process. */
const MOST_BYTES = 8 * LIMITS.uploadBytes;
/** Room is taken in steps of so many bytes: one as an upload begins, the next when that is written. What was only announced takes none. */
const STEP_BYTES = 8 * 1024 * 1024;
const MOST_OF_OWNER = 2;
const RETRY_AFTER_S = 5;

const OPERATION = parse('mutation { createUpload { uploadId uploadUrl } }');

/** Mounts both ways of sending a file. */
export function mountUploads(root: FastifyInstance, app: App, { executor, contextFor }: OperationRunner): void {
  const receiver = new UploadReceiver(app);
  void root.register(async (fastify) => mountAddressed(fastify, app, receiver));
  void root.register((fastify) => mountForm(fastify, receiver, { executor, contextFor }));
}

/** `PUT /uploads/{id}?token=`: the body is the file. */
function mountAddressed(fastify: FastifyInstance, { services: { uploads } }: App, receiver: UploadReceiver): void {
  fastify.removeAllContentTypeParsers();
  // The declared type is ignored: a decoder finds the real one.
  fastify.addContentTypeParser('*', (_request, body, done) => done(null, body));
  type Sent = { Params: { uploadId: string }; Querystring: { token?: unknown }; Body: Readable | undefined };
  const tokenOf = ({ query }: FastifyRequest<Sent>): string => String(query.token ?? '');
  fastify.put<Sent>('/uploads/:uploadId', {
    // Before megabytes are read.
    onRequest: async (request, reply) => {
      if (announcedBytes(request) > LIMITS.uploadBytes) throw new PlatformError('TOO_LARGE');
      const owner = await uploads.ownerOf(request.params.uploadId, tokenOf(request));
      await receiver.reserve(owner, request, reply);
    },
    handler: async (request, reply) => {
      const { uploadId } = request.params;
      const address = { uploadId, token: tokenOf(request) };
      const bytes = piecesOf(request.body, reply);
      const made = await receiver.receive(request, reply, { bytes, announced: announcedBytes(request) }, () => address);
      return reply.header('cache-control', 'no-store').send(made);
    },
  });
}

/** `POST /uploads`: a form with one `file`, from a caller that may ask for an address. */
async function mountForm(
  fastify: FastifyInstance,
  receiver: UploadReceiver,
  { executor, contextFor }: OperationRunner,
): Promise<void> {
  await fastify.register(multipart, UPLOAD_FORM);
  const callers = new WeakMap<FastifyRequest, RequestContext>();
  fastify.post('/uploads', {
    // Before a form of megabytes is read.
    onRequest: async (request, reply) => {
      const context = await contextFor(request);
      const rule = ruleOf('createUpload');
      if (rule) authorize(rule, context.principal);
      if (announcedBytes(request) > LIMITS.uploadBytes + FORM_BYTES) throw new PlatformError('TOO_LARGE');
      if (context.principal) await receiver.reserve(context.principal.userId, request, reply);
      callers.set(request, context);
    },
    handler: async (request, reply) => {
      const context = callers.get(request);
      if (!context) throw new Error('The caller was not admitted.');
      const announced = Math.max(0, announcedBytes(request) - FORM_BYTES);
      let made: UploadedImage | undefined;
      for await (const part of request.parts()) {
        refuseUnknown('', { [part.fieldname]: true }, ['file']);
        if (part.type !== 'file') throw badInput('file', 'must be a file of a multipart form.');
        const body = { bytes: part.file, announced };
        made = await receiver.receive(request, reply, body, () => createAddress(executor, context));
      }
      if (!made) throw badInput('file', 'must be a file of a multipart form.');
      return reply.header('cache-control', 'no-store').send(made);
    },
  });
}

/** An upload and the token that permits it. */
interface UploadAddress {
  uploadId: string;
  token: string;
}

/** Made by the same mutation that clients use, so that the same rules hold. */
async function createAddress(executor: OperationRunner['executor'], context: RequestContext): Promise<UploadAddress> {
  const result = await executor.execute({ document: OPERATION, variables: {}, context });
  const error = firstError(result);
  if (error) throw error;
  const pending = result.data?.createUpload as PendingUpload | undefined;
  if (!pending) throw new Error('No address was given.');
  return { uploadId: pending.uploadId, token: new URL(pending.uploadUrl).searchParams.get('token') ?? '' };
}

/** Takes the bytes of uploads within the limits of rate, number and size. */
class UploadReceiver {
  readonly #app: Pick<App, 'limits' | 'services'>;
  readonly #slots: UploadSlots;

  constructor(app: App) {
    this.#app = app;
    this.#slots = new UploadSlots(app.config.RATE_LIMITS === 'on' ? MOST_OF_OWNER : Number.POSITIVE_INFINITY);
  }

  /** Takes room for a request until it is answered. Throws RATE_LIMITED or UNAVAILABLE. */
  async reserve(owner: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#app.limits.count('upload', owner);
    this.#slots.hold(owner, request, reply);
  }

  /**
   * Writes a file of a request that has room to disk, and then keeps it as the upload of an address; that is asked for once all of
   * the file is there. The written file is removed, whatever becomes of the upload.
   */
  async receive(
    request: FastifyRequest,
    reply: FastifyReply,
    { bytes, announced }: { bytes: AsyncIterable<Uint8Array>; announced: number },
    addressOf: () => UploadAddress | Promise<UploadAddress>,
  ): Promise<UploadedImage> {
    const { uploads } = this.#app.services;
    const file = await uploads.spool(this.#slots.fill(request, bytes), announced);
    try {
      const { uploadId, token } = await addressOf();
      return await uploads.receive(uploadId, token, file, untilClosed(reply));
    } finally {
      await file.close();
    }
  }
}

const announcedBytes = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

/** Bytes of a body as they arrive. A caller that is refused while it sends gets its answer: the rest of the body is discarded. */
async function* piecesOf(body: Readable | undefined, reply: FastifyReply): AsyncGenerator<Uint8Array> {
  if (!body) return;
  // Without a length it is unknown how much would be discarded.
  if (reply.request.headers['content-length'] === undefined) void reply.header('connection', 'close');
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw reply.raw.destroyed ? new PlatformError('UNAVAILABLE', undefined, { cause: error }) : error;
  }
}

/** Aborts when the answer was sent or its caller hung up. */
function untilClosed({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController();
  const abort = () => closing.abort(new PlatformError('UNAVAILABLE'));
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return closing.signal;
}

/** Room for uploads, taken as they are written and held to the end of the answer. */
class UploadSlots {
  readonly #mostOfOwner: number;
  readonly #ofOwner = new Map<string, number>();
  readonly #open = new WeakMap<FastifyRequest, { bytes: number }>();
  #bytes = 0;

  constructor(mostOfOwner: number) {
    this.#mostOfOwner = mostOfOwner;
  }

  /** Throws RATE_LIMITED when the owner has too many already, UNAVAILABLE when all owners together have. */
  hold(owner: string, request: FastifyRequest, { raw }: FastifyReply): void {
    const already = this.#ofOwner.get(owner) ?? 0;
    if (already >= this.#mostOfOwner)
      throw new PlatformError('RATE_LIMITED', 'Too many uploads at once: try again later.', {
        details: { retryAfterSeconds: RETRY_AFTER_S },
      });
    if (raw.destroyed) throw new PlatformError('UNAVAILABLE');
    const room = { bytes: 0 };
    this.#grow(room, Math.min(announcedBytes(request) || STEP_BYTES, STEP_BYTES));
    this.#ofOwner.set(owner, already + 1);
    this.#open.set(request, room);
    raw.once('close', () => {
      this.#open.delete(request);
      const left = (this.#ofOwner.get(owner) ?? 0) - 1;
      if (left > 0) this.#ofOwner.set(owner, left);
      else this.#ofOwner.delete(owner);
      this.#bytes -= room.bytes;
    });
  }

  /** The bytes of an upload that is held, counted. Throws UNAVAILABLE when all owners together have too many. */
  async *fill(request: FastifyRequest, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let written = 0;
    for await (const piece of pieces) {
      const room = this.#open.get(request);
      // There is no client left to answer.
      if (!room) throw new PlatformError('UNAVAILABLE');
      written += piece.length;
      while (written > room.bytes) this.#grow(room, STEP_BYTES);
      yield piece;
    }
  }

  #grow(room: { bytes: number }, bytes: number): void {
    if (this.#bytes + bytes > MOST_BYTES) throw busy('Too much is being uploaded: try again later.');
    room.bytes += bytes;
    this.#bytes += bytes;
  }
}
