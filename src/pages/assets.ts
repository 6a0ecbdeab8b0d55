/**
 * What the pages run and wear: the bundles that the build puts into dist/src/pages/assets. Each is served under a name
 * with the hash of its content, cached for good; `/embed.js` alone keeps one address, because others write it into
 * their pages.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { built } from '../kernel/built.ts';

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  woff: 'font/woff',
  png: 'image/png',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  json: 'application/json',
};
/** Already small; compressing them again costs and gains nothing. */
const PACKED = new Set(['woff2', 'woff', 'png', 'webp']);

/** A built file, also compressed where that helps. */
export interface Asset {
  type: string;
  body: Buffer;
  /** Compressed when it is first asked for; undefined where that gains nothing. */
  readonly gzipped: Buffer | undefined;
  hash: string;
}

/** The built files of the pages. */
export interface Assets {
  /** Address of a bundle by its plain name, e.g. `live.js`. Throws when the build did not make it. */
  url(name: string): string;
  mount(fastify: FastifyInstance): void;
}

/** Reads a built file. */
export function readAsset(file: string): Asset {
  const body = readFileSync(file);
  const extension = file.slice(file.lastIndexOf('.') + 1);
  let gzipped: Buffer | undefined;
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    body,
    get gzipped() {
      if (!PACKED.has(extension)) gzipped ??= gzipSync(body);
      return gzipped;
    },
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 10),
  };
}

/** Sends it, compressed where the client takes that, or 304. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, cache: string): FastifyReply {
  void reply
    .header('content-type', asset.type)
    .header('cache-control', cache)
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('vary', 'accept-encoding');
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!takesGzip || !asset.gzipped) return reply.send(asset.body);
  return reply.header('content-encoding', 'gzip').send(asset.gzipped);
}

/** Reads all built files; their addresses contain a hash. */
export function openAssets(sitePath: string): Assets {
  const dir = fileURLToPath(built('src/pages/assets/'));
  const byName = new Map(readdirSync(dir).map((name) => [name, readAsset(dir + name)]));
  const hashed = (name: string): string => name.replace(/\.(\w+)$/, `.${byName.get(name)!.hash}.$1`);
  const byAddress = new Map(
    [...byName].flatMap(([name, asset]) => [[name, asset] as const, [hashed(name), asset] as const]),
  );
  return {
    url(name) {
      if (!byName.has(name)) throw new Error(`The build made no ${name}: run npm run build.`);
      return `${sitePath}/assets/${hashed(name)}`;
    },
    mount(fastify) {
      fastify.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
        const asset = byAddress.get(request.params.name);
        // Fonts carry a hash in the name that the bundler gave them; a plain bundle name may change its content.
        const isFixed = !byName.has(request.params.name) || PACKED.has(request.params.name.split('.').at(-1)!);
        if (!asset) return reply.callNotFound();
        return sendAsset(request, reply, asset, isFixed ? 'public, max-age=31536000, immutable' : 'no-cache');
      });
      fastify.get('/embed.js', (request, reply) => {
        const asset = byName.get('embed.js');
        return asset ? sendAsset(request, reply, asset, 'public, max-age=3600') : reply.callNotFound();
      });
    },
  };
}
