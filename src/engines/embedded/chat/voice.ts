/**
 * Chooses how a thing is said: among the lines of an occasion those of the character's tone, one not said yet. What is
 * said is the line and nothing around it, save what the persona itself orders for every reply.
 */
import { upperFirst } from '../../ports/chat.ts';
import type { Character } from './character.ts';
import { shuffled } from './seed.ts';
import type { Lines, Tone } from './types.ts';

/** Values that fill the braces of a line. */
export type Slots = Record<string, string | undefined>;

/** Where the lines of a tone are all said, those of these follow. */
const NEXT: Record<Tone, Tone[]> = {
  formal: ['warm', 'terse'],
  warm: ['formal', 'playful'],
  terse: ['formal', 'warm'],
  playful: ['warm', 'formal'],
};

/** The line with its slots filled; undefined when one of them has no value. */
export function fill(line: string, slots: Slots): string | undefined {
  let missing = false;
  const filled = line.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const value = slots[slot];
    if (!value) missing = true;
    return value ?? '';
  });
  return missing ? undefined : upperFirst(filled);
}

/** Letters and numbers alone, for comparing what was said. */
function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Chooses wordings in the avatar's tone, and repeats none. */
export class Voice {
  readonly character: Character;
  readonly slots: Slots;
  /** Everything the avatar has said so far, normalised. */
  readonly #said: string;
  readonly #salt: string;

  constructor(character: Character, salt: string, said: string, slots: Slots) {
    this.character = character;
    this.#salt = `${character.seed}|${salt}`;
    this.#said = ` ${normal(said)} `;
    this.slots = {
      name: character.name || undefined,
      interest: shuffled(character.likes, this.#salt)[0],
      ...slots,
    };
  }

  /** True when this has been said before in this conversation. */
  wasSaid(text: string): boolean {
    const said = normal(text);
    return said !== '' && this.#said.includes(` ${said} `);
  }

  /** A line for this occasion, filled: one not said yet, else the one not said for longest. '' when none can be filled. */
  pick(lines: Lines | readonly string[], salt: string, slots: Slots = {}): string {
    const all = { ...this.slots, ...slots };
    let oldest: { line: string; at: number } | undefined;
    for (const raw of this.#inOrder(lines, salt)) {
      const line = fill(raw, all);
      if (line === undefined) continue;
      const at = this.#said.lastIndexOf(` ${normal(line)} `);
      if (at < 0) return line;
      if (!oldest || at < oldest.at) oldest = { line, at };
    }
    return oldest?.line ?? '';
  }

  #inOrder(lines: Lines | readonly string[], salt: string): readonly string[] {
    if (isList(lines)) return shuffled(lines, this.#salt + salt);
    const { tone } = this.character;
    return [tone, ...NEXT[tone]].flatMap((name) => shuffled(lines[name], this.#salt + salt));
  }

  order<T>(list: readonly T[], salt: string): T[] {
    return shuffled(list, this.#salt + salt);
  }

  /** The whole reply: these lines, between what the persona begins and ends every reply with. */
  say(lines: readonly string[]): string {
    const { startsWith, endsWith } = this.character;
    return tidy([startsWith, ...lines, endsWith].filter(Boolean).join(' '));
  }
}

const isList = (lines: Lines | readonly string[]): lines is readonly string[] => Array.isArray(lines);

/** Single spaces, a capital at the beginning, a mark at the end. */
export function tidy(text: string): string {
  const clean = text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])(?=\s|$)/g, '$1')
    .replace(/([.!?])\1?[.](?=\s|$)/g, '$1')
    .trim();
  const ended = /[.!?…。！？][”"')\]]*$/.test(clean) ? clean : `${clean}.`;
  return ended.replace(/^['"“]?\p{Ll}/u, (letter) => letter.toUpperCase());
}
