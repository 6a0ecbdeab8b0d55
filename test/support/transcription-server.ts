/** A transcription server that speaks the OpenAI-compatible protocol: it keeps what it is sent and answers what the test sets. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TranscriptionServer {
  url: string;
  requests: { path: string; key: string | undefined; fields: Record<string, string>; file: Uint8Array; type: string }[];
  /** What is heard next. */
  text: string;
  /** Answers this instead. */
  broken: { status: number; body: string } | undefined;
  close(): Promise<void>;
}

export async function openTranscriptionServer(): Promise<TranscriptionServer> {
  const state: TranscriptionServer = { url: '', requests: [], text: '', broken: undefined, close: async () => {} };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { authorization: key, 'content-type': contentType = '' } = request.headers;
    const form = await new Response(Buffer.concat(parts), { headers: { 'content-type': contentType } }).formData();
    const file = form.get('file') as File;
    const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as any;
    const bytes = new Uint8Array(await file.arrayBuffer());
    state.requests.push({ path: request.url ?? '', key, fields, file: bytes, type: file.type });
    const { broken } = state;
    if (broken) response.writeHead(broken.status, { 'content-type': 'application/json' }).end(broken.body);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text: state.text }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  state.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;
}
