/**
 * Files that people bring: `PUT /uploads/{id}` takes the bytes of one at the address that `createUpload` gave, which is the
 * permission; `POST /uploads` takes a form with a `file` from whoever may ask for such an address.
 */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'graphql';
import type { Context } from '../../resolvers/context.ts';
import { firstError } from '../../rest-compat/errors.ts';
import { refuseUnknown } from '../../rest-compat/variables.ts';
import type { PendingUpload } from '../../schema/upload.ts';
import type { App } from '../app/app.ts';
import { ruleOf } from '../auth/allow.ts';
import { admit } from '../auth/principal.ts';
import { badInput } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import { UPLOAD_FORM } from '../kernel/multipart.ts';

const OPERATION = parse('mutation { createUpload { uploadId uploadUrl } }');

export function mountUploads(
  root: FastifyInstance,
  app: App,
  contextFor: (request: FastifyRequest) => Promise<Context>,
): void {
  void root.register(async (fastify) => {
    fastify.removeAllContentTypeParsers();
    // Whatever it says it is: a decoder tells.
    fastify.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LIMITS.uploadBytes }, (_request, body, done) =>
      done(null, body),
    );
    fastify.put<{ Params: { uploadId: string }; Querystring: { token?: unknown }; Body: Buffer | undefined }>(
      '/uploads/:uploadId',
      async (request, reply) => {
        const { token } = request.query;
        const bytes = request.body ?? new Uint8Array();
        const made = await app.services.uploads.receive(request.params.uploadId, String(token ?? ''), bytes);
        return reply.header('cache-control', 'no-store').send(made);
      },
    );
  });
  void root.register(async (fastify) => {
    await fastify.register(multipart, UPLOAD_FORM);
    const callers = new WeakMap<FastifyRequest, Context>();
    fastify.post('/uploads', {
      // Before a form of megabytes is read.
      onRequest: async (request) => {
        const context = await contextFor(request);
        const rule = ruleOf('createUpload');
        if (rule) admit(rule, context.principal);
        callers.set(request, context);
      },
      handler: async (request, reply) => {
        const fields = (request.body ?? {}) as Record<string, unknown>;
        refuseUnknown('', fields, ['file']);
        const { file } = fields;
        if (!(file instanceof Uint8Array)) throw badInput('file', 'must be a file of a multipart form.');
        const context = callers.get(request);
        if (!context) throw new Error('The caller was not admitted.');
        const result = await app.executor.execute({ document: OPERATION, variables: {}, context });
        const error = firstError(result);
        if (error) throw error;
        const pending = result.data?.createUpload as PendingUpload | undefined;
        if (!pending) throw new Error('No address was given.');
        const { uploadId, uploadUrl } = pending;
        const token = new URL(uploadUrl).searchParams.get('token') ?? '';
        const made = await app.services.uploads.receive(uploadId, token, file);
        return reply.header('cache-control', 'no-store').send(made);
      },
    });
  });
}
