/**
 * Reads a personality prompt: what it says of the character, in the first person, what it says of the world, as it
 * stands, and which manner and tone it calls for. It takes the owner's words and adds no facts.
 */

import { LRUCache } from 'lru-cache';
import { lowerFirst, plainEnglish, RELATIONS, upperFirst } from '../../ports/chat.ts';
import { CONDITION, INSTRUCTION, VERBS } from './data/lists.ts';
import { MANNERS } from './data/manners.ts';
import { TONE_WORDS } from './data/tones.ts';
import { FINITE, sentencesOf } from './passages.ts';
import { theyToI, youToI } from './person.ts';
import type { Manner, Tone } from './types.ts';

/** What a personality says of the avatar. */
export interface Character {
  name: string;
  /** Name and personality: what all its choices are seeded with. */
  seed: string;
  /** What it says about itself, first person, in the order of the persona. */
  self: string[];
  /** What it knows of the world, in the persona's words: sentences that are about something else than itself. */
  facts: string[];
  /** "a grumpy pirate who loves rum". */
  role?: string;
  likes: string[];
  dislikes: string[];
  catchphrases: string[];
  /** Words with which the persona has every reply begin or end. */
  startsWith?: string;
  endsWith?: string;
  manner?: Manner;
  tone: Tone;
}

const MAX_INTEREST_CHARS = 40;
const CACHE_SIZE = 200;
const cache = new LRUCache<string, Character>({ max: CACHE_SIZE });

/** The character of a name and its personality prompt. The last `CACHE_SIZE` are kept: reading one takes about 1 ms. */
export function readCharacter(name: string, personality: string | undefined): Character {
  const seed = `${name}\n${personality ?? ''}`;
  const known = cache.get(seed);
  if (known) return known;
  const made = build(name, personality?.trim() ?? '', seed);
  cache.set(seed, made);
  return made;
}

function build(name: string, personality: string, seed: string): Character {
  const lines = personalitySentences(personality);
  const self: string[] = [];
  const facts: string[] = [];
  let aboutSelf = true;
  for (const [at, line] of lines.entries()) {
    if (INSTRUCTION.test(line) || (CONDITION.test(line) && !/^when (?:you|i) (?:are|was|were|am)\b/i.test(line)))
      continue;
    aboutSelf = (at === 0 && isRoleAlone(line)) || isAboutSelf(line, name, aboutSelf);
    if (!aboutSelf) {
      facts.push(/[.!?]$/.test(line) ? line : `${line}.`);
      continue;
    }
    const said = inFirstPerson(line, name, at === 0);
    if (said.length > 3) self.push(said);
  }
  const calling = lines
    .filter(
      (line) =>
        !/\b(?:(?:do|does) not (?:really )?(?:like|love|enjoy|care for)|hates?|dislikes?|despises?|never|not|fears?|enem(?:y|ies)|against)\b/i.test(
          line,
        ),
    )
    .join('. ');
  // What it IS gives the manner, not what it mentions: "born on this machine" makes no robot.
  const identity = lines.filter((line, index) => index === 0 || IDENTITY.test(line)).join('. ');
  const manner = earliest(MANNERS, `${identity}. ${name}`);
  return {
    name,
    seed,
    self,
    facts,
    ...roleOf(self),
    likes: objectsOf(
      lines,
      /\b(?:loves?|likes?|enjoys?|adores?|fond of|obsessed with|passionate about|crazy about|interested in|fan of|collects?|lives? for)\s+([^.;!?]+)/gi,
    ),
    dislikes: objectsOf(
      lines,
      /\b(?:hates?|dislikes?|despises?|detests?|can ?not stand|loathes?|fears?|afraid of|scared of)\s+([^.;!?]+)/gi,
    ),
    catchphrases: catchphrasesOf(personality),
    ...framesOf(personality),
    ...(manner ? { manner } : {}),
    tone: toneOf(calling) ?? manner?.tone ?? 'warm',
  };
}

/** Sentences that say what a person is, rather than what they do or know. */
const IDENTITY =
  /\b(?:you are|i am|he is|she is|they are|act as|pretend to be|role-?play|play|be) (?:like )?(?:an?|the)\b/i;

/** The tone whose word comes first. */
function toneOf(text: string): Tone | undefined {
  let best: { at: number; tone: Tone } | undefined;
  for (const [tone, words] of TONE_WORDS) {
    const at = text.search(words);
    if (at >= 0 && (!best || at < best.at)) best = { at, tone };
  }
  return best?.tone;
}

const TO_ONESELF = /\b(?:you|your|yours|yourself|i|me|my|mine|myself|i'm|you're)\b/i;
const THIRD_PERSON = /^(?:he|she|his|her|they|their)\b/i;
/** A role or trait without a subject is short: "A shy librarian who ...", "Grumpy, loves rum". */
const MOST_ROLE_WORDS = 12;

/** "A cook with a moustache, a man who asks what is in your fridge": as the first sentence of a persona, however long. */
function isRoleAlone(line: string): boolean {
  const [described = ''] = line.split(/\b(?:who|which|that|whose)\b/i, 1);
  return /^an? /i.test(line) && !described.split(/[\s,;]+/).some((word) => FINITE.test(word.toLowerCase()));
}

/**
 * Whether a sentence of a persona speaks of the character: to "you", as "I", by its name, as "he" behind such a one, or
 * as a role without a subject. "The pole star is Polaris" and whatever an encyclopedia says do not.
 */
function isAboutSelf(line: string, name: string, wasAboutSelf: boolean): boolean {
  // "King Charles I" is not the first person.
  if (TO_ONESELF.test(line.replace(/(?<=\p{Lu}\p{L}+ )I\b/gu, ''))) return true;
  const called = name
    .trim()
    .split(/\s+/)
    .filter((part) => /^\p{L}{2,}/u.test(part));
  if (
    called.some((part) =>
      new RegExp(`(?<![\\p{L}])${part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}])`, 'u').test(line),
    )
  )
    return true;
  if (THIRD_PERSON.test(line)) return wasAboutSelf;
  if (/^(?:it|its|this|these|those|such|there)\b/i.test(line)) return false;
  if (/^(?:act as|pretend|role-?play|play|imagine|be)\b/i.test(line)) return true;
  if (/^(?:loves?|hates?|likes?|lives?|works?|enjoys?|speaks?|knows?|believes?|owns?|runs?)\b/i.test(line)) return true;
  const main = line.replace(/\b(?:who|which|that|whose)\b[^,;]*/gi, '').split(/[\s,;]+/);
  if (!wasAboutSelf || main.length > MOST_ROLE_WORDS) return false;
  const isRole = /^(?:an?|the|one)$/i.test(main[0] ?? '');
  return !main.some((word, i) => i > 0 && FINITE.test(word.toLowerCase()) && !(isRole && /ed$/.test(word)));
}

function personalitySentences(text: string): string[] {
  return plainEnglish(text)
    .replace(
      /\b(you)'(re|ve|ll)\b/gi,
      (_, you: string, end: string) => `${you} ${end === 're' ? 'are' : end === 've' ? 'have' : 'will'}`,
    )
    .split(/\n+/)
    .flatMap(sentencesOf)
    .map((line) =>
      line
        .replace(/^[\s\-*•#>]+/, '')
        .replace(/[\s.;:]+$/, '')
        .trim(),
    )
    .filter((line) => /\p{L}{2}/u.test(line));
}

/** "You play the cello" is a role in no sentence but the first. */
const PLAYS = /^you play (?!the role of\b)/i;

/** A sentence of a persona, in whatever person it is written, in the first person, with a full stop. */
function inFirstPerson(line: string, name: string, isFirst: boolean): string {
  const acted =
    (isFirst || !PLAYS.test(line)) &&
    /^(?:act as|pretend to be|role-?play as|play|imagine (?:that )?you are|you(?: a|')re playing|you play(?: the role of)?|be) (an? .+|the .+)$/i.exec(
      line,
    );
  const sentence = acted ? `You are ${acted[1]}` : line;
  const done = (text: string) => `${upperFirst(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
  // "You" beside a "he" or behind a role is who talks with it.
  if (/^(?:he|she)\b/i.test(sentence)) return done(theyToI(sentence, name));
  if (isRoleAlone(sentence)) return done(`I am ${lowerFirst(sentence)}`);
  if (/\byou(?:r|'re)?\b/i.test(sentence)) return done(ownInRole(youToI(sentence)));
  if (/^(?:I|my)\b/i.test(sentence)) return done(sentence);
  // "Captain Flint is ..." leaves the title before the "I".
  const third = theyToI(sentence, name).replace(
    /^(?:\p{Lu}\p{L}+\.? ){1,2}(?=I (?:am|was|have|had|will|can|\p{Ll}+)\b)/u,
    '',
  );
  if (third !== sentence) return done(third);
  if (/^(?:an?|the) /i.test(sentence)) return done(`I am ${lowerFirst(sentence)}`);
  if (/^(?:loves?|hates?|likes?|lives?|works?|enjoys?|speaks?|knows?|believes?|owns?|runs?)\b/i.test(sentence)) {
    return done(sentence.replace(/^\w+/, (verb) => `I ${verb.toLowerCase().replace(/s$/, '')}`));
  }
  return nounPhrase(sentence);
}

/** "I am a baker who works with her sister": the sister is mine. Whose strengths or garden it is cannot be known. */
const ownInRole = (text: string): string =>
  text.replace(
    /^(I am\b[^.;]*?\bwho (?:lives?|works?|runs?|owns?|keeps?|travels?|sails?|performs?)\b[^.;,]*? with )(?:his|her)(?= (?:\p{Ll}+ )?(\p{Ll}+))/u,
    (whole, before: string, noun: string) => (RELATIONS.has(noun) ? `${before}my` : whole),
  );

/** "Grumpy pirate, loves rum" -> "I am a grumpy pirate, I love rum." Anything unclear is left out. */
function nounPhrase(line: string): string {
  const [head, ...rest] = line.split(/,\s*/);
  if (!head || head.split(' ').length > 7 || !/^[\p{L}' -]+$/u.test(head)) return '';
  const low = lowerFirst(head);
  const last = low.replace(/^.* /s, '');
  const noun =
    MANNERS.some((manner) => manner.words.test(last)) || /(?:er|or|ist|ian|man|woman|girl|boy|cat|dog)$/.test(last);
  const said = noun
    ? `I am ${/^[aeiou]/.test(low) ? 'an' : 'a'} ${low}`
    : `I am ${[low, ...rest.splice(0)].join(', ')}`;
  const verbs = rest.map((part) =>
    part.replace(/^(loves|hates|likes|lives|works|enjoys|speaks)\b/i, (verb) => `I ${verb.toLowerCase().slice(0, -1)}`),
  );
  return noun || /(?:y|ful|ous|ed|ing|ish|ic|ive|ly|al|m|d|t|e)$/.test(last)
    ? `${[said, ...verbs.filter((part) => part.startsWith('I '))].join(', ')}.`
    : '';
}

function roleOf(self: string[]): { role?: string } {
  for (const line of self) {
    const [, role = ''] = /\bI am (?:called |named |[A-Z][\w' ]*?, )?((?:an?|the|one of) [^.;!?]+)/.exec(line) ?? [];
    if (role && role.length < 90) return { role: role.replace(/,? (?:and|but) I\b.*$/, '').replace(/,\s*$/, '') };
  }
  return {};
}

/** How far before a verb its "not" may stand, in characters. */
const NEGATED_WITHIN = 30;
/** "does not like ..." is a dislike. */
const NEGATED = /\b(?:not|never|no longer|hardly)(?: \p{L}+)?\s+$/iu;

/** "rum, gold and sea shanties" -> three interests. */
function objectsOf(lines: string[], pattern: RegExp): string[] {
  const found = new Set<string>();
  for (const line of lines) {
    for (const match of line.matchAll(pattern)) {
      const [, object = ''] = match;
      if (NEGATED.test(line.slice(Math.max(0, match.index - NEGATED_WITHIN), match.index))) continue;
      const [phrase = ''] = object.split(
        /\b(?:but|because|when|while|who|which|that|so|although|if|hates?|loves?|dislikes?|you|never|always|speaks?|lives?|works?)\b/i,
      );
      for (const part of phrase.split(/,\s*(?:and\s+)?|\s+and\s+/)) {
        const interest = part
          .replace(/^(?:to|all|most of all|mostly|also|really)\s+/i, '')
          .replace(/\byour\b/gi, 'my')
          .replace(/\b(?:his|her|their)\b/g, 'my')
          .trim();
        if (
          /^\p{L}/u.test(interest) &&
          interest.length >= 3 &&
          interest.length <= MAX_INTEREST_CHARS &&
          !/^(?:it|them|him|her|people who|I|you)$/i.test(interest)
        ) {
          found.add(startsWithVerb(interest) ? gerund(interest) : interest);
        }
      }
    }
  }
  return [...found].slice(0, 6);
}

/** "bake bread", which must become "baking bread"; plural nouns such as "walks" are no base forms. */
function startsWithVerb(phrase: string): boolean {
  const [first = '', second] = phrase.toLowerCase().split(' ');
  return VERBS.has(first) && second !== undefined && !/^(?:songs|books|music)$/.test(first);
}

function gerund(phrase: string): string {
  return phrase.replace(/^\w+/, (verb) => {
    if (/[^aeiou]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
    return verb.toLowerCase() === 'quote' ? 'quoting' : `${verb}ing`;
  });
}

/** Quoted words that the persona is to say. */
function catchphrasesOf(text: string): string[] {
  const found: string[] = [];
  for (const [, quotes = ''] of text.matchAll(
    /(?:say|says|saying|catch ?phrase|phrase|motto|exclaim|shout|end|begin|start|use|like)[^"“”\n.]{0,60}((?:["“][^"”\n]{3,60}["”](?:,? (?:and|or) |, )?)+)/gi,
  )) {
    for (const [, quote = ''] of quotes.matchAll(/["“]([^"”]{3,60})["”]/g)) {
      const words = quote.trim().replace(/,$/, '');
      found.push(/[.!?]$/.test(words) ? words : `${words}!`);
    }
  }
  return found.slice(0, 4);
}

/** "Always end with "Bon appétit!"" */
function framesOf(text: string): { startsWith?: string; endsWith?: string } {
  const quote = (verbs: string) =>
    new RegExp(
      `\\b(?:always|every (?:reply|answer|sentence|message)[^.\\n]{0,20}?) ?(?:${verbs})\\b[^"“”.\\n]{0,50}["“]([^"”\\n]{2,60})["”]`,
      'i',
    ).exec(text)?.[1];
  const begin = quote('begins?|starts?|opens?');
  const end = quote('ends?|finish(?:es)?|closes?|sign(?:s)? off');
  const whole = (words: string) => (/[.!?,]$/.test(words) ? words.replace(/,$/, '!') : `${words}!`);
  return { ...(begin ? { startsWith: whole(begin) } : {}), ...(end ? { endsWith: whole(end) } : {}) };
}

/** The manner whose word comes first; "your grandmother" makes no grandmother. */
function earliest(manners: Manner[], text: string): Manner | undefined {
  let best: { at: number; manner: Manner } | undefined;
  for (const manner of manners) {
    for (const match of text.matchAll(new RegExp(manner.words, 'gi'))) {
      if (/\b(?<!\bare )(?:your|my|his|her|their|our)\s+(?:\p{L}+\s+)?$/iu.test(text.slice(0, match.index))) continue;
      if (!best || match.index < best.at) best = { at: match.index, manner };
      break;
    }
  }
  return best?.manner;
}
