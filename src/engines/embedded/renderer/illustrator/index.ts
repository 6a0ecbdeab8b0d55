/**
 * The embedded image engine behind the AI SDK's `ImageModelV4`: a seeded illustrator that paints portraits, scenes,
 * still lifes and abstracts from what it understands of a prompt, letters words legibly, and edits images by named
 * operations. It uses no model and no network; what it cannot do it refuses.
 */
import type { ImageModelV4, ImageModelV4CallOptions, ImageModelV4File } from '@ai-sdk/provider';
import { built } from '../../../ports/built.ts';
import { badInput } from '../../../ports/errors.ts';
import type { Rig } from '../../../ports/index.ts';
import { createPool, type Pool } from '../../../ports/threads.ts';
import { readEdits } from '../graphics/edit/read.ts';
import { checkGlyphs } from '../graphics/lettering/index.ts';
import { checkDrawable, readPrompt } from '../graphics/prompt.ts';
import { hashText } from '../graphics/random.ts';
import { sizeOf } from '../graphics/sizes.ts';
import { type Drawing, redrawn } from './drawing.ts';
import type { Outcome, Task } from './task.ts';

/** The documented models of images. */
export type IllustratorModelId = 'default' | 'typo_gen' | 'typo_edit';

/** Makes and edits images, in threads. */
export interface Illustrator {
  /** `default` generates, or edits when files are given; `typo_gen` and `typo_edit` are the lettering models of the documented API. */
  model(id: IllustratorModelId): ImageModelV4;
  /** Ends its thread; calls in progress reject with UNAVAILABLE. */
  close(): Promise<void>;
}

const LIMITS = { references: 5, typoReferences: 2, images: 4, side: 2048 };

/** One thread by default: an image takes a few tenths of a second, and the other engines want the cores. */
export function createIllustrator(options: { threads?: number } = {}): Illustrator {
  const entry = built('src/engines/embedded/renderer/illustrator/thread.js');
  const pool = createPool(entry, options.threads ?? 1);
  return { model: (id) => createModel(id, pool), close: () => pool.close() };
}

function createModel(id: IllustratorModelId, pool: Pool): ImageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'embedded',
    modelId: id,
    maxImagesPerCall: LIMITS.images,
    supportsFileInputs: id !== 'typo_gen',
    supportsMaskInputs: false,
    async doGenerate(call) {
      const tasks = tasksOf(id, call);
      const signal = call.abortSignal;
      const outcomes = await Promise.all(tasks.map((task) => pool.run<Outcome>(task, { signal })));
      return {
        images: outcomes.map((outcome) => outcome.image),
        warnings: call.mask ? [{ type: 'unsupported' as const, feature: 'mask' }] : [],
        providerMetadata: { embedded: { images: outcomes.map(({ rig, drawing }) => plain({ rig, drawing })) } },
        response: { timestamp: new Date(), modelId: id, headers: undefined },
      };
    },
  };
}

/** Provider metadata is JSON and knows no undefined. */
const plain = (metadata: { rig: Rig | undefined; drawing: Drawing | undefined }) =>
  JSON.parse(JSON.stringify(metadata));

/** Checks all that can be refused before a thread is occupied, then one task for each image asked for. */
function tasksOf(id: IllustratorModelId, call: ImageModelV4CallOptions): Task[] {
  const prompt = (call.prompt ?? '').trim();
  if (prompt === '') throw badInput('prompt', 'is required.');
  const seed = call.seed ?? hashText(prompt.toLowerCase());
  const seeds = Array.from({ length: Math.max(1, Math.min(LIMITS.images, call.n)) }, (_, i) => (seed + i * 7919) >>> 0);
  const files = call.files ?? [];
  if (files.length > 0) {
    if (id === 'typo_gen') throw badInput('images', 'are not taken by typo_gen; use typo_edit.');
    const most = id === 'typo_edit' ? LIMITS.typoReferences : LIMITS.references;
    if (files.length > most) throw badInput('images', `may hold at most ${most} images for this model.`);
    const { rig, drawing } = (call.providerOptions.embedded ?? {}) as { rig?: Rig; drawing?: Drawing };
    const known = files.length === 1 ? drawing : undefined;
    const edits = readEdits(prompt, files.length, known !== undefined);
    for (const edit of edits) if (edit.op === 'caption' || edit.op === 'reletter') checkGlyphs([edit.words]);
    if (known) redrawn(known, edits);
    const given = { images: files.map(bytesOf), aspectRatio: call.aspectRatio, rig, drawing: known };
    return seeds.map((one) => ({ kind: 'edit', prompt, ...given, seed: one }));
  }
  if (id === 'typo_edit') throw badInput('images', 'are required for an edit.');
  const plan = readPrompt(prompt);
  checkGlyphs(plan.words);
  checkDrawable(plan);
  const { width, height } = call.size ? parseSize(call.size) : sizeOf(call.aspectRatio ?? '1:1');
  return seeds.map((one) => ({ kind: 'generate', prompt, width, height, seed: one }));
}

function parseSize(size: string): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const isFit = (side: number) => Number.isInteger(side) && side >= 64 && side <= LIMITS.side;
  if (!isFit(width) || !isFit(height))
    throw badInput('size', `must be WIDTHxHEIGHT of 64 to ${LIMITS.side} pixels a side.`);
  return { width, height };
}

function bytesOf(file: ImageModelV4File): Uint8Array {
  if (file.type === 'url') throw badInput('images', 'must be given as bytes; the embedded engine fetches nothing.');
  return typeof file.data === 'string' ? Buffer.from(file.data, 'base64') : file.data;
}
