/** A web server of this machine that serves images and odd things to fetch (FETCH_ALLOW_HOSTS lets it through). */
import { createServer, type Server } from 'node:http';
import sharp from 'sharp';

export interface ImageAnswer {
  type: string;
  body: Buffer | string;
  status?: number;
}

export interface ImageServer {
  /** `host:port`, for FETCH_ALLOW_HOSTS. */
  host: string;
  url: string;
  close(): Promise<void>;
}

/** `more` adds answers of a test's own. */
export async function serveImages(more: Record<string, ImageAnswer> = {}): Promise<ImageServer> {
  const png = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#8899aa' } })
    .png()
    .toBuffer();
  const answers: Record<string, ImageAnswer> = {
    '/face.png': { type: 'image/png', body: png },
    '/page.html': { type: 'text/html', body: '<p>not an image</p>' },
    '/fake.png': { type: 'image/png', body: 'not an image either' },
    '/vector.svg': { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    '/gone.png': { type: 'text/plain', body: 'gone', status: 404 },
    ...more,
  };
  const server: Server = createServer((request, response) => {
    const answer = answers[request.url ?? ''] ?? { type: 'text/plain', body: 'nothing', status: 404 };
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
