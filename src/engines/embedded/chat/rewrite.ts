/**
 * Says a given line the character's way (`reinterpret`, `personality`): words exchanged, an
 * interjection before, an address within. Meaning, names, numbers and quotations stay; nothing is added as a fact.
 */

import { type ParsedPersona, REWRITE_MAX_CHARS } from '../../../persona/prompt.ts';
import { lowerFirst } from '../../../text/letters.ts';
import { readCharacter } from './character.ts';
import { foreignOpener } from './foreign.ts';
import { detectLanguage } from './language.ts';
import { join, keep, tidy, Voice } from './voice.ts';

/** Names (a capital inside a sentence), numbers, quotations and links: not ours to change. */
const FIXED =
  /["“][^"”]*["”]|https?:\/\/\S+|\S+@\S+|(?<=[\p{L},;] )\p{Lu}[\p{L}'’-]+|\p{L}*\p{N}[\p{L}\p{N}.,:]*(?<![.,:])/gu;

/** The rewritten line, at most `REWRITE_MAX_CHARS` code points; the line itself when it is too long to dress. */
export function rewrite(input: ParsedPersona): string {
  const line = (input.text ?? '').replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  const language = input.language?.slice(0, 2).toLowerCase() ?? detectLanguage(line) ?? 'en';
  const made = language === 'en' ? english(input, line) : other(input, line, language);
  if ([...made].length <= REWRITE_MAX_CHARS) return made;
  return [...line].slice(0, REWRITE_MAX_CHARS).join('');
}

function other(input: ParsedPersona, line: string, language: string): string {
  const character = readCharacter(input.name, input.personalityPrompt);
  const opener = foreignOpener(character.seed, language, line);
  return tidy(opener ? join(opener, keep(line)) : line);
}

function english(input: ParsedPersona, line: string): string {
  const character = readCharacter(input.name, input.personalityPrompt);
  const voice = new Voice(character, `rewrite|${line}`, '', {});
  const worded = voice.worded(line.replace(FIXED, (fixed) => keep(fixed)));
  const addressed =
    character.manner && voice.chance('vocative') < 0.7
      ? address(worded, voice.pick(character.manner.vocatives, 'vocative'))
      : worded;
  const opener = voice.pick(voice.openers(), 'opener');
  const said = tidy(join(opener, addressed));
  const catchphrase = character.catchphrases[0];
  return catchphrase && !said.includes(catchphrase) ? `${said} ${catchphrase}` : said;
}

/** ", matey" before the end of the first sentence. */
function address(text: string, vocative: string): string {
  const end = /[.!?](?=\s|$)/.exec(text);
  const low = lowerFirst(vocative);
  return end ? `${text.slice(0, end.index)}, ${low}${text.slice(end.index)}` : `${text}, ${low}`;
}
