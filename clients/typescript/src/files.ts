/** Files that a program brings along: images, recordings and videos to be used by their addresses, and speech to be written down. */
import { type Client, createClient, RETRIES, type RequestOptions, TIMEOUT_MS } from './client.ts';
import { ConnectionError, errorOf } from './errors.ts';
import { createUpload } from './generated/graphql.ts';
import type { Transcript, UploadedImage } from './generated/rest.ts';
import { backoffMs, pause } from './pause.ts';

/** Bytes a millisecond (1 Mbit/s): a file has the time that it takes at this rate, beside that of any request. */
const SLOWEST_RATE = 125;

/**
 * Sends an image, a recording or a video of at most 256 MB and returns its address, which is valid for a day wherever one is
 * asked for by its address.
 */
export async function upload(client: Client, file: Blob, options: RequestOptions = {}): Promise<string> {
  const most = options.retries ?? client.options.retries ?? RETRIES;
  for (let tried = 0; ; tried += 1) {
    try {
      return await sendFile(client, file, options);
    } catch (error) {
      // The address of a file that was lost on its way is used up: the next try has another.
      if (!(error instanceof ConnectionError) || tried >= most) throw error;
      await pause(backoffMs(tried), options.signal);
    }
  }
}

async function sendFile(client: Client, file: Blob, options: RequestOptions): Promise<string> {
  // Its own each time: an address that is answered again may have been used up.
  const own = { ...options, retries: 0, idempotencyKey: crypto.randomUUID() };
  const { uploadUrl, maxBytes } = (await client.graphql(createUpload, {}, own)).createUpload;
  if (file.size > maxBytes) {
    const facts = { code: 'TOO_LARGE', status: 413, details: { field: 'file' } };
    throw errorOf(`file must be at most ${maxBytes / 2 ** 20} MB.`, facts);
  }
  // The address is the permission; no credential is sent.
  const timeoutMs = (client.options.timeoutMs ?? TIMEOUT_MS) + Math.ceil(file.size / SLOWEST_RATE);
  const place = createClient({ url: uploadUrl, fetch: client.options.fetch, timeoutMs });
  const request = { method: 'PUT', path: '', body: file, sent: { file }, isRepeatable: false };
  return (await place.send<UploadedImage>(request, options)).url;
}

/** Writes a recording down; `language`, e.g. `de`, where it is known. */
export function transcribe(
  client: Client,
  audio: Blob,
  { language, ...options }: RequestOptions & { language?: string | undefined } = {},
): Promise<Transcript> {
  const body = new FormData();
  body.append('audio', audio);
  if (language) body.append('language', language);
  return client.send<Transcript>({ method: 'POST', path: '/transcriptions', body, isRepeatable: false }, options);
}
