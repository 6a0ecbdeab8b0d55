/**
 * Says things the character's way: chooses among lines, exchanges words, puts an interjection before and a remark
 * behind. What is wrapped by `keep` (names, facts, quotations) passes through untouched.
 */
import type { Character } from './character.ts';
import { LOWERABLE } from './data/lists.ts';
import {
  DISLIKE_CLOSERS,
  INTEREST_CLOSERS,
  PLAIN_CLOSERS,
  PLAIN_OPENERS,
  SOFT_CLOSERS,
  SOFT_OPENERS,
  WHOLE_OPENERS,
} from './data/plain.ts';
import { chance, shuffled } from './seed.ts';

const OPEN = '\ue000';
const CLOSE = '\ue001';
/** How many of the plain openers and closers one character uses. */
const OWN_PLAIN = 9;

/** And one that has a manner. */
const FEW_PLAIN = 3;
const OWN_SOFT = 6;

/** How often a reply opens, opens although it closes too, and closes: a character more than a merely pleasant avatar. */
const SHAPES = {
  character: { opener: 1, openerToo: 0.55, closer: 0.45 },
  pleasant: { opener: 0.55, openerToo: 0.3, closer: 0.25 },
};

/** A line that opens with an interjection of its own takes no other. */
const INTERJECTION =
  /^(?:oh|ah|hm|honestly|well|so|hello|hi|yes|no|once more|do not worry|sorry|also|besides|on top of that|what is more|and there is more)\b[,!?. ]/i;

/** How a reply is dressed: `soft` for sorrow (no jollity), `plain` for none at all. */
export interface Style {
  opener?: boolean;
  closer?: boolean;
  soft?: boolean;
  plain?: boolean;
}

/** Marks a span that no word exchange may touch. */
export function keep(text: string): string {
  return OPEN + text.replaceAll(OPEN, '').replaceAll(CLOSE, '') + CLOSE;
}

export function unkept(text: string): string {
  return text.replaceAll(OPEN, '').replaceAll(CLOSE, '');
}

export type Slots = Record<string, string | undefined>;

/** The line with its slots filled; undefined when one of them has no value. */
export function fill(line: string, slots: Slots): string | undefined {
  let missing = false;
  const filled = line.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const value = slots[slot];
    if (!value) missing = true;
    return value ?? '';
  });
  return missing ? undefined : filled;
}

/**
 * Puts words before a sentence. Its first word loses its capital, unless the word is "I" or is kept (a name, a fact),
 * when only plain function words lose it.
 */
export function join(before: string, sentence: string): string {
  if (!/[,:]$|\bthat$/.test(before)) return `${before} ${sentence}`;
  const first = /^[\ue000]?([\p{L}']+)/u.exec(sentence)?.[1] ?? '';
  const ours = !sentence.startsWith(OPEN) || LOWERABLE.has(first.toLowerCase());
  const low = ours && first !== 'I' && !first.startsWith("I'");
  return `${before} ${low ? sentence.replace(/\p{L}/u, (letter) => letter.toLowerCase()) : sentence}`;
}

export function normal(text: string): string {
  return unkept(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export class Voice {
  readonly character: Character;
  readonly slots: Slots;
  /** Everything the avatar has said so far, normalised. */
  readonly #said: string;
  readonly #salt: string;
  readonly #lexicon: [RegExp, string][];

  constructor(character: Character, salt: string, said: string, slots: Slots) {
    this.character = character;
    this.#salt = `${character.seed}|${salt}`;
    this.#said = ` ${normal(said)} `;
    this.#lexicon = lexiconOf(character);
    const likes = shuffled(character.likes.length > 0 ? character.likes : (character.manner?.likes ?? []), this.#salt);
    const vocatives = shuffled(character.manner?.vocatives ?? [], this.#salt);
    const call =
      slots.speaker && (vocatives.length === 0 || chance(`${this.#salt}call`) < 0.4)
        ? slots.speaker
        : (vocatives[0] ?? slots.speaker ?? 'my friend');
    this.slots = {
      name: character.name ? keep(character.name) : undefined,
      interest: likes[0] && keep(likes[0]),
      interest2: likes[1] && keep(likes[1]),
      dislike: character.dislikes[0] && keep(character.dislikes[0]),
      role: character.role && keep(character.role),
      call: slots.speaker === call ? keep(call) : call,
      ...slots,
    };
  }

  /** True when this has been said before in this conversation. */
  wasSaid(text: string): boolean {
    const said = normal(this.worded(text));
    return said !== '' && this.#said.includes(` ${said} `);
  }

  /** One of the lines, filled: one not said yet, else the one not said for longest. '' when none can be filled. */
  pick(lines: readonly string[], salt: string, slots: Slots = {}): string {
    const all = { ...this.slots, ...slots };
    let best: { line: string; at: number } | undefined;
    for (const raw of shuffled(lines, this.#salt + salt)) {
      const line = fill(raw, all);
      if (line === undefined) continue;
      const at = this.#said.lastIndexOf(` ${normal(this.worded(line))} `);
      if (at < 0) return line;
      if (!best || at < best.at) best = { line, at };
    }
    return best?.line ?? '';
  }

  chance(salt: string): number {
    return chance(this.#salt + salt);
  }

  order<T>(list: readonly T[], salt: string): T[] {
    return shuffled(list, this.#salt + salt);
  }

  /** The openers this character uses. */
  openers(): string[] {
    const { manner, moods, seed } = this.character;
    const own = [...(manner?.openers ?? []), ...moods.flatMap((mood) => mood.openers)];
    const plain = shuffled(PLAIN_OPENERS, `${seed}o`).slice(0, own.length >= 5 ? FEW_PLAIN : OWN_PLAIN);
    return [...own, ...plain];
  }

  closers(): string[] {
    const { manner, moods, likes, dislikes, catchphrases, seed } = this.character;
    const own = [...(manner?.closers ?? []), ...moods.flatMap((mood) => mood.closers)];
    const loved = likes.length > 0 ? shuffled(INTEREST_CLOSERS, `${seed}i`).slice(0, 4) : [];
    const hated = dislikes.length > 0 ? shuffled(DISLIKE_CLOSERS, `${seed}d`).slice(0, 1) : [];
    const plain = shuffled(PLAIN_CLOSERS, `${seed}c`).slice(0, own.length >= 4 ? FEW_PLAIN : OWN_PLAIN);
    return [...catchphrases.map(keep), ...catchphrases.map(keep), ...own, ...loved, ...hated, ...plain];
  }

  /** The whole reply in this voice: opener, the lines, closer. Every line is one or more whole sentences. */
  dress(lines: string[], style: Style = {}): string {
    const body = lines.filter(Boolean).join(' ');
    if (style.plain) return tidy(body);
    const asks = /\?$/.test(unkept(body).trim());
    const { manner, moods, likes, startsWith, endsWith } = this.character;
    const shape =
      manner || moods.length > 0 || likes.length > 0 || this.character.self.length > 0
        ? SHAPES.character
        : SHAPES.pleasant;
    const closes = style.closer !== false && !asks && this.chance('closer') < shape.closer;
    // A character is never without a mark of its own: what opens with an interjection takes a whole one before it.
    const interjects = INTERJECTION.test(unkept(body));
    const marked = shape.opener === 1;
    const opens =
      style.opener !== false &&
      (interjects ? marked && !closes : this.chance('opener') < (closes ? shape.openerToo : shape.opener));
    const opener = style.soft ? this.pick(this.#softOpeners(), 'soft') : opens ? this.#opener(interjects) : '';
    const closer = style.soft
      ? asks
        ? ''
        : this.pick(this.#softClosers(), 'softc')
      : closes
        ? this.pick(this.closers(), 'closer')
        : '';
    const said = opener ? join(opener, body) : body;
    return tidy(
      [startsWith && keep(startsWith), this.worded(`${said} ${closer}`), endsWith && keep(endsWith)]
        .filter(Boolean)
        .join(' '),
    );
  }

  /** An opener, whole (not ending in a comma) where asked for, sometimes with an address in it. */
  #opener(whole: boolean): string {
    const all = this.openers();
    const opener =
      this.pick(whole ? all.filter((line) => /[.!]$/.test(line)) : all, 'opener') || this.pick(WHOLE_OPENERS, 'opener');
    const call =
      this.character.manner && this.chance('address') < 0.4
        ? this.pick(this.character.manner.vocatives, 'address')
        : '';
    return call && /[,!]$/.test(opener) ? `${opener.slice(0, -1)}, ${call}${opener.at(-1)}` : opener;
  }

  #softOpeners(): string[] {
    return shuffled(SOFT_OPENERS, `${this.character.seed}so`).slice(0, OWN_SOFT);
  }

  #softClosers(): string[] {
    return shuffled(SOFT_CLOSERS, `${this.character.seed}sc`).slice(0, OWN_SOFT);
  }

  /** The character's words for these, without opener and closer. What is kept stays. */
  worded(text: string): string {
    if (this.#lexicon.length === 0) return text;
    return text
      .split(/(\ue000[^\ue001]*\ue001)/)
      .map((part) => (part.startsWith(OPEN) ? part : exchange(part, this.#lexicon)))
      .join('');
  }
}

const compiled = new Map<string, [RegExp, string][]>();

function lexiconOf(character: Character): [RegExp, string][] {
  const { manner } = character;
  if (!manner?.lexicon) return [];
  const known = compiled.get(manner.id);
  if (known) return known;
  // Longer phrases first, so that "you are" is met before "you".
  const entries = Object.entries(manner.lexicon).sort((a, b) => b[0].length - a[0].length);
  const made = entries.map(([from, to]): [RegExp, string] => [new RegExp(`\\b${from}\\b(?!['’])`, 'gi'), to]);
  compiled.set(manner.id, made);
  return made;
}

/** Every word is exchanged once: what one rule wrote, no other rule sees. */
function exchange(text: string, lexicon: [RegExp, string][]): string {
  const done: string[] = [];
  let out = text;
  for (const [pattern, to] of lexicon) {
    out = out.replace(pattern, (found) => {
      done.push(/^\p{Lu}/u.test(found) && found !== 'I' ? to.replace(/\p{L}/u, (letter) => letter.toUpperCase()) : to);
      return `\ue002${done.length - 1}\ue003`;
    });
  }
  return out.replace(/\ue002(\d+)\ue003/g, (_, index: string) => done[Number(index)] ?? '');
}

/** Single spaces, capitals after full stops, an end. */
export function tidy(text: string): string {
  const clean = unkept(text)
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])(?=\s|$)/g, '$1')
    .replace(/([.!?])\1?[.](?=\s|$)/g, '$1')
    .replace(
      /([.!?] )(['"“]?)(\p{Ll})/gu,
      (_, end: string, mark: string, letter: string) => end + mark + letter.toUpperCase(),
    )
    .trim();
  const ended = /[.!?…。！？][”"')]*$/.test(clean) ? clean : `${clean}.`;
  return ended.replace(/^['"“]?\p{Ll}/u, (letter) => letter.toUpperCase());
}
