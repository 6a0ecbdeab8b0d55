/**
 * Damaged media sent through the public API of a running platform, and what must hold meanwhile and afterwards. Used by
 * the suite for a short round and by `npm run fuzz` for a long one.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Format, FuzzCase } from './corpus.ts';

export interface Caller {
  /** The platform's address. */
  url: string;
  /** Of an account with credits for everything that turns out to be readable. */
  apiKey: string;
}

/** What was answered to one case at one endpoint. */
export interface Answer {
  id: string;
  /** Method, path and field. */
  endpoint: string;
  status: number;
  text: string;
}

const EDIT = 'Make it grey';
const video = (field: string) => (url: string) => ({
  path: '/videos/generate',
  body: { prompt: EDIT, draft: true, duration: 1, [field]: url },
});
const ENDPOINTS: Record<Format['kind'], Record<string, (url: string) => { path: string; body: object }>> = {
  image: {
    'POST /avatars imageUrl': (imageUrl) => ({ path: '/avatars', body: { displayName: 'Nova', imageUrl } }),
    'POST /images/edit imageUrl': (imageUrl) => ({ path: '/images/edit', body: { prompt: EDIT, imageUrl } }),
    'POST /videos/generate image': video('image'),
  },
  sound: { 'POST /videos/generate audio': video('audio') },
  video: { 'POST /videos/generate srcVideo': video('srcVideo') },
};

/** Words of what we build on; none of them is for a caller. */
const FOREIGN = /vips|sharp|mediabunny|ffmpeg|libav|assert|undefined|null|NaN|napi|wasm|decoder|stack|Error:/i;

export interface FileServer {
  /** `host:port`, for FETCH_ALLOW_HOSTS. */
  host: string;
  /** Serves the case from now on. @returns its address */
  serve(one: Pick<FuzzCase, 'contentType' | 'bytes'>): string;
  close(): Promise<void>;
}

export async function serveCases(): Promise<FileServer> {
  const served: Pick<FuzzCase, 'contentType' | 'bytes'>[] = [];
  const server = createServer((request, response) => {
    const one = served[Number(request.url?.slice(1))];
    response.writeHead(one ? 200 : 404, { 'content-type': one?.contentType ?? 'text/plain' }).end(one?.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    serve: (one) => `http://${host}/${served.push(one) - 1}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Sends a case to every endpoint of its kind. @param polls where generations that were accepted are added */
export async function send(one: FuzzCase, files: FileServer, caller: Caller, polls: string[]): Promise<Answer[]> {
  const address = files.serve(one);
  const answers: Answer[] = [];
  for (const [endpoint, make] of Object.entries(ENDPOINTS[one.kind])) {
    const { path, body } = make(address);
    const answer = await fetch(`${caller.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status === 202) polls.push((JSON.parse(text) as { poll: string }).poll);
    answers.push({ id: one.id, endpoint, status: answer.status, text });
  }
  return answers;
}

/** Answers that must not be: other than 2xx and 400, and refusals that name no field or speak another's words. */
export function faults(answers: Answer[]): Answer[] {
  return answers.filter(({ endpoint, status, text }) => {
    if (status >= 200 && status < 300) return false;
    const field = endpoint.split(' ').at(-1) as string;
    const { error } = JSON.parse(text) as { error: string };
    return status !== 400 || !error.startsWith(`${field} `) || FOREIGN.test(error);
  });
}

/** Those of the accepted generations that have neither become ready nor ended in error. */
export async function stillRunning(polls: string[], { url, apiKey }: Caller): Promise<string[]> {
  const running: string[] = [];
  for (const poll of polls) {
    const answer = await fetch(new URL(poll, url), { headers: { authorization: `Bearer ${apiKey}` } });
    const { status } = (await answer.json()) as { status: string };
    if (status !== 'ready' && status !== 'error') running.push(poll);
  }
  return running;
}
