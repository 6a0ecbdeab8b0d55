/**
 * A chat server that speaks the OpenAI-compatible streaming protocol, with its pace in the test's hands: it sends the
 * first pieces at once and the rest when the test says so, or breaks off.
 */
import { createServer, type ServerResponse } from 'node:http';

/**
 * `now` is sent at once, `later` after `release`; `breaks` ends the connection behind `now`, in the middle (`reset`) or as
 * if nothing were missing (`close`). A status answers an error instead.
 */
export type Script =
  | { now: string[]; later?: string[]; breaks?: 'reset' | 'close' }
  | { status: number; headers?: Record<string, string> };

export interface ChatServer {
  url: string;
  /** Bodies of the requests so far. */
  requests: any[];
  /** Lets the replies that wait go on to their end; with a number only that of the request with this index. */
  release(index?: number): void;
  /** Ends the connection of a reply that waits. */
  breakOff(index: number): void;
  close(): Promise<void>;
}

/** `script` is asked for each request; `count` says how many there were before. */
export async function openChatServer(script: (request: any, count: number) => Script): Promise<ChatServer> {
  const waiting = new Map<number, { finish(): void; response: ServerResponse }>();
  const requests: any[] = [];
  const send = (response: ServerResponse, text: string) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`);
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const index = requests.length;
    const scripted = script(JSON.parse(body), index);
    requests.push(JSON.parse(body));
    if ('status' in scripted) {
      response.writeHead(scripted.status, scripted.headers).end('{"error":{"message":"refused"}}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of scripted.now) send(response, piece);
    if (scripted.breaks === 'close') return void response.end();
    // Only once what was written has left.
    if (scripted.breaks === 'reset') return void response.write('\n', () => response.destroy());
    const finish = () => {
      for (const piece of scripted.later ?? []) send(response, piece);
      response.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n');
      response.end('data: [DONE]\n\n');
    };
    if (scripted.later) waiting.set(index, { finish, response });
    else finish();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as any).port}/v1`,
    requests,
    release: (only) => {
      for (const [index, { finish }] of [...waiting]) {
        if (only !== undefined && only !== index) continue;
        waiting.delete(index);
        finish();
      }
    },
    breakOff: (index) => void waiting.get(index)!.response.destroy(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
