/**
 * Names for SQL texts, so that PostgreSQL parses and plans each once a connection and not at every run: most of ours are so
 * short that parsing and planning would be most of their cost. Holds no values. (`prepared.ts` builds such texts with Kysely.)
 */

/** A row as `pg` returns it, by column name or alias. */
export type Row = Record<string, unknown>;

/** The row that must be there: of an insert, of a sum, of what was just locked. */
export function one<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('A statement that always has a row had none.');
  return row;
}

/** Our own statements are some hundreds; whatever builds texts without end goes unnamed beyond this. */
const MAX_NAMED = 2_000;

/** Runs SQL texts by name, so that PostgreSQL parses and plans each once a connection. */
export class NamedStatements {
  readonly #names = new Map<string, string>();
  readonly #limit: number;

  /** @param keepsNames false where a statement may next run on a connection that does not know its name */
  constructor(keepsNames = true) {
    this.#limit = keepsNames ? MAX_NAMED : 0;
  }

  /** The statement as `pg` takes it: named, unless there are too many names already. */
  named(text: string, values: unknown[]): { name?: string; text: string; values: unknown[] } {
    let name = this.#names.get(text);
    if (name === undefined && this.#names.size < this.#limit) {
      name = `s${this.#names.size}`;
      this.#names.set(text, name);
    }
    return name === undefined ? { text, values } : { name, text, values };
  }
}
