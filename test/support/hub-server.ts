/** A hub of models: files by their address, in ranges, and the ways in which such a server lets one down. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the next answers do, one each: break off after so many bytes, answer a status, ignore ranges, fall silent. */
export type Fault = { breakAfter: number } | { status: number } | 'no ranges' | 'silence';

export async function startHub(files: Map<string, Buffer>) {
  const asked: { path: string; range: string | undefined }[] = [];
  const faults: Fault[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers } = request;
    asked.push({ path, range: headers.range });
    const fault = faults.shift();
    const whole = files.get(path);
    if (fault === 'silence') return;
    if (typeof fault === 'object' && 'status' in fault) return void response.writeHead(fault.status).end();
    if (!whole) return void response.writeHead(404).end();
    const from = fault === 'no ranges' ? 0 : Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const body = whole.subarray(from);
    const range = from > 0 ? { 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length, ...range });
    if (typeof fault !== 'object') return void response.end(body);
    response.write(body.subarray(0, fault.breakAfter), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Addresses that were asked for, in order. */
    asked,
    /** What goes wrong with the next requests. */
    faults,
    files,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
