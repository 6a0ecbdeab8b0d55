/**
 * Draws the faces of the gallery (src/pages/client/art/ready) from the words of src/pages/studio/ready-avatars.ts, as the
 * avatars themselves will be drawn. Run it after a change of these words.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { buildIfStale } from './build.mjs';
import { root } from './tools.mjs';

await buildIfStale({ modules: true });
const { READY_AVATARS } = await import(path.join(root, 'dist/src/pages/studio/ready-avatars.js'));
const { createIllustrator } = await import(path.join(root, 'dist/src/engines/embedded/renderer/illustrator/index.js'));
const illustrator = createIllustrator();
const folder = path.join(root, 'src/pages/client/art/ready');
await mkdir(folder, { recursive: true });
for (const { id, name, persona } of READY_AVATARS) {
  const { images } = await illustrator.model('default').doGenerate({
    prompt: `Portrait of ${name}. ${persona}`,
    n: 1,
    size: '1024x1024',
    providerOptions: {},
  });
  // The start page shows her larger.
  if (id === 'nova') await sharp(images[0]).resize(720).webp({ quality: 80 }).toFile(path.join(folder, '../nova.webp'));
  const file = path.join(folder, `${id}.webp`);
  const { size } = await sharp(images[0]).resize(400).webp({ quality: 76 }).toFile(file);
  console.log(`${path.relative(root, file)}  ${Math.round(size / 1000)} kB`);
}
await illustrator.close();
