/** Which known name was meant by another one: by the letters that were left out, added, changed or swapped. */

/** At most one letter in this many may differ, and two in any case. */
const LETTERS_A_FAULT = 3;
const FAULTS = 2;
/** Names longer than this are no slip, and comparing them takes time. */
const NAME_CHARS = 60;

/** The known name that is nearest to the given one, whatever the case; undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > NAME_CHARS) return undefined;
  const written = name.toLowerCase();
  const allowed = Math.max(FAULTS, Math.floor(name.length / LETTERS_A_FAULT));
  const ranked = known
    .map((one) => ({ one, faults: distance(written, one.toLowerCase()) }))
    .filter(({ one, faults }) => faults <= Math.min(allowed, one.length - 1))
    .sort((a, b) => a.faults - b.faults);
  return ranked[0]?.one;
}

/** Edits from one word to the other; two neighbours that changed places are one edit (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(before, j - 2) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0;
