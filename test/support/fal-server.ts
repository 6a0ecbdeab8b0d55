/**
 * A server of this machine that speaks fal's protocol as its documentation describes it: `POST fal.run/{model}` for
 * images, a queue (`POST queue.fal.run/{model}`, then `GET .../requests/{id}`) for videos. `route` sends what the real
 * client asks of fal's hosts here; nothing else of the client is touched.
 */
import { createServer, type Server } from 'node:http';

export interface FalRequest {
  method: string;
  /** As the client wrote it, with fal's host. */
  url: string;
  key: string;
  body: any;
}

export interface FalServer {
  url: string;
  /** `host:port`, for FETCH_ALLOW_HOSTS: finished files lie here. */
  host: string;
  requests: FalRequest[];
  /** What is made next. */
  video: Uint8Array;
  image: Uint8Array;
  /** How often a video is reported to be in progress before it is there. */
  pendingPolls: number;
  /** Refuses what comes next with this status. */
  refuse: number | undefined;
  /** Ends an accepted video in an error. */
  breaks: boolean;
  close(): Promise<void>;
}

const QUEUE = 'https://queue.fal.run';

export async function serveFal(): Promise<FalServer> {
  const state: FalServer = {
    url: '',
    host: '',
    requests: [],
    video: new Uint8Array(),
    image: new Uint8Array(),
    pendingPolls: 1,
    refuse: undefined,
    breaks: false,
    close: async () => {
      restore();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  let polls = 0;
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const url = request.url!;
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url === '/files/video.mp4') return response.writeHead(200, { 'content-type': 'video/mp4' }).end(state.video);
    if (url === '/files/image.png') return response.writeHead(200, { 'content-type': 'image/png' }).end(state.image);
    const { authorization: key = '' } = request.headers;
    state.requests.push({ method: request.method!, url, key, body: text ? JSON.parse(text) : undefined });
    if (state.refuse)
      return json(state.refuse, { detail: [{ loc: ['body', 'prompt'], msg: 'refused', type: 'value' }] });
    if (!url.startsWith('/queue/')) return json(200, { images: [{ url: `${state.url}/files/image.png` }], seed: 1 });
    if (request.method === 'POST') {
      polls = 0;
      return json(200, { request_id: 'r1', response_url: `${QUEUE}${url.slice('/queue'.length)}/requests/r1` });
    }
    polls += 1;
    if (polls <= state.pendingPolls) return json(400, { detail: 'Request is still in progress' });
    if (state.breaks) return json(500, { error: { message: 'out of memory', code: 500 } });
    return json(200, { video: { url: `${state.url}/files/video.mp4`, content_type: 'video/mp4' }, seed: 7 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  state.url = `http://${state.host}`;
  const restore = route(`${state.url}/queue`);
  return state;
}

/** fal's client has no setting for the address of its queue. */
function route(to: string): () => void {
  const real = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    real(typeof input === 'string' && input.startsWith(QUEUE) ? to + input.slice(QUEUE.length) : input, init);
  return () => {
    globalThis.fetch = real;
  };
}
