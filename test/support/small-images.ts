/** The embedded illustrator at small sizes, for tests whose subject is not what it draws: an image of usual size takes it half a second. */
import type { ImageModelV4 } from '../../src/engines/ports.ts';
import type { TestApp } from './app.ts';

const SIDE = 192;

/** Draws what is asked for without an image to go by, 192 pixels wide and high, until the function that it returns is called. */
export function drawSmall({ app: { engines } }: TestApp): () => void {
  const { image, portrait } = engines;
  const small = (model: ImageModelV4): ImageModelV4 => ({
    ...model,
    doGenerate: (call) =>
      model.doGenerate(call.files ? call : { ...call, aspectRatio: undefined, size: `${SIDE}x${SIDE}` }),
  });
  engines.image = (id) => small(image(id));
  engines.portrait = small(portrait);
  return () => {
    Object.assign(engines, { image, portrait });
  };
}
