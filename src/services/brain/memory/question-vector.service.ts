/**
 * Questions as vectors. A model that is slow or down costs a recall at most a moment, and only now and then: it then
 * goes on by words alone. Nothing is stored here beyond a short memory of what was asked.
 */
import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { LRUCache } from 'lru-cache';
import { type Vector, vectorOf } from './vector.codec.ts';

/** A caller waits for it. */
const TIMEOUT_MS = 2_000;
/** After a failure the model is left alone this long. */
const PAUSE_MS = 10_000;
/** A reply asks its memory several times with one text, and users repeat what others asked. */
const MAX_KNOWN = 500;
/** As much of a text as small models take in. */
export const MAX_EMBEDDED_CHARS = 2_000;

/** Embeds questions, each text once for a while. */
export interface Questions {
  /** The question as a vector; null when the model does not answer. Never throws. */
  vector(text: string): Promise<Vector | null>;
}

/** `onFailure` hears of each failure; `now` is the clock, epoch milliseconds. */
export function createQuestions(options: {
  model: EmbeddingModelV4;
  now: () => number;
  onFailure?: (error: unknown) => void;
  timeoutMs?: number;
}): Questions {
  const { model, now, onFailure, timeoutMs = TIMEOUT_MS } = options;
  const known = new LRUCache<string, Promise<Vector | null>>({ max: MAX_KNOWN });
  let pausedUntil = 0;

  async function ask(text: string): Promise<Vector | null> {
    try {
      const { embeddings } = await model.doEmbed({ values: [text], abortSignal: AbortSignal.timeout(timeoutMs) });
      return vectorOf(model.modelId, embeddings[0] ?? []);
    } catch (error) {
      pausedUntil = now() + PAUSE_MS;
      known.delete(text);
      onFailure?.(error);
      return null;
    }
  }

  return {
    vector(whole) {
      const text = whole.slice(0, MAX_EMBEDDED_CHARS);
      const before = known.get(text);
      if (before) return before;
      if (now() < pausedUntil) return Promise.resolve(null);
      // In a step of its own, so that a model that throws at once finds the question noted.
      const asked = Promise.resolve().then(() => ask(text));
      known.set(text, asked);
      return asked;
    },
  };
}
