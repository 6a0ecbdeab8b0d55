/**
 * The ledger as one would explain it: a few maps of bigints, no database, no order of locks. Tests hold the real one
 * against it, step by step.
 */
export interface Funds {
  global: bigint;
  locked: Map<string, bigint>;
}

interface Hold {
  userId: string;
  /** In spending order: from credits locked to this creator, then from global ones. */
  parts: { creator: string | null; amount: bigint }[];
}

export class ReferenceLedger {
  readonly #free = new Map<string, Funds>();
  readonly #held = new Map<string, bigint>();
  readonly #holds: (Hold | null)[] = [];
  issued = 0n;
  revenue = 0n;

  funds(userId: string): Funds {
    const funds = this.#free.get(userId) ?? { global: 0n, locked: new Map() };
    this.#free.set(userId, funds);
    return funds;
  }

  held(userId: string): bigint {
    return this.#held.get(userId) ?? 0n;
  }

  grant(userId: string, amount: bigint, creator: string | null): void {
    this.issued += amount;
    this.#add(userId, creator, amount);
  }

  /** The index of the hold, or what was available when it does not fit. */
  hold(userId: string, amount: bigint, creator: string | null): { hold: number } | { available: bigint } {
    const parts = this.#take(userId, amount, creator);
    if (!parts) return { available: this.#spendable(userId, creator) };
    this.#held.set(userId, this.held(userId) + amount);
    return { hold: this.#holds.push({ userId, parts }) - 1 };
  }

  /** What was captured; undefined when the hold had ended. */
  settle(index: number, amount: bigint): bigint | undefined {
    const hold = this.#holds[index];
    if (!hold) return undefined;
    this.#holds[index] = null;
    let rest = amount;
    for (const part of hold.parts) {
      const captured = least(part.amount, rest);
      rest -= captured;
      this.revenue += captured;
      this.#add(hold.userId, part.creator, part.amount - captured);
    }
    this.#held.set(hold.userId, this.held(hold.userId) - hold.parts.reduce((sum, part) => sum + part.amount, 0n));
    return amount - rest;
  }

  gift(from: string, to: string, amount: bigint): boolean {
    if (!this.#take(from, amount, null)) return false;
    this.#add(to, null, amount);
    return true;
  }

  pay(member: string, creator: string, amount: bigint): boolean {
    if (!this.#take(member, amount, creator)) return false;
    this.#add(creator, null, amount);
    return true;
  }

  #spendable(userId: string, creator: string | null): bigint {
    const { global, locked } = this.funds(userId);
    return global + (creator ? (locked.get(creator) ?? 0n) : 0n);
  }

  #take(userId: string, amount: bigint, creator: string | null): Hold['parts'] | undefined {
    if (this.#spendable(userId, creator) < amount) return undefined;
    const lockedTo = creator ? (this.funds(userId).locked.get(creator) ?? 0n) : 0n;
    const first = least(lockedTo, amount);
    const parts = [
      { creator, amount: first },
      { creator: null, amount: amount - first },
    ].filter((part) => part.amount > 0n);
    for (const part of parts) this.#add(userId, part.creator, -part.amount);
    return parts;
  }

  #add(userId: string, creator: string | null, amount: bigint): void {
    const funds = this.funds(userId);
    if (creator) funds.locked.set(creator, (funds.locked.get(creator) ?? 0n) + amount);
    else funds.global += amount;
  }
}

function least(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}
