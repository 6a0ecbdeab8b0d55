/** Callbacks of one event, called in the order in which they were added. */
export class Listeners<Given extends unknown[]> {
  readonly #all = new Set<(...given: Given) => void>();

  /** Adds a callback; what it returns removes it. */
  add(listener: (...given: Given) => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  call(...given: Given): void {
    for (const listener of this.#all) listener(...given);
  }
}
