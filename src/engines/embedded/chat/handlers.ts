/** What is said to each intent. Most rows pick a line; the others look something up first. */

import { IRREGULAR, termOf, words } from '../../ports/chat.ts';
import {
  ownSentenceAbout,
  ownSpanOfTime,
  tasteFor,
  tellDislikes,
  tellFamily,
  tellLikes,
  tellOf,
  tellSelf,
  tellWho,
  tellWorkplace,
} from './about-me.ts';
import { aboutYou, allAboutYou, toldBack as tellBack } from './about-you.ts';
import { answerTo, moreOf } from './answers.ts';
import { dayOf, hourElsewhere, hourOf } from './clock.ts';
import { created, creationIn, tale } from './creations.ts';
import { BAD_NEWS, GOOD_NEWS, SENSITIVE } from './data/lists.ts';
import { FEELINGS, FUN_FACTS, LINES, type LineId, RIDDLES } from './data/small-talk.ts';
import { GREETING, intentOf, plain } from './intents.ts';
import { contentTerms, readQuestion } from './question.ts';
import { quizQuestion } from './quiz.ts';
import { sum } from './sums.ts';
import type { Talk } from './talk.ts';

/** The sentences of a reply, in order; '' for none. */
export type Said = string[];

const picked =
  (id: LineId) =>
  (talk: Talk): Said => [talk.voice.pick(LINES[id], id)];

interface Main {
  plain: string;
  text: string;
  topic?: string;
}
type Handler = (talk: Talk, main: Main) => Said;

/** What the texts answer, else a line. */
const knownOr =
  (id: LineId): Handler =>
  (talk, { text }) => {
    const found = answerTo(talk, text);
    return found ? [found.text] : picked(id)(talk);
  };

const own =
  (key: Parameters<typeof tellOf>[1], id: LineId): Handler =>
  (talk, main) => {
    const told = tellOf(talk, key);
    return told.length > 0 ? told : knownOr(id)(talk, main);
  };

/** What "I" may, can or should do. */
const OF_WORLD =
  /^(?:how|can|may|should|could|must|do i (?:need|have to)|(?:what|when|where|who) (?:can|should|could|must|may|do) i)\b/;
/** Asks about the avatar as a person; "do you sell lamps?" asks about the world it speaks for. */
const OF_PERSON =
  /\byour\b|\b(?:are|were) you\b|\byou (?:like|love|think|feel|believe|want|remember|miss|dream|eat|sleep)\b/;

/** What says since when something is there. */
const AGE = /\b(?:old|age|aged|born|founded|built|made|created|established|opened|since)\b/i;
const LOST = /\b(?:died|dead|lost|passed away|killed|gone)\b/i;
const HOW_LONG = /\bhow (?:long|many years) (?:have|are) you\b|\bsince when\b/;

const HANDLERS = {
  harm: picked('harm'),
  rude: picked('rude'),
  insult: picked('insult'),
  compliment: picked('compliment'),
  love: picked('love'),
  sorry: picked('sorry'),
  laugh: picked('laugh'),
  wow: picked('wow'),
  yes: picked('yes'),
  no: picked('no'),
  ok: picked('ok'),
  weather: knownOr('weather'),
  meaning: picked('meaning'),
  ai: picked('ai'),
  thanks: picked('thanks'),
  action: knownOr('cannotAct'),
  advice: knownOr('advice'),
  capabilities: knownOr('capabilities'),
  secret: picked('secret'),
  forget: picked('forget'),
  askMe: quizQuestion,
  miss: (talk: Talk, main: Main): Said =>
    talk.character.self.some((line) => LOST.test(line)) ? picked('miss')(talk) : HANDLERS.aboutSelf(talk, main),
  riddle: (talk) => [talk.voice.pick(RIDDLES, 'riddle')],
  funFact: (talk) => [talk.voice.pick(talk.character.facts.length > 2 ? talk.character.facts : FUN_FACTS, 'fact')],
  reasoning: (talk, main) => sumPart(talk, main.plain) ?? knownOr('cannotReason')(talk, main),
  hear: picked('hear'),
  goodbye: (talk) => [
    talk.voice.pick(talk.character.manner?.goodbyes ?? LINES.goodbye, 'bye'),
    talk.character.catchphrases[0] ?? '',
  ],
  fine: (talk) => {
    const line = talk.voice.pick(talk.character.manner?.fine ?? LINES.fine, 'fine');
    return [line, line.endsWith('?') ? '' : talk.voice.pick(LINES.fineBack, 'andyou')];
  },
  creation: (talk, main) => created(talk, creationIn(main.plain) ?? { kind: 'poem' }),
  selfStory: (talk) => tellSelf(talk),
  selfName: (talk) => [talk.voice.pick(LINES.who, 'who')],
  who: (talk) => tellWho(talk),
  work: (talk, main) => {
    const place = /^(?:so )?where\b/.test(main.plain) ? tellWorkplace(talk) : [];
    if (place.length > 0) return place;
    return talk.character.role ? [`I am ${talk.character.role}.`] : own('work', 'unknownSelf')(talk, main);
  },
  home: (talk, main) =>
    /\bare you (?:located|from|right)|^where are you$/.test(main.plain)
      ? knownOr('unknownSelf')(talk, main)
      : own('home', 'unknownSelf')(talk, main),
  age: (talk, main) => {
    const told = tellOf(talk, 'age');
    // Of no age: "four light years".
    const known = told.length > 0 ? undefined : answerTo(talk, main.text)?.text;
    return told.length > 0 ? told : known && AGE.test(known) ? [known] : picked('age')(talk);
  },
  family: (talk, main) => {
    const told = tellFamily(talk, main.plain);
    return told.length > 0 ? told : picked('unknownSelf')(talk);
  },
  likes: (talk) => [tellLikes(talk)],
  dislikes: (talk) => [tellDislikes(talk)],
  favourite: (talk, main) => {
    const line = ownSentenceAbout(main.text, talk) ?? ownSentenceAbout(`favourite ${main.topic}`, talk);
    if (line) return [line];
    if (/^things?\b/.test(main.topic ?? '') && talk.character.likes.length > 0) return [tellLikes(talk)];
    const topic = bareTopic(main.topic);
    return [talk.voice.pick(LINES.favourite, 'favourite', { topic })];
  },
  opinion,
  time,
  date: (talk) => [talk.voice.pick(LINES.date, 'date', { v: dayOf(talk.now()) })],
  repeat: (talk) => quote(talk, talk.replies.at(-1), 'quoteSelf'),
  quote: (talk, main) =>
    quote(talk, /\bfirst\b/.test(main.plain) ? talk.userLines[0] : talk.userLines.at(-1), 'quoteUser'),
  recap,
  aboutYou: (talk) => {
    const told = allAboutYou(talk);
    return told.length > 0 ? told : picked('unknownMe')(talk);
  },
  more: (talk) => more(talk),
  why: (talk) => {
    const last = talk.replies.at(-1) ?? '';
    if (/\b(?:because|so that|since|in order)\b/i.test(last)) return quote(talk, last, 'quoteSelf');
    const asked = talk.userLines.at(-1);
    const found = asked && answerTo(talk, `Why ${asked}`);
    return found && /\b(?:because|so that|since|in order)\b/i.test(found.text) ? [found.text] : picked('why')(talk);
  },
  aboutMe: (talk, main) => {
    const found = aboutYou(main.plain, talk);
    if (found.length > 0) return toldBack(talk, found);
    // Never what a speaker said here: it would be another speaker's. What "I" may or can do is asked of the world.
    const known = answerTo(
      { ...talk, recalled: OF_WORLD.test(main.plain) ? talk.ofWorld : [] },
      main.text,
      /^(?:what|when|where|who|how many|how old)\b.*\bmy\b/.test(main.plain) ? 0.5 : undefined,
    );
    if (known && !known.ofItself) return [known.text];
    if (/^(?:please )?(?:can|could|will|would) you\b/.test(main.plain)) return picked('cannotAct')(talk);
    return OF_WORLD.test(main.plain) ? unknown(talk) : picked('unknownMe')(talk);
  },
  aboutSelf: (talk, main) => {
    const found = answerTo(talk, main.text);
    if (found) return [found.text];
    const line = ownSentenceAbout(main.text, talk) ?? (HOW_LONG.test(main.plain) ? ownSpanOfTime(talk) : undefined);
    if (line) return [line];
    if (/^(?:can|could|will|would)\b/.test(main.plain)) return picked('cannotAct')(talk);
    return OF_PERSON.test(main.plain) || talk.input.knowledge.length === 0
      ? picked('unknownSelf')(talk)
      : unknown(talk);
  },
} satisfies Record<string, Handler>;

/** What answers an intent, when it has an answer of its own. */
const handlerOf = (intent: string): Handler | undefined =>
  Object.hasOwn(HANDLERS, intent) ? HANDLERS[intent as keyof typeof HANDLERS] : undefined;

/** Intents of a conversation itself: what is known of the world never comes before them. */
const FIRST = new Set([
  'harm',
  'repeat',
  'quote',
  'recap',
  'aboutYou',
  'more',
  'why',
  'ai',
  'time',
  'date',
  'who',
  'selfName',
  'selfStory',
  'fine',
  'thanks',
  'goodbye',
  'sorry',
  'laugh',
  'wow',
  'yes',
  'no',
  'ok',
  'hear',
  'love',
  'compliment',
  'creation',
  'riddle',
  'aboutMe',
  'forget',
]);
const PERSONAL = /\b(?:you|your|yours|yourself|i|me|my|mine|myself|we|us|our)\b/;
/** A question about the world goes to what is known before it goes to the table, when so much of it is spoken of. */
const SURE = 0.45;

const DIFFERENCE = /\b(?:differences?|distinction) between (.+?) and ([^?.!]+)/i;

/** "Tell me about black holes, the Moon and your favourite planet": of each its own answer, where there are several. */
const TOPICS = /\btell (?:me|us) (?:\p{Ll}+ ){0,3}?about (.+)$/iu;
const MOST_TOPICS = 4;

function topicsPart(talk: Talk, text: string): Said | undefined {
  const [, listed = ''] = TOPICS.exec(text.replace(/[\s.?!]+$/, '')) ?? [];
  const topics = listed.split(/,\s*(?:and\s+)?(?:about\s+)?|\s+and\s+(?:about\s+)?/i);
  if (topics.length < 2 || topics.length > MOST_TOPICS) return undefined;
  const found = topics.map((topic) => answerTo(talk, `Tell me about ${topic}`)?.text);
  const told = [...new Set(found.filter((answer) => answer !== undefined))];
  return told.length > 1 ? told : undefined;
}

/** What is said to a sentence that asks. */
export function answered(talk: Talk, words: string, text: string): Said {
  const calculated = sumPart(talk, words) ?? topicsPart(talk, text);
  if (calculated) return calculated;
  const intent = intentOf(words);
  const handler = intent && handlerOf(intent.id);
  const asksWorld = !PERSONAL.test(
    words.replace(
      /\b(?:tell|show|give|teach|explain to|remind) (?:me|us)\b|\b(?:can|could|do) you (?:please )?(?:tell|explain|say|know)\b/g,
      '',
    ),
  );
  if (asksWorld && !FIRST.has(intent?.id ?? '')) {
    const [, one, other] = DIFFERENCE.exec(text) ?? [];
    const both = one && other ? [one, other].map((thing) => answerTo(talk, `What is ${thing}?`)?.text) : [];
    if (both[0] && both[1] && both[0] !== both[1]) return [both[0], both[1]];
    const found = answerTo(talk, text, handler ? SURE : undefined);
    if (found) return [found.text];
  }
  if (handler) return handler(talk, { plain: words, text, ...(intent.topic ? { topic: intent.topic } : {}) });
  return questionPart(talk, text);
}

/** What is said to a sentence that asks nothing but has an intent; undefined when it has none. */
export function handled(talk: Talk, words: string, text: string): Said | undefined {
  const intent = intentOf(words);
  const handler = intent && handlerOf(intent.id);
  return (
    sumPart(talk, words) ?? handler?.(talk, { plain: words, text, ...(intent?.topic ? { topic: intent.topic } : {}) })
  );
}

/** A question that no intent covers: what is known, what the speaker stated, then honest ignorance. */
function questionPart(talk: Talk, text: string): Said {
  const found = answerTo(talk, text);
  if (found) return [found.text];
  // Many a name is a word too ("Will it rain?").
  const [, name] = WHO_IS.exec(plain(text)) ?? [];
  const named = name && talk.facts.find(({ kind, value }) => kind === 'named' && plain(value) === name);
  if (named) return toldBack(talk, [tellBack(named)]);
  const said = saidBefore(talk, text);
  return said ? quote(talk, said, 'quoteUser') : unknown(talk);
}

const WHO_IS = /^(?:(?:and|so|but) )?who (?:is|was) (.+)$/;

/** What the speaker said before that answers the question, in their words. */
function saidBefore(talk: Talk, text: string): string | undefined {
  const lines = talk.userLines
    .filter((line) => !/\?\s*$/.test(line) && !/\b(?:I|my|we|our)\b/i.test(line))
    .map((line) => ({ text: line }));
  if (readQuestion(text).terms.length === 0) return undefined;
  const found = answerTo(
    {
      ...talk,
      character: { ...talk.character, self: [] },
      input: { ...talk.input, knowledge: [] },
      recalled: lines.map((line) => line.text),
      userLines: [],
    },
    text,
    0.6,
  );
  return found?.text;
}

/** That it does not know; and, once in a conversation, what would help. */
function unknown(talk: Talk): Said {
  const { voice } = talk;
  const hinted = Object.values(LINES.modelHint)
    .flat()
    .some((line) => voice.wasSaid(line));
  const asks = talk.userLines.filter((line) => /\?/.test(line)).length;
  return [voice.pick(LINES.unknown, 'unknown'), !hinted && asks >= 1 ? voice.pick(LINES.modelHint, 'hint') : ''];
}

function toldBack(talk: Talk, told: readonly string[]): Said {
  const [first = '', ...rest] = told;
  const name = /^Your name is (.+?)\.?$/.exec(first)?.[1];
  if (name) return [talk.voice.pick(LINES.yourName, 'yours', { v: name }), ...rest.map((line) => `${line}.`)];
  return told.map((line) => `${line}.`);
}

function sumPart(talk: Talk, words: string): Said | undefined {
  const found = sum(words);
  return found && [talk.voice.pick(LINES.sum, 'sum', { v: found.result })];
}

const ELSEWHERE =
  /\btime is it (?:now |right now )?in (?!here\b|your\b)(?:the city of )?(.+?)(?: now| right now| today)?$/;

/** The hour here, or in a city that is named. */
function time(talk: Talk, main: Main): Said {
  const [, place] = ELSEWHERE.exec(main.plain) ?? [];
  if (!place) return [talk.voice.pick(LINES.time, 'time', { v: hourOf(talk.now()) })];
  const there = hourElsewhere(talk.now(), place);
  return there ? [talk.voice.pick(LINES.timeThere, 'time', { v: there.hour, topic: there.city })] : unknown(talk);
}

const MOST_RECALLED = 3;

/** What the speaker said last, in their words: greetings and other requests for this are left out. */
function recap(talk: Talk): Said {
  const lines = talk.userLines.filter((line) => {
    const words = plain(line);
    return words.replace(GREETING, '').trim() !== '' && intentOf(words)?.id !== 'recap';
  });
  if (lines.length === 0) return picked('nothingSaid')(talk);
  const topic = lines
    .slice(-MOST_RECALLED)
    .map((line) => `“${line.trim()}”`)
    .join(' ');
  return [talk.voice.pick(LINES.recap, 'recap', { topic })];
}

function quote(talk: Talk, text: string | undefined, id: LineId): Said {
  return text ? [talk.voice.pick(LINES[id], id, { topic: text.trim() })] : picked('nothingSaid')(talk);
}

function opinion(talk: Talk, main: Main): Said {
  const topic = bareTopic(main.topic);
  const { voice, character } = talk;
  if (SENSITIVE.test(topic)) return picked('sensitive')(talk);
  if (/^(?:me|myself|my)\b/.test(topic)) return HANDLERS.aboutMe(talk, main);
  if (/^(?:you|yourself)\b/.test(topic)) return picked('unknownSelf')(talk);
  const loved = tasteFor(topic, character.likes);
  if (loved) return [voice.pick(LINES.likeYes, 'yes', { topic: loved })];
  const hated = tasteFor(topic, character.dislikes);
  if (hated) return [voice.pick(LINES.likeNo, 'no', { topic: hated })];
  const line = ownSentenceAbout(main.text, talk) ?? answerTo(talk, main.text)?.text;
  if (line) return [line];
  // "And what about Sundays?" asks on; "what do you think of Sundays?" asks for a view.
  if (/\bwhat about\b/.test(main.plain)) return unknown(talk);
  return [voice.pick(LINES.opinion, 'opinion', { topic })];
}

/** Of these tastes, the one whose thing a statement names. */
function mentioned(text: string, tastes: readonly string[]): string | undefined {
  const held = new Set(contentTerms(text));
  return tastes.find((taste) => held.has(contentTerms(taste).at(-1) ?? ''));
}

function bareTopic(topic: string | undefined): string {
  return (
    (topic ?? 'that')
      .replace(/\b(?:please|then|though|really|so much|a lot|too)\b/g, '')
      .replace(/[\s?!.]+$/, '')
      .trim() || 'that'
  );
}

/** "Tell me more": the rest of the passage, of the story, or of oneself. */
function more(talk: Talk): Said {
  const { voice, userLines } = talk;
  const asked = userLines.findLast((line) => intentOf(plain(line))?.id !== 'more');
  if (asked === undefined) return picked('moreNothing')(talk);
  const words = plain(asked);
  const creation = creationIn(words);
  if (creation?.kind === 'story') return tale(talk);
  if (creation) return created(talk, creation);
  const intent = intentOf(words)?.id;
  if (intent === 'riddle' || intent === 'funFact') return HANDLERS[intent](talk);
  const next = intent === 'selfStory' || intent === 'who' ? undefined : moreOf(talk, asked, talk.replies.at(-1) ?? '');
  if (next) return [next];
  const unsaid = talk.character.self.filter((line) => !voice.wasSaid(line));
  return unsaid[0] ? unsaid.slice(0, 2) : picked('moreNothing')(talk);
}

/** A need or a trouble that what is known speaks of: "I cannot get it to connect". */
export function needPart(talk: Talk, text: string): Said | undefined {
  const known = { ...talk, character: { ...talk.character, self: [] }, recalled: talk.ofWorld };
  const found = answerTo(known, text, NEED_SHARE);
  return found && (NEED.test(plain(text)) || isCase(found.text, text)) ? [found.text] : undefined;
}
/** "My fan rattles" is met by what begins with "If the fan rattles". */
const CASE = /^(?:if|when|whenever|should)\b([^,]*),/i;
const NOT = /\b(?:not|no|never|nobody|nothing|without|hardly)\b/;
const ABSENT = /\b(?:it|its|they|them|their|he|him|his|she|her)\b/;

/** Whether a sentence says what to do in the case that a statement describes: all of its condition, as it is now. */
function isCase(row: string, statement: string): boolean {
  const [, condition = ''] = CASE.exec(row) ?? [];
  const asked = plain(condition);
  const told = plain(statement);
  const needed = contentForms(asked);
  const said = new Set(contentForms(told));
  return (
    needed.length > 0 &&
    NOT.test(asked) === NOT.test(told) &&
    (!ABSENT.test(asked) || ABSENT.test(told)) &&
    needed.every((form) => said.has(form))
  );
}

/** Content words, alike for "rattles" and "rattling" but not for what has been: "bought", "rattled". */
const contentForms = (text: string): string[] =>
  words(text)
    .filter((word) => contentTerms(word).length > 0)
    .map((word) => (/^\p{L}+ed$/u.test(word) || IRREGULAR.has(word) ? word : termOf(word)));
const NEED =
  /\b(?:can ?not|could not|do(?:es)? not (?:work|turn|start|connect|fit|open|close|charge|show|load|respond|let)|will not|problem|trouble|broken|broke|errors?|fails?|failed|stuck|missing|forgot(?:ten)?|by (?:accident|mistake)|accidentally|i (?:still )?(?:need|want)|i would like|looking for|trying to|i wonder)\b/;
/** A speaker's trouble that is not that of the texts shares a word or two with them by chance. */
const NEED_SHARE = 0.4;

/** A statement: feelings are met, news is reacted to. */
export function statementPart(talk: Talk, text: string): Said {
  const { voice } = talk;
  const words = plain(text);
  if (
    /\b(?:i (?:am|feel|felt|have been feeling)|i have (?:got )?(?:an? )?\w+ache)\b/.test(words) &&
    !/\bnot\b/.test(words)
  ) {
    const feeling = FEELINGS.find(([pattern]) => pattern.test(words));
    if (feeling) return [voice.pick(LINES[feeling[1]], 'feeling')];
  }
  if (/^you(?:r)?\b/.test(words)) return picked('userYou')(talk);
  if (BAD_NEWS.test(words)) return picked('statementBad')(talk);
  if (GOOD_NEWS.test(words) && !/\bnot\b/.test(words)) return picked('statementGood')(talk);
  const liked = mentioned(text, talk.character.likes);
  if (liked) return [voice.pick(LINES.likeToo, 'likeToo', { topic: liked })];
  const disliked = mentioned(text, talk.character.dislikes);
  if (disliked) return [voice.pick(LINES.dislikes, 'dislike', { topic: disliked })];
  return picked('statement')(talk);
}
