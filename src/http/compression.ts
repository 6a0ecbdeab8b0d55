/**
 * Compression of texts: JSON and pages, as Brotli or gzip, whichever the caller takes. Media are small already, files of the
 * pages come compressed, and what flows (sockets, streams) is left alone.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Bytes below which JSON is not compressed. A poll of 20 turns is below it: compressing would raise its 370 µs to 430, and every
 * waiting client polls each two seconds.
 */
const LEAST_JSON_BYTES = 16 * 1024;
/** The same of pages, which are not polled: what fits into one packet stays as it is. */
const LEAST_TEXT_BYTES = 1_400;
const TEXT = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?:html|plain|markdown|css|javascript)|image\/svg\+xml)\b/;

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Brotli at quality 1 compresses JSON as well as gzip at 6, in half the time. */
const QUALITY = 1;
const ENCODERS = {
  br: (body: string | Buffer) => asBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  gzip: (body: string | Buffer) => asGzip(body),
} as const;

/** The encoding to use of those in `Accept-Encoding`, Brotli first; `;q=0` refuses one. */
function encodingOf(accepted: string): keyof typeof ENCODERS | undefined {
  const taken = new Set(
    accepted
      .split(',')
      .map((part) =>
        part
          .trim()
          .toLowerCase()
          .split(/\s*;\s*/),
      )
      .filter(([, weight]) => !/^q=0(?:\.0*)?$/.test(weight ?? ''))
      .map(([name]) => name),
  );
  return (['br', 'gzip'] as const).find((name) => taken.has(name));
}

function isCompressible(request: FastifyRequest, reply: FastifyReply, bytes: number): boolean {
  const type = String(reply.getHeader('content-type') ?? '');
  if (bytes < (type.startsWith('text/') ? LEAST_TEXT_BYTES : LEAST_JSON_BYTES)) return false;
  if (!TEXT.test(type) || reply.hasHeader('content-encoding')) return false;
  // A page behind a sign-in holds secrets as well as words of its address: compressed, its length could reveal them (BREACH).
  return !(type.startsWith('text/html') && request.headers.cookie !== undefined);
}

/** Compresses from now on what is worth it. The hook has a callback: a promise for each would cost a poll some microseconds. */
export function compressTexts(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isText || payload.length < LEAST_TEXT_BYTES || !isCompressible(request, reply, payload.length)) {
      return done(null, payload);
    }
    const vary = reply.getHeader('vary');
    void reply.header('vary', vary ? `${String(vary)}, accept-encoding` : 'accept-encoding');
    const encoding = encodingOf(String(request.headers['accept-encoding'] ?? ''));
    if (!encoding || request.method === 'HEAD') return done(null, payload);
    ENCODERS[encoding](payload).then(
      (body) => {
        void reply.header('content-encoding', encoding).removeHeader('content-length');
        // The same content in other bytes: the tag becomes a weak one.
        const tag = reply.getHeader('etag');
        if (typeof tag === 'string' && !tag.startsWith('W/')) void reply.header('etag', `W/${tag}`);
        done(null, body);
      },
      (error: Error) => done(error),
    );
  });
}
