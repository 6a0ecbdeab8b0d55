/** What the model asks of its thread, and what comes back. Types only: both sides import them. */
import type { Rig } from '../../../ports/index.ts';
import type { Drawing } from './drawing.ts';

/** An image to draw, or images to change; sizes in pixels. */
export type Task =
  | { kind: 'generate'; prompt: string; width: number; height: number; seed: number }
  | {
      kind: 'edit';
      prompt: string;
      images: Uint8Array[];
      aspectRatio: string | undefined;
      seed: number;
      rig: Rig | undefined;
      /** How the one image came about, when we drew it. */
      drawing?: Drawing | undefined;
    };

/** The image, encoded: with a rig where it is a portrait, with its drawing where a further edit can begin from that. */
export interface Outcome {
  image: Uint8Array;
  width: number;
  height: number;
  rig?: Rig;
  drawing?: Drawing;
}
