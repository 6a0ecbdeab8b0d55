/**
 * Two small servers that speak what mem0 and supermemory document, as far as the platform uses it. They match by
 * shared words. `fault` makes them misbehave; `careless` makes them ignore every filter, as a broken one would.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';

interface Stored {
  id: string;
  text: string;
  tags: Record<string, string>;
}

export interface FakeSystem {
  url: string;
  stored: Stored[];
  fault: '' | 'down' | 'hang' | 'html' | 'redirect';
  careless: boolean;
  /** Memories it still takes before it answers 503, once; 0: no limit. */
  breaksAfter: number;
  /** False: what it takes is not found yet. */
  indexes: boolean;
  stop(): Promise<void>;
}

type Answer = { status?: number; body: unknown };
type Handler = (system: FakeSystem, request: IncomingMessage, url: URL, body: Record<string, any>) => Answer;

let ids = 0;
/** Never one that was given before: the platform remembers them. */
const nextId = (): number => {
  ids += 1;
  return ids;
};
const words = (text: string): string[] => text.toLowerCase().match(/\w+/g) ?? [];
const score = (query: string, text: string): number =>
  words(query).filter((word) => words(text).includes(word)).length / Math.max(1, words(query).length);

function found(system: FakeSystem, query: string, fits: (tags: Stored['tags']) => boolean, limit: number) {
  return system.stored
    .filter(({ tags }) => system.indexes && (system.careless || fits(tags)))
    .map((memory) => ({ ...memory, score: score(query, memory.text) }))
    .filter((memory) => memory.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
const drop = (system: FakeSystem, fits: (tags: Stored['tags']) => boolean): void => {
  system.stored = system.stored.filter(({ tags }) => !fits(tags));
};
const covers = (filters: Record<string, string>) => (tags: Stored['tags']) =>
  Object.entries(filters).every(([key, value]) => tags[key] === value);

const mem0: Handler = (system, request, url, body) => {
  if (request.headers['x-api-key'] !== 'right-key') return { status: 401, body: { detail: 'no' } };
  if (request.method === 'POST' && url.pathname === '/memories') {
    if (body.infer !== false) return { body: { results: [] } };
    const { agent_id, run_id, user_id } = body;
    const id = `m0-${nextId()}`;
    system.stored.push({ id, text: body.messages[0].content, tags: { agent_id, run_id, user_id } });
    return { body: { results: [{ id, memory: body.messages[0].content, event: 'ADD' }] } };
  }
  if (request.method === 'POST' && url.pathname === '/search') {
    const hits = found(system, body.query, covers(body.filters), body.top_k);
    return { body: { results: hits.map(({ id, text, score }) => ({ id, memory: text, score })) } };
  }
  if (request.method === 'DELETE' && url.pathname === '/memories') {
    drop(system, covers(Object.fromEntries(url.searchParams)));
    return { body: { message: 'All relevant memories deleted' } };
  }
  return { status: 404, body: {} };
};

const supermemory: Handler = (system, request, url, body) => {
  if (request.headers.authorization !== 'Bearer right-key') return { status: 401, body: { error: 'no' } };
  if (request.method === 'POST' && url.pathname === '/v3/documents') {
    if (!/^[a-zA-Z0-9_:-]{1,100}$/.test(body.containerTag)) return { status: 400, body: { error: 'containerTag' } };
    const id = `doc${nextId()}`;
    system.stored.push({ id, text: body.content, tags: { ...body.metadata, containerTag: body.containerTag } });
    return { body: { id, status: 'queued' } };
  }
  if (request.method === 'POST' && url.pathname === '/v4/search') {
    const spaces = body.filters?.OR.map((filter: { value: string }) => filter.value);
    const fits = (tags: Stored['tags']) =>
      tags.containerTag === body.containerTag && (!spaces || spaces.includes(tags.space));
    const hits = found(system, body.q, fits, body.limit);
    return {
      body: {
        results: hits.map(({ id, text, score }) => ({
          id: `x${id}`,
          memory: text,
          similarity: score,
          documents: [{ id }],
        })),
      },
    };
  }
  if (request.method === 'DELETE' && url.pathname === '/v3/documents/bulk') {
    drop(system, ({ containerTag }) => body.containerTags.includes(containerTag));
    return { body: { success: true } };
  }
  return { status: 404, body: {} };
};

async function start(handle: Handler): Promise<FakeSystem> {
  const system: FakeSystem = {
    url: '',
    stored: [],
    fault: '',
    careless: false,
    breaksAfter: 0,
    indexes: true,
    stop: async () => {},
  };
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    if (system.fault === 'hang') return;
    if (system.fault === 'down') return void response.writeHead(503).end('{"detail":"password=hunter2"}');
    if (system.fault === 'html') return void response.end('<html>');
    if (system.fault === 'redirect') return void response.writeHead(307, { location: '/elsewhere' }).end();
    const before = system.stored.length;
    if (system.breaksAfter < 0) {
      system.breaksAfter = 0;
      return void response.writeHead(503).end('{}');
    }
    const { status = 200, body } = handle(
      system,
      request,
      new URL(request.url!, 'http://x'),
      text ? JSON.parse(text) : {},
    );
    if (system.breaksAfter > 0 && system.stored.length > before) {
      system.breaksAfter -= 1;
      if (system.breaksAfter === 0) system.breaksAfter = -1;
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  system.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  system.stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return system;
}

export const startMem0 = (): Promise<FakeSystem> => start(mem0);
export const startSupermemory = (): Promise<FakeSystem> => start(supermemory);
