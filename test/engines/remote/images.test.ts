/** The OpenAI-compatible image model against a local server: what it sends, what comes back, how it fails. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { remoteImages } from '../../../src/engines/remote/images.ts';
import { createOpenAiCompatibleImages } from '../../../src/engines/remote/openai-images.ts';
import { sharedDecoders } from '../../support/decoders.ts';

let server: Server;
let baseUrl: string;
const seen: { url: string; type: string; key: string; body: string }[] = [];
let answer: () => Promise<{ status: number; body: string }>;

const image = async () => {
  const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#446688' } })
    .png()
    .toBuffer();
  return { status: 200, body: JSON.stringify({ data: [{ b64_json: png.toString('base64') }] }) };
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('latin1')) body += chunk;
    const { 'content-type': type = '', authorization: key = '' } = request.headers;
    seen.push({ url: request.url!, type, key, body });
    const given = await answer();
    response.writeHead(given.status, { 'content-type': 'application/json' }).end(given.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
});
const decoders = sharedDecoders();
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const call = (more: object = {}) => {
  const all = createOpenAiCompatibleImages({ baseUrl, apiKey: 'hunter2', model: 'painter' });
  return remoteImages(
    { all },
    {},
    decoders,
  )('default').doGenerate({
    ...{ prompt: 'A boat', n: 1, size: undefined, aspectRatio: undefined, seed: undefined, files: undefined },
    ...{ mask: undefined, providerOptions: {}, ...more },
  });
};

test('is asked for the nearest size, and its image cut to the ratio', async () => {
  answer = image;
  const { images } = await call({ aspectRatio: '16:9' });
  expect(seen.at(-1)).toMatchObject({ url: '/v1/images/generations', key: 'Bearer hunter2' });
  expect(JSON.parse(seen.at(-1)!.body)).toEqual({ model: 'painter', prompt: 'A boat', n: 1, size: '1536x1024' });
  const { width, height } = await sharp(images[0] as Uint8Array).metadata();
  expect([width, height]).toEqual([300, 169]);
});

test('an edit sends every reference as a file and keeps the proportions of the first', async () => {
  answer = image;
  const data = await sharp({ create: { width: 60, height: 20, channels: 3, background: '#446688' } })
    .png()
    .toBuffer();
  const file = { type: 'file', mediaType: 'image/png', data };
  const { images } = await call({ prompt: 'Blend', files: [file, file] });
  const { width, height } = await sharp(images[0] as Uint8Array).metadata();
  expect([width, height]).toEqual([300, 100]);
  const { url, type, body } = seen.at(-1)!;
  expect([url, type]).toEqual(['/v1/images/edits', expect.stringContaining('multipart/form-data')]);
  expect(body.match(/name="image\[\]"/g)).toHaveLength(2);
  expect(body).not.toContain('name="size"');
});

test.each<[string, () => Promise<{ status: number; body: string }>, RegExp]>([
  ['refuses', async () => ({ status: 400, body: '{"error":"no"}' }), /answered 400/],
  ['sends no image', async () => ({ status: 200, body: '{"data":[]}' }), /no image/],
  ['sends no JSON', async () => ({ status: 200, body: '<html>' }), /could not be reached/],
])('a server that %s is reported without the key', async (_, given, message) => {
  answer = given;
  const error = await Promise.resolve(call()).catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(message);
  expect(JSON.stringify(error)).not.toContain('hunter2');
});

test('an abort is the caller’s own reason', async () => {
  answer = image;
  const reason = new Error('enough');
  await expect(call({ abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
