/** What is said to each intent. Most rows pick a line; the others look something up first. */

import { lowerFirst } from '../../../text/letters.ts';
import {
  ownSentenceAbout,
  tasteFor,
  tellAge,
  tellDislikes,
  tellFamily,
  tellHome,
  tellLikes,
  tellSelf,
  tellWho,
  tellWork,
} from './about-me.ts';
import { aboutYou, allAboutYou } from './about-you.ts';
import { BAD_NEWS, GOOD_NEWS, SENSITIVE } from './data/lists.ts';
import { PLAIN_JOKES, PLAIN_TALE } from './data/plain.ts';
import { FEELINGS, LINES, type LineId } from './data/small-talk.ts';
import { TALE_MORE, TALES } from './data/tales.ts';
import { intentOf, plain } from './intents.ts';
import { type Found, find, MIN_SCORE, standing, topicTerms } from './lookup.ts';
import { iToYou } from './person.ts';
import { sum } from './sums.ts';
import type { Talk } from './talk.ts';
import { fill, join, keep, type Style, unkept } from './voice.ts';

/** The content of a reply before it is dressed. */
export interface Part {
  lines: string[];
  style?: Style;
  /** It greets already. */
  greets?: boolean;
}

const picked =
  (id: LineId, style?: Part['style']) =>
  (talk: Talk): Part => ({
    lines: [talk.voice.pick(LINES[id], id)],
    ...(style ? { style } : {}),
  });

type Handler = (talk: Talk, main: { plain: string; text: string; topic?: string }) => Part;

const HANDLERS = {
  harm: (talk) => ({ lines: [talk.voice.pick(LINES.harm, 'harm')], style: { plain: true } }),
  rude: picked('rude'),
  insult: picked('insult', { closer: false }),
  compliment: picked('compliment'),
  love: picked('love'),
  sorry: picked('sorry'),
  laugh: picked('laugh'),
  wow: picked('wow'),
  yes: picked('yes'),
  no: picked('no'),
  ok: picked('ok'),
  weather: (talk, main) => known(talk, main.text) ?? picked('weather')(talk),
  meaning: picked('meaning'),
  ai: picked('ai'),
  thanks: picked('thanks'),
  action: (talk, main) => known(talk, main.text) ?? picked('cannotAct')(talk),
  advice: (talk, main) => known(talk, main.text) ?? picked('advice')(talk),
  capabilities: picked('capabilities'),
  secret: picked('secret'),
  song: picked('song'),
  poem: picked('poem'),
  riddle: picked('riddle'),
  funFact: picked('funFact'),
  reasoning: (talk, main) => sumPart(talk, main.plain) ?? picked('cannotReason')(talk),
  hear: (talk) => ({
    lines: [
      talk.voice.pick(
        [
          'Loud and clear, {call}. Go on.',
          'Yes, I am right here.',
          'I am listening, {call}.',
          'Every word. What is it?',
        ],
        'hear',
      ),
    ],
  }),
  goodbye: (talk) => ({
    lines: [
      talk.voice.pick(talk.character.manner?.goodbyes ?? LINES.goodbye, 'bye'),
      talk.voice.pick(LINES.goodbyeMore, 'bye2'),
    ],
    style: { closer: false },
  }),
  fine: (talk) => {
    const own = [...(talk.character.manner?.fine ?? []), ...talk.character.moods.flatMap((mood) => mood.fine)];
    const line = talk.voice.pick(own.length > 0 ? own : LINES.fine, 'fine');
    return {
      lines: line.endsWith('?')
        ? [line]
        : [
            line,
            talk.voice.pick(['And you?', 'How are you, {call}?', 'What about you?', 'And how is your day?'], 'andyou'),
          ],
    };
  },
  joke: (talk) => ({
    lines: [
      talk.voice.pick(LINES.jokeIntro, 'jokeIntro'),
      talk.voice.pick([...(talk.character.manner?.jokes ?? []), ...PLAIN_JOKES], 'joke'),
    ],
  }),
  story: (talk) => ({ lines: [talk.voice.pick(LINES.storyIntro, 'intro'), ...tale(talk, TALES)] }),
  selfStory: (talk) => ({ lines: tellSelf(talk) }),
  selfName: (talk) => ({
    lines: [
      talk.voice.pick(LINES.who, 'who'),
      talk.facts.some((fact) => fact.kind === 'name') || talk.input.speakerName ? '' : 'And yours?',
    ],
  }),
  who: (talk) => ({ lines: tellWho(talk) }),
  work: (talk) => ({ lines: tellWork(talk) }),
  home: (talk, main) => {
    const part = { lines: tellHome(talk) };
    return /\bare you (?:located|from|right)|^where are you$/.test(main.plain)
      ? (known(talk, main.text) ?? part)
      : part;
  },
  age: (talk) => ({ lines: tellAge(talk) }),
  family: (talk) => ({ lines: tellFamily(talk) }),
  likes: (talk) => ({ lines: tellLikes(talk) }),
  dislikes: (talk) => ({ lines: tellDislikes(talk) }),
  favourite: (talk, main) => {
    const own = ownSentenceAbout(`favourite ${main.topic}`, talk);
    return own
      ? { lines: [own] }
      : (known(talk, main.text) ?? {
          lines: [talk.voice.pick(LINES.favourite, 'favourite', { topic: keep(bareTopic(main.topic)) })],
        });
  },
  opinion,
  time: (talk) =>
    clock(talk, { hour: '2-digit', minute: '2-digit', hour12: false }, [
      'It is {v} by my clock.',
      'My clock says {v}.',
      '{v}, if the server is right.',
    ]),
  date: (talk) =>
    clock(talk, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, [
      'Today is {v}.',
      'It is {v}.',
      'The calendar says {v}.',
    ]),
  repeat: (talk) => quote(talk, talk.replies.at(-1), 'quoteSelf'),
  quote: (talk, main) =>
    quote(talk, /\bfirst\b/.test(main.plain) ? talk.userLines[0] : talk.userLines.at(-1), 'quoteUser'),
  aboutYou: (talk, main) => {
    const told = allAboutYou(talk);
    const [first, ...rest] = told;
    if (first === undefined) return { lines: [talk.voice.pick(LINES.unknownMe, 'unknownMe')] };
    if (/who (?:am i|i am)/.test(main.plain) && told.length === 1) return { lines: told };
    const lead = talk.voice.pick(LINES.aboutYou, 'aboutYou');
    return { lines: [keepAfter(lead, `${first.charAt(1).toLowerCase()}${unkept(first).slice(1)}`), ...rest] };
  },
  more: (talk) => more(talk),
  why: (talk) => ({ lines: [talk.voice.pick(LINES.why, 'why')] }),
  aboutMe: (talk, main) => {
    // "How do I make my own?" asks about the world, not about the speaker.
    if (/^how (?:do|can|could|should|would|shall) i\b/.test(main.plain))
      return questionPart(talk, main.text, main.plain);
    const [first, ...rest] = aboutYou(main.plain, talk);
    // Never a memory here: it would be somebody else's.
    if (first === undefined)
      return (
        known({ ...talk, recollections: [] }, main.text) ?? { lines: [talk.voice.pick(LINES.unknownMe, 'unknownMe')] }
      );
    return { lines: [recalled(talk, first), ...rest.map((line) => keep(`${line}.`))] };
  },
  aboutSelf: (talk, main) => {
    const own = ownSentenceAbout(main.text, talk);
    const part = known(talk, main.text);
    if (own) return { lines: [own] };
    if (part) return part;
    return {
      lines: [
        talk.voice.pick(
          /^(?:can|could|will|would)\b/.test(main.plain)
            ? [...LINES.cannotAct, ...LINES.unknownSelf]
            : LINES.unknownSelf,
          'unknownSelf',
        ),
      ],
    };
  },
} satisfies Record<string, Handler>;

/** What answers an intent, when it has an answer of its own. */
const handlerOf = (intent: string): Handler | undefined =>
  Object.hasOwn(HANDLERS, intent) ? HANDLERS[intent as keyof typeof HANDLERS] : undefined;

/** The part that answers an intent; undefined when the sentence has none. */
export function handle(talk: Talk, words: string, text: string): Part | undefined {
  const sumFound = sumPart(talk, words);
  if (sumFound) return sumFound;
  const intent = intentOf(words);
  return (
    intent && handlerOf(intent.id)?.(talk, { plain: words, text, ...(intent.topic ? { topic: intent.topic } : {}) })
  );
}

/** "Your name is Ada", said with or without a lead. */
function recalled(talk: Talk, told: string): string {
  const sentence = keep(`${told}.`);
  const lead = talk.voice.pick(LINES.leadYou, 'leadYou');
  return talk.voice.chance('leadYou') < 0.4
    ? join(lead, lead.endsWith(':') ? keep(`${lowerFirst(told)}.`) : sentence)
    : sentence;
}

function sumPart(talk: Talk, words: string): Part | undefined {
  const found = sum(words);
  if (!found) return undefined;
  return {
    lines: [
      talk.voice.pick(['{topic}? That makes {v}.', 'That is {v}.', 'I make it {v}.', 'The sum comes to {v}.'], 'sum', {
        topic: keep(found.question),
        v: keep(found.result),
      }),
    ],
  };
}

function clock(talk: Talk, format: Intl.DateTimeFormatOptions, lines: string[]): Part {
  return {
    lines: [talk.voice.pick(lines, 'clock', { v: keep(new Intl.DateTimeFormat('en-GB', format).format(talk.now())) })],
  };
}

function quote(talk: Talk, text: string | undefined, lines: LineId): Part {
  if (!text) return { lines: [talk.voice.pick(LINES.nothingSaid, 'nothing')] };
  const said = keep(/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
  const [line = ''] = talk.voice.order(LINES[lines], lines);
  return { lines: [fill(line, { topic: said }) ?? ''], style: { closer: false, opener: talk.voice.chance('q') < 0.7 } };
}

function tale(talk: Talk, skeletons: string[][]): string[] {
  const { voice, character } = talk;
  const source = character.manner?.tale ?? PLAIN_TALE;
  const round = String(talk.replies.length);
  const slots = Object.fromEntries(
    Object.entries<string[]>({ ...source }).map(([slot, list]) => [slot, voice.order(list, `tale${slot}${round}`)[0]]),
  );
  const told = voice.order(skeletons, 'tale').map((lines) => lines.map((line) => fill(line, slots) ?? ''));
  return told.find((lines) => !lines.some((line) => voice.wasSaid(line))) ?? told[0] ?? [];
}

/** An answer from knowledge or memories, when one matches well. */
export function known(talk: Talk, question: string): Part | undefined {
  const facts = find(question, talk.input.knowledge);
  const memories = find(
    question,
    talk.recollections.map((text) => ({ text })),
  );
  const best = facts[0];
  const memory = memories[0];
  if (memory && memory.score > (best?.score ?? 0)) {
    return {
      lines: [
        led(
          talk,
          'leadMemory',
          standing(
            memory,
            talk.recollections.map((text) => ({ text })),
          ),
        ),
      ],
    };
  }
  if (!best || best.score < MIN_SCORE) return undefined;
  const text = standing(best, talk.input.knowledge);
  const next = facts.find((row) => row !== best && row.score > best.score * 0.8 && !text.includes(row.text));
  return { lines: [led(talk, 'lead', text), next ? keep(next.text) : ''] };
}

/** A quoted sentence behind a lead-in, or bare. */
function led(talk: Talk, lead: LineId, text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  const before = talk.voice.pick(LINES[lead], lead);
  return talk.voice.chance(lead) < 0.45 ? keepAfter(before, ended) : keep(ended);
}

function keepAfter(before: string, text: string): string {
  const joined = unkept(join(before, keep(text)));
  return `${joined.slice(0, before.length + 1)}${keep(joined.slice(before.length + 1))}`;
}

function opinion(talk: Talk, main: { plain: string; text: string; topic?: string }): Part {
  const topic = bareTopic(main.topic);
  const { voice, character } = talk;
  if (SENSITIVE.test(topic)) return { lines: [voice.pick(LINES.sensitive, 'sensitive')] };
  if (/^(?:me|myself|my)\b/.test(topic)) return HANDLERS.aboutMe(talk, main);
  if (/^(?:you|yourself)\b/.test(topic)) return picked('unknownSelf')(talk);
  const loved = tasteFor(topic, character.likes);
  if (loved) return { lines: [voice.pick(LINES.likeYes, 'yes', { topic: keep(loved) })] };
  const hated = tasteFor(topic, character.dislikes);
  if (hated) return { lines: [voice.pick(LINES.likeNo, 'no', { topic: keep(hated) })] };
  const own = ownSentenceAbout(main.text, talk);
  if (own) return { lines: [own] };
  return known(talk, main.text) ?? { lines: [voice.pick(LINES.opinion, 'opinion', { topic: keep(topic) })] };
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
function more(talk: Talk): Part {
  const { voice, userLines } = talk;
  const asked = [...userLines].reverse().find((line) => intentOf(plain(line))?.id !== 'more');
  if (asked === undefined) return { lines: [voice.pick(LINES.moreNothing, 'none')] };
  const intent = intentOf(plain(asked))?.id;
  if (intent === 'story') return { lines: tale(talk, TALE_MORE) };
  if (intent === 'joke' || intent === 'riddle' || intent === 'funFact' || intent === 'poem')
    return HANDLERS[intent](talk);
  const last = talk.replies.at(-1) ?? '';
  const next = nextSentence(talk, asked, last);
  if (next) return { lines: [keepAfter(voice.pick(LINES.leadMore, 'leadMore'), next)] };
  const unsaid = talk.character.self.filter((line) => !voice.wasSaid(line));
  if (unsaid[0]) return { lines: [voice.pick(LINES.selfMore, 'selfMore'), ...unsaid.slice(0, 2)] };
  return { lines: [voice.pick(LINES.moreNothing, 'none')] };
}

/** The next sentence worth telling of what the avatar quoted last, or of what was asked. */
function nextSentence(talk: Talk, asked: string, last: string): string | undefined {
  const items = talk.input.knowledge;
  const matches: Found[] = find(`${asked} ${last}`, items);
  const fresh = matches.filter((row) => !talk.voice.wasSaid(row.text));
  const quoted = matches.find((row) => talk.voice.wasSaid(row.text));
  if (quoted) {
    const source = items.slice(quoted.item, quoted.item + 1);
    const after = find(source[0]?.text ?? '', source)
      .filter((row) => row.at > quoted.at)
      .sort((a, b) => a.at - b.at)[0];
    if (after && !talk.voice.wasSaid(after.text)) return after.text;
  }
  return fresh[0]?.text;
}

/** A question that no intent covers: knowledge, memories, the persona, then honest ignorance. */
export function questionPart(talk: Talk, text: string, words: string): Part {
  const found = known(talk, text);
  if (found) return found;
  const own = ownSentenceAbout(text, talk);
  if (own) return { lines: [own] };
  const [told] = aboutYou(words, talk);
  if (told !== undefined) return { lines: [recalled(talk, told)] };
  const topic = topicOf(text);
  const { voice } = talk;
  return {
    lines: [
      voice.pick(LINES.unknown, 'unknown', { topic: topic && keep(topic) }),
      voice.pick(LINES.unknownAsk, 'unknownAsk'),
    ],
  };
}

/** The last run of content words, as the speaker wrote them. */
function topicOf(text: string): string | undefined {
  const words = text.replace(/[?!.,;:"]/g, '').split(/\s+/);
  const run: string[] = [];
  for (const word of words.reverse()) {
    if (topicTerms(word).length > 0 && !/^(?:today|tomorrow|yesterday|now|please)$/i.test(word)) run.unshift(word);
    else if (run.length > 0) break;
  }
  return run.length > 0 && run.length <= 4 ? run.join(' ') : undefined;
}

/** A statement: feelings are met, news is reacted to, and a question comes back. */
export function statementPart(talk: Talk, text: string): Part {
  const { voice } = talk;
  const words = plain(text);
  if (/\bi (?:am|feel|felt|have been feeling)\b/.test(words) && !/\bnot\b/.test(words)) {
    for (const [pattern, lines] of FEELINGS) {
      if (!pattern.test(words)) continue;
      // The last row is the glad one.
      return { lines: [voice.pick(lines, 'feeling')], style: { soft: lines !== FEELINGS.at(-1)?.[1] } };
    }
  }
  const about = find(text, talk.input.knowledge)[0];
  if (about && about.score > 0.75 && topicTerms(text).length > 1) return known(talk, text) ?? picked('unknown')(talk);
  if (/^you(?:r)?\b/.test(words)) return { lines: [voice.pick(LINES.userYou, 'userYou')] };
  const reflected = /^(?:i|my|we|our)\b/i.test(words) && words.split(' ').length <= 12 ? reflect(text) : '';
  const tone = BAD_NEWS.test(words) ? 'Bad' : GOOD_NEWS.test(words) && !/\bnot\b/.test(words) ? 'Good' : '';
  const react = voice.pick(LINES[`statement${tone}`], 'react');
  const ask = voice.pick(
    tone ? LINES[`ask${tone}`] : /^(?:i|we)\b/.test(words) ? LINES.statementAsk : LINES.statementAskView,
    'ask',
  );
  return {
    lines: [reflected && voice.chance('reflect') < 0.6 ? reflected : '', react, ask].filter(Boolean),
    style: { soft: tone === 'Bad' },
  };
}

/** "I went to the market" -> "So you went to the market." */
function reflect(text: string): string {
  const turned = iToYou(text.replace(/[.!…]+$/, ''));
  return `So ${keep(lowerFirst(turned))}.`;
}
