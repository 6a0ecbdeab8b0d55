/** Asks the speaker about what it knows ("What is photosynthesis?") and judges the answer by the words of the text. */
import { lowerFirst } from '../../ports/chat.ts';
import { LINES } from './data/small-talk.ts';
import { readPassage } from './passages.ts';
import { contentTerms } from './question.ts';
import type { Talk } from './talk.ts';

/** What something is, and the question for it. */
interface Definition {
  question: string;
  sentence: string;
  /** Stems of what is said of it. */
  says: string[];
}

const DEFINITION =
  /^((?:The |An? )?\p{Lu}?[\p{L}\p{M}-]+(?: [\p{L}\p{M}-]+){0,3}) (is|are|was|were) ((?:an?|the) .+)$/u;
/** So much of a definition's words, or so many of them, make an answer right. */
const RIGHT_SHARE = 0.3;
const RIGHT_WORDS = 3;
const DO_NOT_KNOW = /\b(?:no idea|not sure|(?:do not|don['’]?t) know|tell me|pass|dunno)\b/i;

function definitionsOf({ input }: Talk): Definition[] {
  return input.knowledge
    .flatMap(({ text }) => readPassage(text))
    .flatMap(({ text }) => {
      const [, subject = '', verb = '', rest = ''] = DEFINITION.exec(text) ?? [];
      if (!subject || /^(?:it|he|she|they|this|that|these|those|there|i|you|we)\b/i.test(subject)) return [];
      const named = /^(?:The|An?) /.test(subject) ? lowerFirst(subject) : nameOf(subject);
      return [{ question: `What ${verb} ${named}?`, sentence: text, says: contentTerms(rest) }];
    });
}

/** A word that opens a sentence is written small, a name of two words is not. */
const nameOf = (subject: string): string => (/ \p{Lu}/u.test(subject) ? subject : lowerFirst(subject));

/** A question to the speaker, about what is known and was not asked yet; else one about themself. */
export function quizQuestion(talk: Talk): string[] {
  const open = definitionsOf(talk).filter(({ question }) => !talk.voice.wasSaid(question));
  const [first] = talk.voice.order(open, 'quiz');
  return [first ? first.question : talk.voice.pick(LINES.askBack, 'askBack')];
}

/** Whether the speaker's answer to the question asked just now is right, with the right one; undefined if none was asked. */
export function quizAnswer(talk: Talk): string[] | undefined {
  const last = talk.replies.at(-1) ?? '';
  const asked = definitionsOf(talk).find(({ question }) => last.endsWith(question));
  if (!asked) return undefined;
  const { userText } = talk.input;
  if (DO_NOT_KNOW.test(userText)) return [asked.sentence];
  const given = new Set(contentTerms(userText));
  const shared = new Set(asked.says.filter((stem) => given.has(stem))).size;
  const right = shared >= RIGHT_WORDS || shared >= asked.says.length * RIGHT_SHARE;
  return [talk.voice.pick(right ? LINES.quizRight : LINES.quizWrong, 'quiz'), asked.sentence];
}
