/** A web server with images and sounds to upload by URL: made from a seed, of sizes and formats that users send. */
import { createServer } from 'node:http';
import sharp from 'sharp';

const SIDES = [320, 800, 1600, 2600];
const FORMATS = ['jpeg', 'png', 'webp'];
/** Noise is not compressed without loss: a PNG of it any larger is more than the platform takes. */
const MAX_PNG_SIDE = 1600;

async function images(random) {
  const made = {};
  for (const side of SIDES) {
    for (const format of FORMATS.filter((one) => one !== 'png' || side <= MAX_PNG_SIDE)) {
      const height = Math.round(side * (0.6 + random() * 0.6));
      const noise = { type: 'gaussian', mean: 128, sigma: 20 + random() * 30 };
      const bytes = await sharp({ create: { width: side, height, channels: 3, background: '#8899aa', noise } })
        .toFormat(format)
        .toBuffer();
      made[`/${side}.${format}`] = { type: `image/${format}`, bytes };
    }
  }
  return made;
}

/** 16-bit mono WAV: a tone that swells and fades, as speech does. */
function sound(seconds, rate) {
  const samples = Math.round(seconds * rate);
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8);
  for (const [at, value, size] of [
    [16, 16, 4],
    [20, 1, 2],
    [22, 1, 2],
    [24, rate, 4],
    [28, rate * 2, 4],
    [32, 2, 2],
    [34, 16, 2],
  ]) {
    bytes.writeUIntLE(value, at, size);
  }
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1) {
    const loud = 6_000 * (1 + Math.sin((at / rate) * 9));
    bytes.writeInt16LE(Math.round(loud * Math.sin((at / rate) * 2 * Math.PI * 180)), 44 + at * 2);
  }
  return bytes;
}

/** @returns { host, images, sounds, close } with full addresses */
export async function serveFiles(random) {
  const files = await images(random);
  for (const [seconds, rate] of [
    [1, 16_000],
    [2, 44_100],
  ]) {
    files[`/${seconds}s.wav`] = { type: 'audio/wav', bytes: sound(seconds, rate) };
  }
  const server = createServer((request, response) => {
    const file = files[request.url];
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${server.address().port}`;
  const addresses = (ending) =>
    Object.keys(files)
      .filter(ending)
      .map((name) => `http://${host}${name}`);
  return {
    host,
    images: addresses((name) => !name.endsWith('.wav')),
    sounds: addresses((name) => name.endsWith('.wav')),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
