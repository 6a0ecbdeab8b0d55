/**
 * Says a given line the character's way (`reinterpret`, `personality`): words are exchanged for those of its manner and
 * tone. Meaning, names, numbers, quotations and the language stay; nothing is added but its address for the listener.
 */

import { type ParsedPersona, REWRITE_MAX_CHARS, upperFirst } from '../../ports/chat.ts';
import { type Character, readCharacter } from './character.ts';
import { TONE_WORDING } from './data/tones.ts';
import { detectLanguage } from './language.ts';
import { tidy } from './voice.ts';

/** Names (a capital inside a sentence), numbers, quotations and links: not ours to change. */
const FIXED =
  /["“][^"”]*["”]|https?:\/\/\S+|\S+@\S+|(?<=[\p{L},;] )\p{Lu}[\p{L}'’-]+|\p{L}*\p{N}[\p{L}\p{N}.,:]*(?<![.,:])/gu;

/** The rewritten line, at most `REWRITE_MAX_CHARS` code points. */
export function rewrite(input: ParsedPersona): string {
  const line = (input.text ?? '').replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  const language = input.language?.slice(0, 2).toLowerCase() ?? detectLanguage(line) ?? 'en';
  const made = language === 'en' ? inManner(readCharacter(input.name, input.personalityPrompt), line) : tidy(line);
  if ([...made].length <= REWRITE_MAX_CHARS) return made;
  return [...line].slice(0, REWRITE_MAX_CHARS).join('');
}

function inManner(character: Character, line: string): string {
  const { manner, tone, startsWith, endsWith } = character;
  const wording = { ...(character.self.length > 0 ? TONE_WORDING[tone] : {}), ...manner?.wording };
  const worded = exchange(line, wording);
  const said = manner && worded === line ? addressed(line, manner.address) : worded;
  return tidy([startsWith, said, endsWith].filter(Boolean).join(' '));
}

/** Every word is exchanged once: what one rule wrote, no other rule sees. Longer phrases come first. */
function exchange(text: string, wording: Record<string, string>): string {
  const kept: string[] = [];
  const hide = (part: string) => {
    kept.push(part);
    return `\ue000${kept.length - 1}\ue001`;
  };
  let out = text.replace(FIXED, hide);
  for (const [from, to] of Object.entries(wording).sort((a, b) => b[0].length - a[0].length)) {
    out = out.replace(new RegExp(`(?<![\\p{L}'’])${from.replace("'", "['’]")}(?![\\p{L}'’])`, 'giu'), (found) =>
      hide(/^\p{Lu}/u.test(found) && !/^I\b/.test(found) ? upperFirst(to) : to),
    );
  }
  return out.replace(/\ue000(\d+)\ue001/g, (_, index: string) => kept[Number(index)] ?? '');
}

/** ", matey" before the end of the first sentence. */
function addressed(text: string, address: string): string {
  const end = /[.!?](?=\s|$)/.exec(text);
  return end ? `${text.slice(0, end.index)}, ${address}${text.slice(end.index)}` : `${text}, ${address}`;
}
