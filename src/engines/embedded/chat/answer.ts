/** Answers a question with cited sentences and nothing else (`query` without a language model). */
import type { ParsedPersona } from '../../ports/chat.ts';
import { YOUR_FACTS } from './data/your-facts.ts';
import { languageOf } from './language.ts';
import { find, MIN_SHARE } from './lookup.ts';

const MAX_SENTENCES = 3;
/** A further sentence must match nearly as well as the best. */
const NEAR_BEST = 0.8;

/** Up to three quoted sentences, each ending in its id: "Ada lives in Paris [m1]." */
export function citedAnswer(input: ParsedPersona): string {
  const items = [...input.memories, ...input.knowledge];
  const found = find(input.userText, items).filter(({ share }) => share >= MIN_SHARE);
  const best = found[0];
  if (!best) return YOUR_FACTS[languageOf(input)]?.unknown ?? 'I do not know; nothing I remember answers that.';
  const told = new Set<string>();
  const lines: string[] = [];
  for (const row of found) {
    if (row.score < best.score * NEAR_BEST || lines.length >= MAX_SENTENCES) break;
    if (told.has(row.text)) continue;
    told.add(row.text);
    const end = /[.!?…]+$/.exec(row.text)?.[0] ?? '.';
    lines.push(`${row.text.replace(/[.!?…]+$/, '')} [${items[row.item]?.id}]${end}`);
  }
  return lines.join(' ');
}
