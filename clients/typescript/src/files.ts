/** Files that a program brings along: images, recordings and videos to be used by their addresses, and speech to be written down. */
import type { Client, RequestOptions } from './client.ts';
import type { Transcript, UploadedImage } from './generated/rest.ts';

/**
 * Sends a file of at most 64 MB and returns its address, which is valid for a day wherever an image, a recording or a video
 * is asked for by its address.
 */
export async function upload(client: Client, file: Blob, options?: RequestOptions): Promise<string> {
  const body = new FormData();
  body.append('file', file);
  // Sent twice it is there twice, and what nobody used is gone after a day.
  const request = { method: 'POST', path: '/uploads', body, isRepeatable: true };
  return (await client.send<UploadedImage>(request, options)).url;
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
