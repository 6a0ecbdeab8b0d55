/** Which methods an address takes: another one gets a 405 with `Allow` instead of a 404. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

interface Known {
  pattern: RegExp;
  methods: Set<string>;
}

const quoted = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** An address as a route writes it (`/avatars/:avatarId`, `/media/*`) as a pattern of paths. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split(/(:\w+|\*)/)
      .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : quoted(part)))
      .join('')}$`,
  );

/**
 * Collects every route that is mounted from now on. The returned function gives the methods of a request's address, where that
 * address exists but not with the request's method; else undefined.
 */
export function trackMethods(fastify: FastifyInstance): (request: FastifyRequest) => string | undefined {
  const known = new Map<string, Known>();
  fastify.addHook('onRoute', ({ url, method }) => {
    // The route that answers every OPTIONS does not make an address exist.
    if (url === '*') return;
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) entry.methods.add(one);
    known.set(url, entry);
  });
  return ({ method, url }) => {
    const [path = ''] = url.split('?');
    const methods = new Set<string>();
    for (const entry of known.values()) {
      if (entry.pattern.test(path)) for (const one of entry.methods) methods.add(one);
    }
    if (methods.size === 0 || methods.has(method)) return undefined;
    // OPTIONS is answered at every address.
    return [...methods, 'OPTIONS'].sort().join(', ');
  };
}
