/** Speech, talking head and encoder in a process of their own: what a second of speaking costs beside a still. */
import { readFile } from 'node:fs/promises';
import { startVideo } from '../../../dist/src/engines/embedded/codec/fragments.js';
import { createFaceDetector } from '../../../dist/src/engines/embedded/faces/index.js';
import { createIllustrator } from '../../../dist/src/engines/embedded/renderer/illustrator/index.js';
import { createTalkingHead } from '../../../dist/src/engines/embedded/renderer/talking-head/index.js';
import { readStill } from '../../../dist/src/engines/embedded/renderer/talking-head/still.js';
import { createEmbeddedSpeech } from '../../../dist/src/engines/embedded/speech/index.js';
import { servePart } from '../support/parts.mjs';

const TEXT =
  'I saw the whole of Orion over the cranes, and a thin moon that went down behind the lighthouse last night.';
const SIZE = 512;
const FPS = 25;

servePart(async () => {
  const speech = createEmbeddedSpeech();
  const head = createTalkingHead({ threads: 1 });
  const illustrator = createIllustrator();
  const { images, providerMetadata } = await illustrator.model('default').doGenerate({
    prompt: 'Portrait of a calm keeper of a harbour observatory with short grey hair and a navy coat.',
    n: 1,
    providerOptions: {},
  });
  const image = images[0];
  const { rig } = providerMetadata.embedded.images[0];
  const pieces = await Array.fromAsync(speech.stream({ text: TEXT, voice: { base: speech.voices()[0].id } }));
  const { rate } = pieces[0];
  const pcm = Int16Array.from(pieces.flatMap((piece) => [...piece.pcm]));
  const marks = pieces.flatMap((piece) => piece.marks);
  await illustrator.close();
  const photograph = await readFile(new URL('../../fixtures/astronaut.jpg', import.meta.url));
  const faces = createFaceDetector();
  const face = await faces.detect(photograph);
  await faces.close();
  return {
    facts: { seconds: pcm.length / rate, hasRig: rig !== undefined },
    async speak() {
      for await (const _ of head.render({ image, rig, pcm, rate, marks, size: SIZE, fps: FPS }));
    },
    /** A photograph, by its landmarks. */
    async photograph() {
      const still = { image: photograph, rig: face.rig };
      for await (const _ of head.render({ ...still, pcm, rate, marks, size: SIZE, fps: FPS }));
    },
    /** The same video of the same size and sound, whose every frame is the still. */
    async still() {
      const { width, height, source } = await readStill(image, SIZE / 2);
      const { y, u, v } = source;
      const frame = new Uint8Array(Buffer.concat([y, u, v]));
      const video = await startVideo(
        { width: width * 2, height: height * 2, fps: FPS, audio: { pcm, rate } },
        () => {},
      );
      for (let index = 0; index < video.frames; index += 1) await video.add(frame);
      await video.finish();
      video.close();
    },
    close: () => Promise.all([speech.close(), head.close()]),
  };
});
