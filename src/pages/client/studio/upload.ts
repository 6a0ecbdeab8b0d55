/** Sending images, and small forms of the page's own. */

/** Sends a form of ours and reads its answer. Throws the sentence that says why not. */
export async function post<Answer>(path: string, fields: Record<string, string>): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(fields),
  }).catch(() => undefined);
  if (!response) throw new Error('The server cannot be reached. Please try again.');
  const answer = (await response.json().catch(() => ({}))) as Answer & { error?: string };
  if (!response.ok) throw new Error(answer.error ?? 'That did not work. Please try again.');
  return answer;
}

/** Sends an image; its address can be used for a day. */
export async function sendImage(root: string, csrf: string, file: Blob): Promise<{ url: string }> {
  const { uploadUrl, maxBytes } = await post<{ uploadUrl: string; maxBytes: number }>(`${root}/studio/upload`, {
    csrf,
  });
  if (file.size > maxBytes) throw new Error(`The image is larger than ${Math.floor(maxBytes / 2 ** 20)} MB.`);
  const response = await fetch(uploadUrl, { method: 'PUT', credentials: 'omit', body: file }).catch(() => undefined);
  if (!response?.ok) throw new Error('This image cannot be read. JPEG, PNG and WebP can.');
  return (await response.json()) as { url: string };
}

/** The first image of what was dropped or pasted. */
export function imageFrom(transfer: DataTransfer | null): File | undefined {
  return [...(transfer?.files ?? [])].find((file) => file.type.startsWith('image/'));
}
