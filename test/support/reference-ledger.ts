/**
 * The ledger as one would explain it: a few maps of bigints, no database, no order of locks. Tests hold the real one
 * against it, step by step.
 */
export interface Funds {
  global: bigint;
  welcome: bigint;
  locked: Map<string, bigint>;
}

/** Credits locked to this creator, welcome credits, or global ones. */
type Kind = { creator: string } | 'welcome' | 'global';

interface Hold {
  userId: string;
  /** In spending order. */
  parts: { kind: Kind; amount: bigint }[];
}

export class ReferenceLedger {
  readonly #free = new Map<string, Funds>();
  readonly #held = new Map<string, bigint>();
  readonly #holds: (Hold | null)[] = [];
  issued = 0n;
  revenue = 0n;

  funds(userId: string): Funds {
    const funds = this.#free.get(userId) ?? { global: 0n, welcome: 0n, locked: new Map() };
    this.#free.set(userId, funds);
    return funds;
  }

  held(userId: string): bigint {
    return this.#held.get(userId) ?? 0n;
  }

  grant(userId: string, amount: bigint, kind: Kind): void {
    this.issued += amount;
    this.#add(userId, kind, amount);
  }

  /** The index of the hold, or what was available when it does not fit. */
  hold(userId: string, amount: bigint, creator: string | null): { hold: number } | { available: bigint } {
    const order = [...lockedTo(creator), 'welcome' as const, 'global' as const];
    const parts = this.#take(userId, amount, order);
    if (!parts) return { available: this.#spendable(userId, order) };
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
      this.#add(hold.userId, part.kind, part.amount - captured);
    }
    this.#held.set(hold.userId, this.held(hold.userId) - hold.parts.reduce((sum, part) => sum + part.amount, 0n));
    return amount - rest;
  }

  gift(from: string, to: string, amount: bigint): boolean {
    if (!this.#take(from, amount, ['global'])) return false;
    this.#add(to, 'global', amount);
    return true;
  }

  pay(member: string, creator: string, amount: bigint): boolean {
    if (!this.#take(member, amount, [...lockedTo(creator), 'global'])) return false;
    this.#add(creator, 'global', amount);
    return true;
  }

  #spendable(userId: string, order: Kind[]): bigint {
    return order.reduce((sum, kind) => sum + this.#of(userId, kind), 0n);
  }

  #take(userId: string, amount: bigint, order: Kind[]): Hold['parts'] | undefined {
    if (this.#spendable(userId, order) < amount) return undefined;
    const parts: Hold['parts'] = [];
    let rest = amount;
    for (const kind of order) {
      const part = least(this.#of(userId, kind), rest);
      rest -= part;
      if (part === 0n) continue;
      parts.push({ kind, amount: part });
      this.#add(userId, kind, -part);
    }
    return parts;
  }

  #of(userId: string, kind: Kind): bigint {
    const funds = this.funds(userId);
    return typeof kind === 'string' ? funds[kind] : (funds.locked.get(kind.creator) ?? 0n);
  }

  #add(userId: string, kind: Kind, amount: bigint): void {
    const funds = this.funds(userId);
    if (typeof kind === 'string') funds[kind] += amount;
    else funds.locked.set(kind.creator, this.#of(userId, kind) + amount);
  }
}

const lockedTo = (creator: string | null): Kind[] => (creator === null ? [] : [{ creator }]);

function least(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}
