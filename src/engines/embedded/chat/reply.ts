/**
 * One chat reply: what was asked, what is known about it, said in the character's voice. Order of sources: what the
 * speaker told, what the persona says, knowledge, memories, manner. It retrieves; it does not reason, and says so.
 */

import type { StatedFact } from '../../../persona/facts.ts';
import { statedFacts } from '../../../persona/facts.ts';
import type { ParsedPersona } from '../../../persona/prompt.ts';
import { lowerFirst } from '../../../text/letters.ts';
import { toldBack } from './about-you.ts';
import { BAD_NEWS } from './data/lists.ts';
import { FACT_LINES, LINES } from './data/small-talk.ts';
import { foreignReply } from './foreign.ts';
import { handle, type Part, questionPart, statementPart } from './handlers.ts';
import { GREETING, gibberish, intentOf, plain } from './intents.ts';
import { languageOf } from './language.ts';
import { openTalk, type Talk } from './talk.ts';
import { keep } from './voice.ts';

/** The reply to the prompt's last user text, in the persona's voice. Deterministic but for the clock. */
export function chatReply(input: ParsedPersona, now: () => Date): string {
  const talk = openTalk(input, now);
  const language = languageOf(input);
  if (language !== 'en') return foreignReply(talk, language);
  const part = compose(talk);
  return talk.voice.dress(part.lines, part.style);
}

interface Clause {
  text: string;
  plain: string;
  asks: boolean;
}

const ASKS =
  /^(?:so |and |but |well |please |ok(?:ay)? |then )*(?:what|who|whom|whose|where|when|why|how|which|do|does|did|am|is|are|was|were|can|could|will|would|should|shall|have|has|may|tell|explain|describe|give|show|sing|say|repeat|remember|guess|help|continue|go on|calculate)\b/;

function clauses(text: string): Clause[] {
  const found: Clause[] = [];
  for (const piece of text.split(/(?<=[.!?…])\s+|\n+/)) {
    const words = plain(piece);
    if (words) found.push({ text: piece.trim(), plain: words, asks: /\?/.test(piece) || ASKS.test(words) });
  }
  return found;
}

function compose(talk: Talk): Part {
  const { userText } = talk.input;
  const { voice } = talk;
  if (!/[\p{L}\p{N}]/u.test(userText)) return { lines: [voice.pick(LINES.unclear, 'unclear')] };
  const all = clauses(userText);
  const greeted = GREETING.test(all[0]?.plain ?? '');
  const rest = greeted ? withoutGreeting(all) : all;
  const facts = statedFacts(userText);
  if (rest.length === 0) return greetingPart(talk);
  if (gibberish(userText)) return { lines: [voice.pick(LINES.gibberish, 'gibberish')] };
  const main = mainClause(rest, facts);
  if (main) return withLead(talk, main, greeted, facts);
  if (facts.length > 0) return factPart(talk, facts, greeted);
  const part = statementPart(talk, rest.map((clause) => clause.text).join(' '));
  return greeted ? { ...part, lines: [hello(talk), ...part.lines] } : part;
}

/** The clause to answer: the last question, else the last with an intent of its own. */
function mainClause(rest: Clause[], facts: StatedFact[]): Clause | undefined {
  const asking = rest.filter((clause) => clause.asks).at(-1);
  if (asking) return asking;
  const meant = rest.filter((clause) => intentOf(clause.plain)).at(-1);
  // A statement about oneself may look like an intent ("I love you so much" does, "I like jazz" must not).
  return facts.length > 0 && meant && statedFacts(meant.text).length > 0 ? undefined : meant;
}

function withLead(talk: Talk, main: Clause, greeted: boolean, facts: StatedFact[]): Part {
  const part = handle(talk, main.plain, main.text) ?? questionPart(talk, main.text, main.plain);
  const lead =
    facts[0] && facts[0].kind === 'name'
      ? talk.voice.pick(
          [`Pleased to meet you, ${keep(facts[0].value)}.`, `Good to know you, ${keep(facts[0].value)}.`],
          'met',
        )
      : '';
  if (lead) return { ...part, lines: [lead, ...part.lines] };
  return greeted && !part.greets
    ? { style: { ...part.style, opener: false }, lines: [hello(talk), ...part.lines] }
    : part;
}

function hello(talk: Talk): string {
  return talk.voice.pick(['Hello, {call}!', 'Hi, {call}!', 'Hello there!', 'Hello!', 'Good to see you.'], 'hello');
}

function withoutGreeting(all: Clause[]): Clause[] {
  const [first, ...others] = all;
  if (!first) return others;
  const left = first.plain.replace(GREETING, '').trim();
  const text = first.text.replace(
    /^[\p{L}' ]{0,16}?(?:there|again|everyone|all|you|morning|afternoon|evening|day|hi+|hello+|hey+|hiya|howdy|ahoy|greetings|yo)\b[\s,!.]*/iu,
    '',
  );
  // "Hi Flint" leaves the avatar's own name: part of the greeting.
  const toMe = left.split(' ').length <= 2 && !intentOf(left) && !/\b(?:i|my)\b/.test(left);
  return left && !toMe
    ? [{ text: text || first.text, plain: left, asks: first.asks || ASKS.test(left) }, ...others]
    : others;
}

function greetingPart(talk: Talk): Part {
  const { voice, character, userLines } = talk;
  if (userLines.some((line) => GREETING.test(plain(line))))
    return { lines: [voice.pick(LINES.greetingAgain, 'again')] };
  const own = character.manner?.greetings;
  if (!own) return { lines: plainGreeting(talk) };
  const ask = voice.pick(
    [
      'What brings you here?',
      'What shall we talk about?',
      'I am {name}.',
      'Tell me, what is on your mind?',
      'I was just thinking about {interest}.',
    ],
    'ask',
  );
  return { lines: [voice.pick(own, 'greeting'), ask], style: { opener: voice.chance('hi') < 0.3 } };
}

/** A greeting with the name in it, before whatever it asks. */
function plainGreeting(talk: Talk): string[] {
  const { voice, replies } = talk;
  const line = voice.pick(LINES.greeting, 'greeting');
  if (replies.length > 0 || line.includes(talk.character.name) || !talk.character.name) return [line];
  const [first = '', ...rest] = line.split(/(?<=[.!?]) /);
  return [first, voice.pick(LINES.greetingNamed, 'named'), ...rest];
}

function factPart(talk: Talk, facts: StatedFact[], greeted: boolean): Part {
  const { voice } = talk;
  // "My mother died" is a fact too, but first of all it is sad.
  if (facts[0]?.kind === 'attribute' && BAD_NEWS.test(plain(talk.input.userText)))
    return statementPart(talk, talk.input.userText);
  const lines = greeted && facts[0]?.kind !== 'name' ? [hello(talk)] : [];
  for (const fact of facts.slice(0, 2)) {
    const told = toldBack(fact);
    const low = lowerFirst(told);
    const line = voice.pick(FACT_LINES[fact.kind], `fact${fact.kind}`, { v: keep(fact.value), fact: keep(low) });
    // Only the last may ask: two questions at once are an interrogation.
    const last = fact === facts.slice(0, 2).at(-1);
    lines.push(last ? line : line.replace(/\s[^.!?]*\?$/, ''));
  }
  return { lines };
}
