/** What lines of the ledger are for, and the label that the ledger keeps of each. */

/** What credits buy. */
const USED = { turn: 'turn', speech: 'speech', image: 'svc-image', video: 'svc-video' } as const;
const LABELS = { ...USED, tribe: 'tribe', gift: 'gift', grant: 'grant', hold: 'hold' } as const;

/** What work was paid for. */
export type UsageKind = keyof typeof USED;
/** What an entry of the ledger was for. */
export type LedgerKind = keyof typeof LABELS;

/** A kind in words, for pages. */
export const labelOf = (kind: LedgerKind): string => LABELS[kind];
/** Every kind in words. */
export const LEDGER_LABELS: readonly string[] = Object.values(LABELS);
/** Kinds of used credits in words. */
export const USED_LABELS: readonly string[] = Object.values(USED);

/** Undefined for what is no use of credits. */
export const usageOf = (label: string): UsageKind | undefined =>
  (Object.keys(USED) as UsageKind[]).find((kind) => USED[kind] === label);
