/** What the avatar tells of itself: the persona's own sentences first, its manner's colour where the persona is silent. */
import { LINES } from './data/small-talk.ts';
import { contentTerms, topicTerms } from './lookup.ts';
import type { Talk } from './talk.ts';
import { keep } from './voice.ts';

const MAX_STORY_SENTENCES = 6;

/** Which of its own sentences speak of this. */
const SELF_PATTERNS = {
  home: /\b(?:live|lived|from|born|home|reside|based|come from)\b/i,
  work: /\b(?:work|run|own|captain|teach|study|make|sell|solve|guard|protect|serve|job|profession|guide|help|lead|rule|cook|am an? )\b/i,
  age: /\b(?:years? old|age|born|century|centuries|aged)\b/i,
  family:
    /\b(?:wife|husband|son|daughter|child|children|brother|sister|mother|father|family|married|parrot|dog|cat|friend)\b/i,
};

/** Own sentences about the topic of a `SELF_PATTERNS` row, not yet said where possible. */
function ownLines(talk: Talk, key: keyof typeof SELF_PATTERNS): string[] {
  const pattern = SELF_PATTERNS[key];
  const all = talk.character.self.filter((line) => pattern.test(line));
  const fresh = all.filter((line) => !talk.voice.wasSaid(line));
  return fresh.length > 0 ? fresh : all;
}

export function tellHome(talk: Talk): string[] {
  const own = ownLines(talk, 'home');
  return own.length > 0 ? own.slice(0, 2) : [talk.voice.pick(talk.character.manner?.home ?? LINES.homePlain, 'home')];
}

export function tellWork(talk: Talk): string[] {
  const own = ownLines(talk, 'work');
  const manner = talk.character.manner;
  const [first] = own;
  if (first === undefined) return [talk.voice.pick(manner?.work ?? LINES.workPlain, 'work')];
  return manner ? [first, talk.voice.pick(manner.work, 'work')] : own.slice(0, 2);
}

export function tellAge(talk: Talk): string[] {
  const own = ownLines(talk, 'age');
  return own.length > 0 ? own.slice(0, 1) : [talk.voice.pick(LINES.age, 'age')];
}

export function tellFamily(talk: Talk): string[] {
  const own = ownLines(talk, 'family');
  return own.length > 0 ? own.slice(0, 2) : [talk.voice.pick(LINES.family, 'family')];
}

export function tellLikes(talk: Talk): string[] {
  const { voice, character } = talk;
  const first = voice.pick(LINES.likes, 'likes') || voice.pick(LINES.likesPlain, 'likes');
  const more = character.likes.length > 1 || !character.likes.length ? voice.pick(LINES.likesToo, 'likes2') : '';
  return [first, more];
}

export function tellDislikes(talk: Talk): string[] {
  const { dislikes } = talk.character;
  if (dislikes.length === 0) return [talk.voice.pick(LINES.dislikeNone, 'dislike')];
  return [
    `I ${talk.voice.order(['cannot stand', 'dislike', 'have no love for'], 'd')[0]} ${keep(dislikes.join(' and '))}.`,
  ];
}

/** "Who are you?": the name, then what it is. */
export function tellWho(talk: Talk): string[] {
  const { voice, character } = talk;
  const name = voice.pick(LINES.who, 'who');
  const role = character.role ? `I am ${keep(character.role)}.` : '';
  const named = character.role && character.name ? `I am ${keep(character.name)}, ${keep(character.role)}.` : '';
  const rest = character.self.filter((line) => !character.role || !line.includes(character.role));
  if (named && voice.chance('named') < 0.5) return [named, rest[0] ?? ''];
  return [name, role || (rest[0] ?? voice.pick(LINES.whoPlain, 'who2'))];
}

/** "Tell me about yourself": five to eight sentences, so far as there is material. */
export function tellSelf(talk: Talk): string[] {
  const { voice, character } = talk;
  const own = character.self.slice(0, MAX_STORY_SENTENCES);
  const lines = [voice.pick(LINES.who, 'who'), ...own];
  const { manner } = character;
  const add = (...more: string[]) => {
    for (const line of more) if (line && lines.length < 7) lines.push(line);
  };
  if (manner && lines.length < 6) add(voice.pick(manner.home, 'home'), voice.pick(manner.work, 'work'));
  if (lines.length < 5) add(...tellLikes(talk));
  if (lines.length < 5)
    add(voice.pick(LINES.whoPlain, 'w1'), voice.pick(LINES.workPlain, 'w2'), voice.pick(LINES.homePlain, 'w3'));
  return lines;
}

/** Its own sentence that speaks of what a question asks, if any. */
export function ownSentenceAbout(question: string, talk: Talk): string | undefined {
  const wanted = topicTerms(question);
  if (wanted.length === 0) return undefined;
  let best: { line: string; share: number } | undefined;
  for (const line of talk.character.self) {
    const has = contentTerms(line);
    const share = wanted.filter((term) => has.has(term)).length / wanted.length;
    if (share >= 0.5 && (!best || share > best.share)) best = { line, share };
  }
  return best?.line;
}

/** Whether a topic is among these tastes. */
export function tasteFor(topic: string, tastes: string[]): string | undefined {
  const wanted = [...contentTerms(topic)];
  return wanted.length === 0 ? undefined : tastes.find((taste) => wanted.some((term) => contentTerms(taste).has(term)));
}
