/**
 * One chat reply: what was asked, and its answer. Order of sources: what the speaker stated, what the persona says,
 * knowledge and memories; then that it does not know. It retrieves; it does not reason, and says so.
 */

import { lowerFirst, type ParsedPersona, type StatedFact, statedFacts, upperFirst } from '../../ports/chat.ts';
import { toldBack } from './about-you.ts';
import { BAD_NEWS } from './data/lists.ts';
import { LINES } from './data/small-talk.ts';
import { foreignReply } from './foreign.ts';
import { answered, handled, needPart, type Said, statementPart } from './handlers.ts';
import { GREETING, gibberish, intentOf, plain } from './intents.ts';
import { languageOf } from './language.ts';
import { readQuestion } from './question.ts';
import { quizAnswer } from './quiz.ts';
import { openTalk, type Talk } from './talk.ts';

/** The reply to the prompt's last user text, in the persona's voice. Deterministic but for the clock. */
export function chatReply(input: ParsedPersona, now: () => Date): string {
  const talk = openTalk(input, now);
  const language = languageOf(input);
  if (language !== 'en') return foreignReply(talk, language);
  return talk.voice.say(compose(talk));
}

interface Clause {
  text: string;
  plain: string;
  asks: boolean;
}

const ASKS =
  /^(?:so |and |but |well |please |ok(?:ay)? |then )*(?:what|who|whom|whose|where|when|why|how|which|do|does|did|am|is|are|was|were|can|could|will|would|should|shall|have|has|may|tell|explain|describe|give|show|sing|say|repeat|remember|guess|help|continue|go on|calculate)\b/;

/** "What a nice day!" */
const EXCLAIMS = /^(?:so |and |but |well )*what an? [^?]+$/;
/** Before a second question in one sentence: "why is the sky blue, and what is a black hole?" */
const AND_ASKS =
  /,?\s+and\s+(?=(?:what|who|where|when|why|how(?: \p{Ll}+)?|which \p{Ll}+)(?:'s| (?:is|are|was|were|do|does|did|can|could|would|will|should|have|has))\b)/iu;

function clauses(text: string): Clause[] {
  const found: Clause[] = [];
  for (const sentence of text.split(/(?<=[.!?…])\s+|\n+/)) {
    const asks = (words: string, piece: string) => /\?/.test(piece) || (ASKS.test(words) && !EXCLAIMS.test(words));
    const pieces = asks(plain(sentence), sentence) ? sentence.split(AND_ASKS) : [sentence];
    for (const piece of pieces) {
      const words = plain(piece);
      if (words) found.push({ text: piece.trim(), plain: words, asks: asks(words, piece) });
    }
  }
  return found;
}

/** An order to greet, as a demonstration or a test gives it. */
const SAY_HELLO = /^(?:please )?(?:say|just say) (?:hello|hi|hey|something)(?: please| to .*)?$/;

function compose(talk: Talk): Said {
  const { userText } = talk.input;
  const { voice } = talk;
  if (!/[\p{L}\p{N}]/u.test(userText)) return [voice.pick(LINES.unclear, 'unclear')];
  const all = clauses(userText);
  const greeted = GREETING.test(all[0]?.plain ?? '');
  const rest = greeted ? withoutGreeting(all) : all;
  const facts = statedFacts(userText);
  if (rest.length === 0 || SAY_HELLO.test(rest.map((clause) => clause.plain).join(' '))) return greetingPart(talk);
  if (gibberish(userText)) return [voice.pick(LINES.gibberish, 'gibberish')];
  const main = mainClause(rest, facts);
  const judged = main?.asks ? undefined : quizAnswer(talk);
  if (judged) return judged;
  const name = facts.find(({ kind }) => kind === 'name')?.value;
  if (main) {
    const said = main.asks ? allAnswered(talk, rest) : handled(talk, main.plain, main.text);
    const met = name && !/\bmy name\b|who am i/.test(main.plain) ? [voice.pick(LINES.met, 'met', { v: name })] : [];
    if (said) return [...met, ...said];
  }
  const statement = rest.map((clause) => clause.text).join(' ');
  const helped = facts.every(({ kind }) => kind === 'has' || kind === 'habit') ? needPart(talk, statement) : undefined;
  if (helped) return helped;
  if (facts.length > 0) return factPart(talk, facts);
  return statementPart(talk, statement);
}

/** Asks for nothing yet where a question follows. */
const COURTESY =
  /^(?:please )?(?:(?:can|could|will|would) you (?:please )?help(?: me| us)?(?: out)?|(?:can|may) i ask (?:you )?(?:something|a question)|do you have a (?:minute|moment))$/;
/** Questions of one message that are answered, the last ones. */
const MOST_ANSWERED = 3;

/** What is said to each question of a message, nothing twice. */
function allAnswered(talk: Talk, rest: readonly Clause[]): Said {
  const asking = rest.filter((clause) => clause.asks);
  const meant = asking.filter((clause) => !COURTESY.test(clause.plain));
  const said = (meant.length > 0 ? meant : asking).slice(-MOST_ANSWERED).flatMap((clause) => {
    // "It blinks red. What does that mean?" asks about what stands before it.
    const led = rest.slice(0, rest.indexOf(clause)).filter((one) => !one.asks || readQuestion(clause.text).pointsBack);
    const before = led.length > 0 ? { ...talk, led: led.map((one) => one.text).join(' ') } : talk;
    return answered(before, clause.plain, clause.text);
  });
  return [...new Set(said)];
}

/** The clause to answer: the last question, else the last with an intent of its own. */
function mainClause(rest: Clause[], facts: StatedFact[]): Clause | undefined {
  const asking = rest.filter((clause) => clause.asks).at(-1);
  if (asking) return asking;
  const meant = rest.filter((clause) => intentOf(clause.plain)).at(-1);
  // A statement about oneself may look like an intent ("I love you so much" does, "I like jazz" must not).
  return facts.length > 0 && meant && statedFacts(meant.text).length > 0 ? undefined : meant;
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

function greetingPart(talk: Talk): Said {
  const { voice, character, userLines } = talk;
  if (userLines.some((line) => GREETING.test(plain(line)))) return [voice.pick(LINES.greetingAgain, 'again')];
  const own = character.manner?.greetings;
  if (!own) {
    // Every line of a greeting says a name, its own or the speaker's; `npm run doctor` asks without either.
    const line = voice.pick(LINES.greeting, 'greeting') || `Hello. ${voice.pick(LINES.askBack, 'askBack')}`;
    return [line, character.catchphrases[0] ?? ''];
  }
  return [
    voice.pick(own, 'greeting'),
    character.name ? `I am ${character.name}.` : '',
    character.catchphrases[0] ?? '',
  ];
}

function factPart(talk: Talk, facts: StatedFact[]): Said {
  const { voice } = talk;
  // "My mother died" is a fact too, but first of all it is sad.
  if (facts[0]?.kind === 'attribute' && BAD_NEWS.test(plain(talk.input.userText)))
    return statementPart(talk, talk.input.userText);
  const name = facts.find(({ kind }) => kind === 'name');
  const others = facts.filter((fact) => fact !== name).map((fact) => lowerFirst(toldBack(fact)));
  const told = others.slice(0, 2).join(' and ');
  return [
    name ? voice.pick(LINES.met, 'met', { v: name.value }) : '',
    name && told ? `${upperFirst(told)}.` : told && voice.pick(LINES.remember, 'remember', { fact: told }),
  ];
}
