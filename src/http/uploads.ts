/** `PUT /uploads/{id}`: the bytes of one image, at the address that `createUpload` gave. The address is the permission. */
import type { FastifyInstance } from 'fastify';
import type { App } from '../app/app.ts';
import { LIMITS } from '../kernel/limits.ts';

export function mountUploads(root: FastifyInstance, app: App): void {
  void root.register(async (fastify) => {
    fastify.removeAllContentTypeParsers();
    // Whatever it says it is: a decoder tells.
    fastify.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LIMITS.imageBytes }, (_request, body, done) =>
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
}
