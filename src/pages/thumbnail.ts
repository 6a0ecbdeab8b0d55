/** Our own images in the sizes of lists; runs in Node and in the browser. */

/** The address of an image of ours whose longest side is this long; other addresses stay as they are. */
export function thumbnail(url: string, side: 96 | 192 | 384 | 640): string {
  return /\/media\/[^?]+\?/.test(url) ? `${url}&w=${side}` : url;
}
