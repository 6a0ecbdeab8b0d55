/**
 * A chat server that speaks the OpenAI-compatible streaming protocol, with its pace in the test's hands: it sends the
 * first pieces at once and the rest when it is told to.
 */
import { createServer, type ServerResponse } from 'node:http';

export interface ChatServer {
  url: string;
  /** Bodies of the requests so far. */
  requests: any[];
  /** Lets the replies that wait go on to their end. */
  release(): void;
  close(): Promise<void>;
}

/** `script` gives the pieces sent at once and those sent after `release`; a status answers an error instead. */
export async function openChatServer(
  script: (request: any) => { now: string[]; later?: string[] } | { status: number },
): Promise<ChatServer> {
  const waiting: (() => void)[] = [];
  const requests: any[] = [];
  const send = (response: ServerResponse, text: string) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`);
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push(JSON.parse(body));
    const told = script(requests.at(-1));
    if ('status' in told) {
      response.writeHead(told.status).end('{"error":{"message":"refused"}}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of told.now) send(response, piece);
    const finish = () => {
      for (const piece of told.later ?? []) send(response, piece);
      response.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n');
      response.end('data: [DONE]\n\n');
    };
    if (told.later) waiting.push(finish);
    else finish();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as any).port}/v1`,
    requests,
    release: () => {
      for (const finish of waiting.splice(0)) finish();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
