/** Sending files. */
import { upload } from '../../../../clients/typescript/src/files.ts';
import { sentenceOf, sessionClient } from '../lib/client.ts';

/** Sends an image, a recording or a video; its address can be used for a day. Throws the sentence that says why not. */
export async function sendFile(file: Blob): Promise<{ url: string }> {
  try {
    return { url: await upload(sessionClient(), file) };
  } catch (error) {
    throw new Error(sentenceOf(error, { file: 'The file' }));
  }
}

/** The first image of what was dropped or pasted. */
export function imageFrom(transfer: DataTransfer | null): File | undefined {
  return [...(transfer?.files ?? [])].find((file) => file.type.startsWith('image/'));
}
