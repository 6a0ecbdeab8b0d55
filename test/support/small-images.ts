/** The embedded illustrator at small sizes, for tests whose subject is not what it draws: an image of usual size takes it half a second. */
import type { ImageModelV4 } from '../../src/engines/ports/index.ts';
import type { TestApp } from './app.ts';

const SIDE = 192;

/** The smallest side of an image whose edits have its size: smaller ones are enlarged. */
export const EDITED_SIDE = 512;

/** A model that draws what is asked for without an image to go by with so many pixels on its longer side. */
export const drawnSmall = (model: ImageModelV4, side = SIDE): ImageModelV4 => ({
  ...model,
  doGenerate: (call) =>
    model.doGenerate(call.files ? call : { ...call, aspectRatio: undefined, size: sizeOf(side, call.aspectRatio) }),
});

/** The size of these proportions, as the AI SDK writes it. */
function sizeOf(side: number, aspectRatio = '1:1'): `${number}x${number}` {
  const [w = 1, h = 1] = aspectRatio.split(':').map(Number);
  const k = side / Math.max(w, h);
  return `${Math.round(w * k)}x${Math.round(h * k)}`;
}

/** Images too are drawn small until the function that it returns is called; portraits always are (app.ts). */
export function drawSmall({ app: { engines } }: TestApp, side = SIDE): () => void {
  const { image } = engines;
  engines.image = (id) => drawnSmall(image(id), side);
  return () => {
    engines.image = image;
  };
}
