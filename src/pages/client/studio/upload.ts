/** Sending files. */
import { post } from '../lib/page.ts';

/** Sends an image, a recording or a video; its address can be used for a day. */
export async function sendImage(root: string, csrf: string, file: Blob): Promise<{ url: string }> {
  const { uploadUrl, maxBytes } = await post<{ uploadUrl: string; maxBytes: number }>(
    `${root}/studio/upload`,
    new URLSearchParams({ csrf }),
  );
  if (file.size > maxBytes) throw new Error(`The file is larger than ${Math.floor(maxBytes / 2 ** 20)} MB.`);
  const response = await fetch(uploadUrl, { method: 'PUT', credentials: 'omit', body: file }).catch(() => undefined);
  if (!response) throw new Error('The server cannot be reached. Please try again.');
  const answer = (await response.json().catch(() => ({}))) as { url?: string; error?: string };
  if (response.ok && answer.url) return { url: answer.url };
  throw new Error(answer.error?.replace(/^file /, 'The file ') ?? 'This file cannot be read.');
}

/** The first image of what was dropped or pasted. */
export function imageFrom(transfer: DataTransfer | null): File | undefined {
  return [...(transfer?.files ?? [])].find((file) => file.type.startsWith('image/'));
}
