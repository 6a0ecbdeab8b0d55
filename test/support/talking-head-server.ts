/**
 * A server that makes talking heads by three protocols, each as its documentation describes it: fal's queue, Replicate's
 * predictions, and our own one of docs/engines/talking-head.md. It keeps what it is given; tests turn its knobs.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

export interface TalkingHeadServer {
  url: string;
  /** `host:port`, for FETCH_ALLOW_HOSTS: finished files lie here. */
  host: string;
  /** Method and path of every request, in order. */
  requests: string[];
  keys: Set<string | undefined>;
  /** What each order came with: fields by name, files as their bytes. */
  orders: Record<string, unknown>[];
  cancelled: number;
  /** What is made next. */
  video: Uint8Array;
  /** How often it is reported to be under way before it is there. */
  pendingLooks: number;
  /** Ends what it took in an error. */
  breaks: boolean;
  /** Refuses orders with this status. */
  refuse: number | undefined;
  /** Looks that are answered with 503 before it goes on. */
  awayLooks: number;
  /** How these looks are answered before it goes on: a line that breaks within the answer, a gateway's page, a failure of its own. */
  poorLooks: { how: 'broken' | 'page' | 'failure'; times: number };
  /** fal: what it took ends as an error of the queue, with this status. */
  queueError: number | undefined;
  /** Our own protocol: the video at once, and no job. */
  isInstant: boolean;
  /** Orders are taken, and the line breaks before they are answered. */
  losesAnswers: boolean;
  /** Pages of Replicate's list that are filled by newer predictions of others. */
  newerPages: number;
  /** Sends without end what it has made. */
  isEndless: boolean;
  close(): Promise<void>;
}

/** A data address as its bytes. */
const bytesOf = (text: unknown): Buffer | undefined => {
  const [, data] = /^data:[\w/]+;base64,(.+)$/.exec(String(text)) ?? [];
  return data ? Buffer.from(data, 'base64') : undefined;
};

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = Buffer.concat(await request.toArray());
  const { 'content-type': type = '' } = request.headers;
  if (body.length === 0) return {};
  if (type.startsWith('application/json')) return JSON.parse(body.toString());
  const fields: Record<string, unknown> = {};
  for (const [name, value] of await new Response(body, { headers: { 'content-type': type } }).formData())
    fields[name] = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer());
  return fields;
}

function* endless() {
  for (;;) yield Buffer.alloc(1 << 20);
}

interface Answer {
  status: number;
  body?: object;
  headers?: Record<string, string>;
  video?: boolean;
}

export async function openTalkingHeadServer(): Promise<TalkingHeadServer> {
  const state: TalkingHeadServer = {
    url: '',
    host: '',
    requests: [],
    keys: new Set(),
    orders: [],
    cancelled: 0,
    video: new Uint8Array(),
    pendingLooks: 1,
    breaks: false,
    refuse: undefined,
    awayLooks: 0,
    poorLooks: { how: 'page', times: 0 },
    queueError: undefined,
    isInstant: false,
    losesAnswers: false,
    newerPages: 0,
    isEndless: false,
    close: async () => {},
  };
  const files = new Map<string, unknown>();
  let looks = 0;
  const order = (given: Record<string, unknown>, answer: Answer): Answer => {
    if (state.refuse) return { status: state.refuse, body: { detail: 'not with this face' } };
    looks = 0;
    const opened = Object.entries(given).map(([name, value]) => [
      name,
      bytesOf(value) ?? files.get(String(value)) ?? value,
    ]);
    state.orders.push(Object.fromEntries(opened));
    return answer;
  };
  /** Undefined while it is being made. */
  const look = (done: Answer, broken: Answer): Answer | undefined => {
    if (state.awayLooks > 0) {
      state.awayLooks -= 1;
      return { status: 503, body: {} };
    }
    looks += 1;
    if (looks <= state.pendingLooks) return undefined;
    return state.breaks ? broken : done;
  };
  const cancel = (status: number): Answer => {
    state.cancelled += 1;
    return { status, body: {} };
  };
  const made = () => ({ url: `${state.url}/files/made.mp4`, content_type: 'video/mp4' });
  const fal = '/fal-ai/avatar/requests/r1';
  const prediction = (status: string, more: object = {}) => ({
    id: 'p1',
    status,
    urls: { get: `${state.url}/v1/predictions/p1`, cancel: `${state.url}/v1/predictions/p1/cancel` },
    ...more,
  });
  const keyed = new Set<unknown>();
  let inputs: Record<string, unknown> = {};
  const listed = (page: number): Answer => {
    const isNewer = page < state.newerPages;
    const next = isNewer ? `${state.url}/v1/predictions?cursor=${page + 1}` : null;
    const results = [{ ...prediction('processing'), input: isNewer ? {} : inputs }];
    return { status: 200, body: { next, previous: null, results } };
  };
  const routes: Record<string, (body: Record<string, any>, key: unknown) => Answer> = {
    'GET /files/made.mp4': () => ({ status: 200, video: true }),
    'POST /fal-ai/avatar': (body) =>
      order(body, {
        status: 200,
        body: {
          request_id: 'r1',
          status_url: `${state.url}${fal}/status`,
          response_url: `${state.url}${fal}`,
          cancel_url: `${state.url}${fal}/cancel`,
          queue_position: 3,
        },
      }),
    [`GET ${fal}/status`]: () => {
      const done = { status: 200, body: { status: 'COMPLETED' } };
      return look(done, done) ?? { status: 200, body: { status: looks === 1 ? 'IN_QUEUE' : 'IN_PROGRESS' } };
    },
    [`GET ${fal}`]: () =>
      state.queueError
        ? {
            status: state.queueError,
            body: { detail: 'Request timed out', error_type: 'request_timeout' },
            headers: { 'x-fal-error-type': 'request_timeout' },
          }
        : state.breaks
          ? { status: 500, body: { detail: 'out of memory' } }
          : { status: 200, body: { video: made() } },
    [`PUT ${fal}/cancel`]: () => cancel(202),
    'POST /v1/files': ({ content }) => {
      const get = `${state.url}/v1/files/f${files.size}`;
      files.set(get, content);
      return { status: 201, body: { id: 'f', urls: { get } } };
    },
    'POST /v1/models/maker/avatar/predictions': ({ input }) => {
      inputs = input;
      return order(input, { status: 201, body: prediction('starting') });
    },
    'GET /v1/predictions': () => listed(0),
    ...Object.fromEntries([1, 2, 3].map((page) => [`GET /v1/predictions?cursor=${page}`, () => listed(page)])),
    'GET /v1/predictions/p1': () =>
      look(
        { status: 200, body: prediction('succeeded', { output: made().url }) },
        { status: 200, body: prediction('failed', { error: 'out of memory' }) },
      ) ?? { status: 200, body: prediction('processing') },
    'POST /v1/predictions/p1/cancel': () => cancel(200),
    'POST /heads': (body, key) => {
      const answer = state.isInstant ? { status: 200, video: true } : { status: 202, body: { job: '/heads/1' } };
      if (keyed.has(key)) return answer;
      keyed.add(key);
      return order(body, answer);
    },
    'GET /heads/1': () =>
      look({ status: 200, video: true }, { status: 500, body: { error: 'out of memory' } }) ?? {
        status: 202,
        body: {},
      },
    'DELETE /heads/1': () => cancel(200),
  };
  const server = createServer(async (request, response) => {
    const name = `${request.method} ${request.url}`;
    state.requests.push(name);
    if (!name.startsWith('GET /files/')) state.keys.add(request.headers.authorization);
    const isLook = /^GET (?!\/files)/.test(name);
    if (isLook && state.poorLooks.times > 0) {
      state.poorLooks.times -= 1;
      const { how } = state.poorLooks;
      const isPage = how === 'page';
      response.writeHead(
        how === 'failure' ? 500 : 200,
        isPage ? { 'content-type': 'text/html' } : { 'content-length': 9 },
      );
      if (how === 'broken') return response.write('{', () => response.destroy());
      return response.end(isPage ? '<p>Wait' : '{"a": 12}');
    }
    const known = routes[name]?.(await bodyOf(request), request.headers['idempotency-key']);
    const answer = known ?? { status: 404, body: {} };
    const isOrder = /^POST (?!\/v1\/files)/.test(name);
    if (isOrder && state.losesAnswers) return response.destroy();
    if (state.isEndless && !isOrder)
      return Readable.from(endless())
        .pipe(response)
        .on('error', () => {});
    if (answer.video) response.writeHead(answer.status, { 'content-type': 'video/mp4' }).end(state.video);
    else
      response
        .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
        .end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.url = `http://${state.host}`;
  state.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;
}
