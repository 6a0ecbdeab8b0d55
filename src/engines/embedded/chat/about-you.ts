/** Answers about the speaker, from what they said or what is remembered of them. It never guesses. */

import { asSpeakerSaid, type FactKind, lowerFirst, MONTH, type StatedFact } from '../../ports/chat.ts';
import { iToYou } from './person.ts';
import { contentTerms, topicTerms } from './question.ts';
import type { Talk } from './talk.ts';

/** A question's form and the kinds of fact that answer it, in order of preference. */
const SLOTS: [pattern: RegExp, kinds: FactKind[]][] = [
  [/\bmy (?:first |full |last )?name\b|\bwho am i\b|\bam i called\b|\bdo you call me\b/, ['name']],
  [/\bhow old am i\b|\bmy age\b/, ['age']],
  [
    /\bwhere (?:do|did) i live\b|\bwhere is my (?:home|house)\b|\bmy (?:home|address|city|town)\b|\bin which (?:city|town|country) do i\b/,
    ['home', 'origin'],
  ],
  [
    /\bwhere (?:am i from|do i come from|did i grow up)\b|\bmy (?:hometown|home town|nationality|origin)\b/,
    ['origin', 'home', 'is'],
  ],
  [/\bwhen (?:is my birthday|was i born)\b|\bmy (?:birthday|birth date|date of birth)\b/, ['birthday']],
  [
    /\bwhat do i do(?: for (?:a living|work))?$|\bmy (?:job|work|profession|occupation)\b|\b(?:where|what) do i work\b|\bwhat am i$/,
    ['job', 'is', 'habit'],
  ],
  [/\bwhat (?:do|else do) i (?:like|love|enjoy)\b|\bmy (?:hobbies|hobby|interests)\b/, ['like', 'habit', 'attribute']],
  [/\bwhat (?:do|can) i (?:hate|dislike|not like|not stand)\b|\bdo i not like\b|\bdo not i like\b/, ['dislike']],
];

const MAX_TOLD = 4;

/** "You live in Paris." from a fact. */
export function toldBack(fact: StatedFact): string {
  return iToYou(asSpeakerSaid(fact.sentence) ?? fact.sentence).replace(/\.$/, '');
}

/** Sentences that answer a question about the speaker, without lead-in; [] when nothing is known. */
export function aboutYou(asked: string, talk: Talk): string[] {
  const question = asDirect(asked);
  // What is asked now is no memory: only what was said before, or stated in the same breath.
  const { facts } = talk;
  const favourite = /\bmy (?:favou?rite|best) ([\p{L} ]+?)(?: again| called)?$/u.exec(question)?.[1];
  if (favourite) {
    const wanted = new Set(contentTerms(favourite));
    const match = facts.find(
      (fact) =>
        fact.kind === 'favourite' && contentTerms(fact.about).some((term) => wanted.has(term) && term !== 'favourit'),
    );
    return match ? [toldBack(match)] : [];
  }
  const named = namedThing(question, facts);
  if (named) return [toldBack(named)];
  if (WHERE_BORN.test(question)) return bornIn(facts);
  for (const [pattern, kinds] of SLOTS) {
    if (!pattern.test(question)) continue;
    const found = kinds.map((kind) => facts.filter((fact) => fact.kind === kind)).find((list) => list.length > 0);
    if (kinds[0] === 'name' && talk.input.speakerName && !found) return [`Your name is ${talk.input.speakerName}`];
    if (found)
      return (kinds[0] === 'like' || kinds[0] === 'dislike' ? found.slice(0, 3) : found.slice(0, 1)).map(toldBack);
    if (kinds[0] === 'name' || kinds[0] === 'age') return [];
  }
  return statementFor(question, talk);
}

/** Where someone lives is not where they were born, nor is a year. */
const WHERE_BORN = /\bwhere was i born\b/;
const IS_MONTH = new RegExp(`^${MONTH}$`, 'i');
const saysPlace = (sentence: string): boolean =>
  [...sentence.matchAll(/\bin (\p{Lu}\p{L}+)/gu)].some(([, place = '']) => !IS_MONTH.test(place));

function bornIn(facts: StatedFact[]): string[] {
  const found =
    facts.find(({ kind, sentence }) => kind === 'birthday' && saysPlace(sentence)) ??
    facts.find(({ kind }) => kind === 'origin');
  return found ? [toldBack(found)] : [];
}

/** "do you know where i live" asks "where do i live". */
function asDirect(question: string): string {
  return question
    .replace(/\b(what|where|when|who|how old) (i|my [\p{L} ]+?) (am|was|is|are|can)\b/u, '$1 $3 $2')
    .replace(/\b(what|where|when|who|which \p{L}+) i (?!am\b|was\b)(\p{L}+)/u, '$1 do i $2');
}

/** "what is my dog called", "who is my brother", "how many sisters do I have", "do I have a dog", "what did I say about my pet". */
function namedThing(question: string, facts: StatedFact[]): StatedFact | undefined {
  const asked =
    /\b(?:what|who) (?:is|are) my ([\p{L}'-]+(?: [\p{L}'-]+)?)(?:'s)? (?:name|names|called|named)\b|\bname of my ([\p{L}-]+)|\bwho (?:is|are) my ([\p{L}-]+)|\bhow many ([\p{L}-]+) do i have|\bdo i have (?:an? |any )?([\p{L}-]+)|\bwhat is my ([\p{L}-]+)(?: called)?$|\babout my ([\p{L}-]+)(?: again| before)?$/u.exec(
      question,
    );
  const word = asked?.slice(1).find(Boolean)?.replace(/'s?$/, '');
  if (!word || word === 'name') return undefined;
  const wanted = new Set(contentTerms(word));
  const shares = (text: string) => contentTerms(text).some((term) => wanted.has(term));
  const pet = /\b(?:pet|animal)s?\b/.test(word)
    ? facts.find((fact) =>
        /\b(?:dog|cat|horse|hamster|rabbit|parrot|bird|fish|pony|turtle|tortoise|snake)s?\b/.test(
          `${fact.about} ${fact.kind === 'has' ? fact.value : ''}`,
        ),
      )
    : undefined;
  if (/how many|do i have/.test(question))
    return (
      facts.find((fact) => fact.kind === 'has' && shares(fact.value)) ?? facts.find((fact) => shares(fact.about)) ?? pet
    );
  return (
    facts.find((fact) => (fact.kind === 'named' || fact.kind === 'attribute') && shares(fact.about)) ??
    facts.find((fact) => fact.kind === 'has' && shares(fact.value)) ??
    pet
  );
}

/** The speaker's own sentence that shares most of the question's words; with yes or no where that was asked. */
function statementFor(question: string, talk: Talk): string[] {
  const wanted = topicTerms(question);
  if (wanted.length === 0) return [];
  const current = talk.input.userText;
  const scored = talk.statements
    .filter((statement) => !current.includes(statement))
    .map((statement) => {
      const has = new Set(contentTerms(statement));
      return { statement, share: wanted.filter((term) => has.has(term)).length / wanted.length };
    })
    .filter((row) => row.share >= 0.5)
    .sort((a, b) => b.share - a.share);
  const best = scored[0];
  if (!best) return [];
  const told = iToYou(best.statement).replace(/[.!]+$/, '');
  if (best.share < 1 || !/^(?:do|did|am|is|are|have|was|were|can)\b/.test(question)) return [told];
  const no = /\b(?:not|never|no)\b/.test(best.statement.toLowerCase()) !== /\b(?:not|never)\b/.test(question);
  return [`${no ? 'No' : 'Yes'}, ${lowerFirst(told)}`];
}

/** All that is known of the speaker, a few sentences. */
export function allAboutYou(talk: Talk): string[] {
  const seen = new Set<string>();
  const told: string[] = [];
  for (const fact of [...talk.facts].sort((a, b) => Number(b.kind === 'name') - Number(a.kind === 'name'))) {
    const key = fact.kind === 'name' || fact.kind === 'home' || fact.kind === 'age' ? fact.kind : fact.sentence;
    if (seen.has(key)) continue;
    seen.add(key);
    told.push(toldBack(fact));
  }
  if (talk.input.speakerName && !seen.has('name')) told.unshift(`Your name is ${talk.input.speakerName}`);
  return told.slice(0, MAX_TOLD).map((line) => `${line}.`);
}
