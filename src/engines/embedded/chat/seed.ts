/** Choices without dice: the same persona, question and history always choose the same, others choose otherwise. */

/** FNV-1a with a final mix, as an unsigned 32-bit number. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The list in an order that only the seed decides. */
export function shuffled<T>(list: readonly T[], seed: string): T[] {
  return list
    .map((item, index) => ({ item, at: hash(`${seed}|${index}`) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
