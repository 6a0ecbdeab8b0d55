/**
 * Gives memories their vectors, in the background and in batches. A model that is down loses nothing: what is
 * due stays due, and is tried again after a pause; recall goes on by words. A change of model embeds everything anew.
 */
import { APICallError, type EmbeddingModelV4 } from '@ai-sdk/provider';
import { HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { Platform } from '../platform/platform.port.ts';
import { type Due, markWithout, requeueDue, storeVectors, takeDue, useModel } from './memory/embedding.queue.ts';
import { MAX_EMBEDDED_CHARS } from './memory/question-vector.service.ts';
import { type Vector, vectorOf } from './memory/vector.codec.ts';

/** Texts in one call; a model may allow fewer. */
const BATCH = 64;
const CALL_TIMEOUT_MS = 30_000;
/** Longer than a call may take; a batch whose worker died is due again after it. */
const TAKEN_MS = 2 * MINUTE_MS;
/** A round ends after this long, so that a stopping worker does not wait for a large brain. */
const ROUND_MS = 2_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = MINUTE_MS;
/** A text the model refuses by itself is offered again this much later. */
const REFUSED_MS = HOUR_MS;
/** Answers that are about the text and not about the model, its key or its load. */
const ABOUT_THE_TEXT = [400, 413, 422];

type Needs = Pick<Platform, 'db' | 'clock' | 'log' | 'engines'>;

export class Embeddings {
  readonly #p: Needs;
  readonly #stopped = new AbortController();
  #started = false;
  /** The space that all memories have, or wait for. */
  #space: number | null = null;
  #pausedUntil = 0;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(platform: Needs) {
    this.#p = platform;
  }

  /** Embeds what is due, for a moment; returns how many memories got their vector. Called again and again. */
  async round(): Promise<number> {
    const { engines, db, clock } = this.#p;
    const model = engines.embedding;
    if (!this.#started) {
      this.#space = await useModel(db, model ? model.modelId : null);
      this.#started = true;
    }
    if (!model || this.#stopped.signal.aborted) return 0;
    const endMs = clock.now() + ROUND_MS;
    let count = 0;
    while (clock.now() >= this.#pausedUntil && clock.now() <= endMs && !this.#stopped.signal.aborted) {
      const done = await this.#batch(model);
      count += done;
      if (done === 0) break;
    }
    return count;
  }

  /** Cuts off a call that is under way; what it was to embed is requeued. */
  stop(): void {
    this.#stopped.abort(new Error('The worker is stopping.'));
  }

  async #batch(model: EmbeddingModelV4): Promise<number> {
    const { db, clock } = this.#p;
    const nowMs = clock.now();
    if (this.#space === null && !(await this.#learnSpace(model))) return 0;
    const size = Math.min(BATCH, (await model.maxEmbeddingsPerCall) ?? BATCH);
    const { entries, untilMs } = await takeDue(db, nowMs, nowMs + TAKEN_MS, size);
    if (entries.length === 0) return 0;
    try {
      return await this.#embed(model, entries, untilMs);
    } catch (error) {
      await requeueDue(db, entries, nowMs, untilMs);
      this.#pause(error);
      return 0;
    }
  }

  /** Embeds entries, one by one where the model refuses them together. Throws when the model is at fault. */
  async #embed(model: EmbeddingModelV4, entries: Due[], untilMs: number): Promise<number> {
    let vectors: Vector[];
    try {
      vectors = await this.#call(
        model,
        entries.map(({ content }) => content),
      );
    } catch (error) {
      if (!(APICallError.isInstance(error) && ABOUT_THE_TEXT.includes(error.statusCode ?? 0))) throw error;
      if (entries.length === 1) {
        this.#p.log.warn({ err: error, ...entries[0], content: undefined }, 'embedding refused');
        await requeueDue(this.#p.db, entries, this.#p.clock.now() + REFUSED_MS, untilMs);
        return 0;
      }
      let count = 0;
      for (const entry of entries) count += await this.#embed(model, [entry], untilMs);
      return count;
    }
    await this.#p.db.transaction((tx) => storeVectors(tx, entries, vectors, untilMs));
    this.#pauseMs = FIRST_PAUSE_MS;
    // The same name answers with another length: another model stands behind it.
    const [first] = vectors;
    if (first && first.space !== this.#space) await this.#mark(first.space);
    return entries.length;
  }

  async #call(model: EmbeddingModelV4, texts: string[]): Promise<Vector[]> {
    const values = texts.map((text) => text.slice(0, MAX_EMBEDDED_CHARS));
    const abortSignal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    const { embeddings } = await model.doEmbed({ values, abortSignal });
    if (embeddings.length !== texts.length) throw new Error(`${embeddings.length} vectors for ${texts.length} texts`);
    return embeddings.map((values) => vectorOf(model.modelId, values));
  }

  /** Asks the model for one vector, to know its space, and marks the memories that have none there. */
  async #learnSpace(model: EmbeddingModelV4): Promise<boolean> {
    try {
      const [vector] = await this.#call(model, ['space']);
      if (vector) await this.#mark(vector.space);
      return vector !== undefined;
    } catch (error) {
      this.#pause(error);
      return false;
    }
  }

  async #mark(space: number): Promise<void> {
    await markWithout(this.#p.db, space);
    this.#space = space;
    this.#p.log.info({ space }, 'embedding space ready');
  }

  #pause(error: unknown): void {
    if (this.#stopped.signal.aborted) return;
    this.#p.log.warn({ err: error, pauseMs: this.#pauseMs }, 'embedding postponed');
    this.#pausedUntil = this.#p.clock.now() + this.#pauseMs;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }
}
