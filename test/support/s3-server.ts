/** A store of media for tests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A real HTTP server that speaks as much S3 as the adapter needs; listings come two keys a page. It can go away, or say nothing. */
export class S3Server {
  readonly objects = new Map<string, { bytes: Buffer; type: string }>();
  /** Uploads in parts that are under way. */
  readonly uploads = new Map<string, { parts: Buffer[]; type: string }>();
  readonly unsigned: string[] = [];
  /** `refusing`: every request is a 503; `silent`: what comes is taken and never answered; `stalling`: of a file half is sent. */
  state: 'well' | 'refusing' | 'silent' | 'stalling' = 'well';
  #server: Server | undefined;

  async start(): Promise<string> {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://s3');
    if (!request.headers.authorization?.includes('Credential=id/')) this.unsigned.push(request.url!);
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, '');
    const body = await buffer(request);
    if (this.state === 'silent') return;
    if (this.state === 'refusing') return void response.writeHead(503).end();
    if (key === '' && request.method === 'HEAD') return void response.writeHead(200).end();
    if (url.searchParams.get('list-type') === '2') return void response.end(this.#listing(url.searchParams));
    const uploadId = url.searchParams.get('uploadId');
    if (uploadId !== null || url.searchParams.has('uploads'))
      return this.#multipart(
        uploadId,
        key,
        { method: request.method, url, body, type: request.headers['content-type'] },
        response,
      );
    if (request.method === 'PUT') {
      this.objects.set(key, { bytes: body, type: request.headers['content-type'] ?? '' });
      return void response.writeHead(200, { etag: '"e"' }).end();
    }
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    const object = this.objects.get(key);
    if (!object) return void response.writeHead(404).end();
    const size = object.bytes.length;
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    const part = first ? object.bytes.subarray(Number(first), Number(last) + 1) : object.bytes;
    const range = first ? { 'content-range': `bytes ${first}-${last}/${size}` } : {};
    response.writeHead(first ? 206 : 200, { 'content-length': part.length, etag: `"${size}"`, ...range });
    if (request.method !== 'HEAD' && this.state === 'stalling')
      return void response.write(part.subarray(0, part.length / 2));
    response.end(request.method === 'HEAD' ? undefined : part);
  }

  #multipart(
    uploadId: string | null,
    key: string,
    { method, url, body, type }: { method?: string; url: URL; body: Buffer; type?: string },
    response: ServerResponse,
  ): void {
    if (uploadId === null) {
      const id = `upload-${this.uploads.size + 1}-${key}`;
      this.uploads.set(id, { parts: [], type: type ?? '' });
      response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
      return;
    }
    const upload = this.uploads.get(uploadId);
    if (!upload) return void response.writeHead(404).end();
    if (method === 'PUT') {
      upload.parts[Number(url.searchParams.get('partNumber')) - 1] = body;
      return void response.writeHead(200, { etag: '"p"' }).end();
    }
    this.uploads.delete(uploadId);
    if (method === 'DELETE') return void response.writeHead(204).end();
    this.objects.set(key, { bytes: Buffer.concat(upload.parts), type: upload.type });
    response.end('<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>');
  }

  #listing(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const from = Number(query.get('continuation-token') ?? 0);
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && !(query.get('delimiter') && key.slice(prefix.length).includes('/')))
      .sort();
    const page = keys.slice(from, from + 2).map((key) => `<Contents><Key>${key}</Key></Contents>`);
    const next = from + 2 < keys.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
    return `<?xml version="1.0"?><ListBucketResult><Name>bucket</Name>${page.join('')}${next}</ListBucketResult>`;
  }
}
