/**
 * Files that people bring: `PUT /uploads/{id}` takes the bytes of one at the address that `createUpload` gave, which is the
 * permission; `POST /uploads` takes a form with a `file` from whoever may ask for such an address.
 */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse } from 'graphql';
import type { Context } from '../../resolvers/context.ts';
import { firstError } from '../../rest-compat/errors.ts';
import { refuseUnknown } from '../../rest-compat/variables.ts';
import type { PendingUpload } from '../../schema/upload.ts';
import type { App } from '../app/app.ts';
import { ruleOf } from '../auth/allow.ts';
import { authorize } from '../auth/principal.ts';
import { badInput, PlatformError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import { UPLOAD_FORM } from '../kernel/multipart.ts';
import type { OperationRunner } from './graphql.ts';

/** Of uploads on their way or being written anew, in this process. */
const MOST_BYTES = 8 * LIMITS.uploadBytes;
const MOST_OF_OWNER = 2;
const RETRY_AFTER_S = 5;

const OPERATION = parse('mutation { createUpload { uploadId uploadUrl } }');

export function mountUploads(root: FastifyInstance, app: App, { executor, contextFor }: OperationRunner): void {
  const slots = new UploadSlots(app.config.RATE_LIMITS === 'on' ? MOST_OF_OWNER : Number.POSITIVE_INFINITY);
  const reserveUpload = async (owner: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await app.limits.count('upload', owner);
    slots.hold(owner, request, reply);
  };
  void root.register(async (fastify) => {
    fastify.removeAllContentTypeParsers();
    // Whatever it says it is: a decoder tells.
    fastify.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LIMITS.uploadBytes }, (_request, body, done) =>
      done(null, body),
    );
    type Sent = { Params: { uploadId: string }; Querystring: { token?: unknown }; Body: Buffer | undefined };
    fastify.put<Sent>('/uploads/:uploadId', {
      // Before megabytes are read.
      onRequest: async (request, reply) => {
        const owner = await app.services.uploads.ownerOf(request.params.uploadId, String(request.query.token ?? ''));
        await reserveUpload(owner, request, reply);
      },
      handler: async (request, reply) => {
        const token = String(request.query.token ?? '');
        const bytes = request.body ?? new Uint8Array();
        const made = await app.services.uploads.receive(request.params.uploadId, token, bytes, untilClosed(reply));
        return reply.header('cache-control', 'no-store').send(made);
      },
    });
  });
  void root.register(async (fastify) => {
    await fastify.register(multipart, UPLOAD_FORM);
    const callers = new WeakMap<FastifyRequest, Context>();
    fastify.post('/uploads', {
      // Before a form of megabytes is read.
      onRequest: async (request, reply) => {
        const context = await contextFor(request);
        const rule = ruleOf('createUpload');
        if (rule) authorize(rule, context.principal);
        if (context.principal) await reserveUpload(context.principal.userId, request, reply);
        callers.set(request, context);
      },
      handler: async (request, reply) => {
        const fields = (request.body ?? {}) as Record<string, unknown>;
        refuseUnknown('', fields, ['file']);
        const { file } = fields;
        if (!(file instanceof Uint8Array)) throw badInput('file', 'must be a file of a multipart form.');
        const context = callers.get(request);
        if (!context) throw new Error('The caller was not admitted.');
        const result = await executor.execute({ document: OPERATION, variables: {}, context });
        const error = firstError(result);
        if (error) throw error;
        const pending = result.data?.createUpload as PendingUpload | undefined;
        if (!pending) throw new Error('No address was given.');
        const { uploadId, uploadUrl } = pending;
        const token = new URL(uploadUrl).searchParams.get('token') ?? '';
        const made = await app.services.uploads.receive(uploadId, token, file, untilClosed(reply));
        return reply.header('cache-control', 'no-store').send(made);
      },
    });
  });
}

/** Aborts when the answer was sent or its caller hung up. */
function untilClosed({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController();
  const abort = () => closing.abort(new PlatformError('UNAVAILABLE'));
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return closing.signal;
}

/** Room for uploads, held from the headers to the end of the answer. */
class UploadSlots {
  readonly #mostOfOwner: number;
  readonly #ofOwner = new Map<string, number>();
  #bytes = 0;

  constructor(mostOfOwner: number) {
    this.#mostOfOwner = mostOfOwner;
  }

  /** Throws RATE_LIMITED when the owner has too many already, UNAVAILABLE when all owners together have. */
  hold(owner: string, { headers }: FastifyRequest, { raw }: FastifyReply): void {
    const details = { retryAfterSeconds: RETRY_AFTER_S };
    const already = this.#ofOwner.get(owner) ?? 0;
    if (already >= this.#mostOfOwner)
      throw new PlatformError('RATE_LIMITED', 'Too many uploads at once: try again later.', { details });
    const bytes = Math.min(Number(headers['content-length'] ?? LIMITS.uploadBytes), LIMITS.uploadBytes);
    if (this.#bytes + bytes > MOST_BYTES)
      throw new PlatformError('UNAVAILABLE', 'Too much is being uploaded: try again later.', { details });
    if (raw.destroyed) throw new PlatformError('UNAVAILABLE');
    this.#ofOwner.set(owner, already + 1);
    this.#bytes += bytes;
    raw.once('close', () => {
      const left = (this.#ofOwner.get(owner) ?? 0) - 1;
      if (left > 0) this.#ofOwner.set(owner, left);
      else this.#ofOwner.delete(owner);
      this.#bytes -= bytes;
    });
  }
}
