/** Keeps the engine, which quotes, from what it must not disclose: sentences that forbid something are removed from its input. */
import { disclosable, type ParsedPersona } from '../../ports/chat.ts';

/**
 * The prompt without what must not be disclosed. What the persona and memories forbid holds for everything; what a page of
 * knowledge forbids, for its own text ("visitors may not share tickets" is no secret about tickets).
 */
export function discreet(input: ParsedPersona): ParsedPersona {
  const texts = [
    { text: input.personalityPrompt ?? '', rules: true },
    ...input.memories.map(({ text }) => ({ text, rules: true })),
    ...input.knowledge.map(({ text }) => ({ text, rules: false })),
  ];
  const [personalityPrompt, ...open] = disclosable(texts);
  const opened = <T extends { text: string }>(items: T[], from: number): T[] =>
    items.map((item, index) => ({ ...item, text: open[from + index] ?? '' })).filter(({ text }) => text !== '');
  return {
    ...input,
    ...(input.personalityPrompt ? { personalityPrompt: personalityPrompt ?? '' } : {}),
    memories: opened(input.memories, 0),
    knowledge: opened(input.knowledge, input.memories.length),
  };
}
