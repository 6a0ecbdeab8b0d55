/** A collector of spans that speaks OTLP over HTTP with JSON, as its specification describes it, and keeps what it is sent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** 2 is a server's, 5 a consumer's. */
  kind: number;
  /** 2 is an error. */
  status: number | undefined;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
}

export interface OtlpServer {
  url: string;
  spans: CollectedSpan[];
  /** Headers of the last request. */
  headers: Record<string, unknown>;
  close(): Promise<void>;
}

const plain = (attributes: any[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function startOtlpServer(): Promise<OtlpServer> {
  const collector = { spans: [] as CollectedSpan[], headers: {} as Record<string, unknown> };
  const server = createServer(async (request, response) => {
    const sent = Buffer.concat(await request.toArray());
    const body = JSON.parse(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent));
    collector.headers = request.headers;
    for (const { resource, scopeSpans } of request.url === '/v1/traces' ? body.resourceSpans : []) {
      for (const { traceId, spanId, parentSpanId, name, kind, status, attributes } of scopeSpans.flatMap(
        (scope: any) => scope.spans,
      )) {
        const about = { attributes: plain(attributes), resource: plain(resource.attributes) };
        collector.spans.push({ traceId, spanId, parentSpanId, name, kind, status: status?.code, ...about });
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: collector.spans,
    get headers() {
      return collector.headers;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
