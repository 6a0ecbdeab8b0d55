/** The embedded illustrator at small sizes, for tests whose subject is not what it draws: an image of usual size takes it half a second. */
import type { ImageModelV4 } from '../../src/engines/ports/index.ts';
import type { TestApp } from './app.ts';

const SIDE = 192;

/** A model that draws what is asked for without an image to go by 192 pixels wide and high. */
export const drawnSmall = (model: ImageModelV4): ImageModelV4 => ({
  ...model,
  doGenerate: (call) =>
    model.doGenerate(call.files ? call : { ...call, aspectRatio: undefined, size: `${SIDE}x${SIDE}` }),
});

/** Images too are drawn small until the function that it returns is called; portraits always are (app.ts). */
export function drawSmall({ app: { engines } }: TestApp): () => void {
  const { image } = engines;
  engines.image = (id) => drawnSmall(image(id));
  return () => {
    engines.image = image;
  };
}
