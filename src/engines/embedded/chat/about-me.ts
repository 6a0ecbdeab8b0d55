/** What the avatar says of itself: the persona's own sentences, or that it does not know. */
import { LINES } from './data/small-talk.ts';
import { contentTerms, topicTerms } from './question.ts';
import type { Talk } from './talk.ts';

const MAX_STORY_SENTENCES = 6;

/** Which of its own sentences speak of this. */
const SELF_PATTERNS = {
  home: /\b(?:live|lived|from|born|home|reside|based|come from)\b/i,
  work: /\b(?:work|run|own|captain|teach|study|make|sell|solve|guard|protect|serve|job|profession|guide|help|lead|rule|cook|am an? )\b/i,
  age: /\b(?:years? old|age|century|centuries|aged)\b|\bborn (?:in|on) [^.]*\d/i,
  family:
    /\b(?:wife|husband|son|daughter|child|children|brother|sister|mother|father|family|married|parrot|dog|cat|friend)\b/i,
};

/** Which relatives a question names, and the words with which an own sentence speaks of them. */
const RELATIVES: [asked: RegExp, told: RegExp][] = [
  [
    /\b(?:child|children|kids?|sons?|daughters?)\b/i,
    /\b(?:child|children|kids?|sons?|daughters?|mother of|father of)\b/i,
  ],
  [
    /\b(?:wife|husband|partner|girlfriend|boyfriend|married|single)\b/i,
    /\b(?:wife|husband|partner|girlfriend|boyfriend|married|single|spouse|widow(?:er)?|divorced)\b/i,
  ],
  [/\b(?:siblings?|brothers?|sisters?)\b/i, /\b(?:siblings?|brothers?|sisters?|twin)\b/i],
  [/\bparents?\b/i, /\b(?:parents?|mother|father|mum|mom|dad)\b/i],
  [/\bfriends?\b/i, /\bfriends?\b/i],
];

/** Own sentences about the relatives that a question names, or about any; a cat is no child. */
export function tellFamily(talk: Talk, asked: string): string[] {
  const relatives = RELATIVES.find(([names]) => names.test(asked));
  return relatives ? fresh(talk, relatives[1]) : tellOf(talk, 'family');
}

/** "Where do you work?": the own sentence about its work that names a place. */
export const tellWorkplace = (talk: Talk): string[] =>
  fresh(
    talk,
    /\b(?:work|run|own|teach|study|cook|am an?)\b.* (?:in|at|for|on) (?:the |a |my )?(?:\p{Ll}+ ){0,2}\p{Lu}/u,
  );

/** Own sentences about the topic of a row, those not yet said first; [] where the persona is silent. */
export function tellOf(talk: Talk, key: keyof typeof SELF_PATTERNS, most = 1): string[] {
  return fresh(talk, SELF_PATTERNS[key], most);
}

/** Own sentences that a pattern matches, those not yet said first. */
function fresh({ character, voice }: Talk, pattern: RegExp, most = 1): string[] {
  const all = character.self.filter((line) => pattern.test(line));
  const unsaid = all.filter((line) => !voice.wasSaid(line));
  return (unsaid.length > 0 ? unsaid : all).slice(0, most);
}

/** What the avatar likes. */
export function tellLikes(talk: Talk): string {
  const { voice, character } = talk;
  if (character.likes.length === 0) return voice.pick(LINES.likesPlain, 'likes');
  return voice.pick(LINES.likes, 'likes', { topic: listed(character.likes.slice(0, 3)) });
}

/** What the avatar dislikes. */
export function tellDislikes(talk: Talk): string {
  const { character, voice } = talk;
  if (character.dislikes.length === 0) return voice.pick(LINES.dislikeNone, 'dislike');
  return voice.pick(LINES.dislikes, 'dislike', { topic: listed(character.dislikes) });
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** "Who are you?": the name, then what it is. */
export function tellWho(talk: Talk): string[] {
  const { voice, character } = talk;
  const rest = character.self.filter((line) => !character.role || !line.includes(character.role));
  const named = character.role && character.name ? `I am ${character.name}, ${character.role}.` : '';
  if (named && !voice.wasSaid(named)) return [named];
  const name = voice.pick(LINES.who, 'who');
  return [name, character.self.find((line) => !voice.wasSaid(line)) ?? rest[0] ?? ''];
}

/** "Tell me about yourself": as many sentences as there are, up to seven. */
export function tellSelf(talk: Talk): string[] {
  const { voice, character } = talk;
  const name = voice.pick(LINES.who, 'who');
  const own = character.self.slice(0, MAX_STORY_SENTENCES);
  if (own.length === 0) return [name, voice.pick(LINES.ai, 'ai'), voice.pick(LINES.capabilities, 'can')];
  return own.some((line) => character.name !== '' && line.includes(character.name)) ? own : [name, ...own];
}

/** So much of a question must be spoken of. */
const OWN_SHARE = 0.6;

/** Its own sentence that speaks of what a question asks, if any. */
export function ownSentenceAbout(question: string, talk: Talk): string | undefined {
  const wanted = topicTerms(question);
  if (wanted.length === 0) return undefined;
  let best: { line: string; share: number } | undefined;
  for (const line of talk.character.self) {
    const has = new Set(contentTerms(line));
    const share = wanted.filter((term) => has.has(term)).length / wanted.length;
    if (share >= OWN_SHARE && (!best || share > best.share)) best = { line, share };
  }
  return best?.line;
}

/** Its own sentence that says for how long. */
export const ownSpanOfTime = ({ character }: Talk): string | undefined =>
  character.self.find((line) =>
    /\b(?:for|since) (?:\S+ ){0,3}(?:days|weeks|months|years|winters|summers|decades|centuries|\d{4}|childhood|birth)\b/i.test(
      line,
    ),
  );

/** Whether a topic is among these tastes. */
export function tasteFor(topic: string, tastes: string[]): string | undefined {
  const wanted = contentTerms(topic);
  return wanted.length === 0
    ? undefined
    : tastes.find((taste) => wanted.some((term) => contentTerms(taste).includes(term)));
}
