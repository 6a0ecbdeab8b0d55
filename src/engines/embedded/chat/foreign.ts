/** Replies in languages other than English: few words, honest ones, and whatever knowledge and memory hold. */
import { asSpeakerSaid, lowerFirst, type StatedFact, statedFacts } from '../../ports/chat.ts';
import { answerTo } from './answers.ts';
import { BRIEF, PHRASES, type Phrases } from './data/languages.ts';
import { YOUR_FACTS, type YourFacts } from './data/your-facts.ts';
import { intentOf, plain } from './intents.ts';
import type { Talk } from './talk.ts';
import { tidy } from './voice.ts';

/** A whole reply in that language; in English, saying so, for one that is not known at all. */
export function foreignReply(talk: Talk, language: string): string {
  const yours = YOUR_FACTS[language];
  const told = yours && aboutSpeaker(talk, yours, PHRASES[language] === undefined);
  if (told) return tidy(told);
  const phrases = PHRASES[language];
  if (phrases) return phraseReply(talk, phrases, language);
  const brief = BRIEF[language];
  const known = quoted(talk);
  if (!brief)
    return tidy(
      known ??
        talk.voice.pick(
          [
            'I am {name}. I do not speak that language, but I am listening.',
            'That language I do not speak, sorry. I am {name}.',
          ],
          'none',
        ),
    );
  const [greeting, hello, honest] = brief;
  const { voice } = talk;
  const name = { name: talk.character.name || 'Avatar' };
  if (known) return tidy(known);
  if (yours && /[?？؟]/.test(talk.input.userText) && !greeting.test(talk.input.userText)) return tidy(yours.unknown);
  return tidy(
    greeting.test(talk.input.userText) || talk.replies.length === 0
      ? voice.pick([`${hello} ${honest}`], 'b', name)
      : honest,
  );
}

/** A fact asked for, said back; or one just stated, noted. Undefined when it is about neither. */
function aboutSpeaker(talk: Talk, yours: YourFacts, notesNames: boolean): string | undefined {
  const text = talk.input.userText;
  for (const [kind, asks, told] of yours.rows) {
    const asked = asks.exec(text);
    if (!asked) continue;
    const about = asked[1]?.toLowerCase();
    const fact = talk.facts.find((row) => row.kind === kind && (about === undefined || row.about.endsWith(about)));
    if (fact) return toldAs(told, fact);
    return kind === 'name' && talk.input.speakerName ? told.replace('{v}', talk.input.speakerName) : yours.notTold;
  }
  const [fact] = statedFacts(text).filter(({ kind }) => notesNames || kind !== 'name');
  const row = fact && yours.rows.find(([kind]) => kind === fact.kind);
  if (!fact || !row) return undefined;
  const said = fact.kind === 'named' ? `${fact.value}.` : toldAs(row[2], fact);
  return `${yours.noted} ${/[:：]$/.test(yours.noted) && fact.kind !== 'named' && !row[2].startsWith('{v}') ? lowerFirst(said) : said}`;
}

const toldAs = (line: string, fact: StatedFact): string =>
  line
    .replace('{a}', fact.about.replace(/^favourite /, ''))
    .replace('{v}', fact.value.replace(/^(?:in|at|near|on|as)(?: an?)? /i, ''));

const quoted = (talk: Talk): string | undefined => answerTo(talk, talk.input.userText)?.text;

/** What an occasion calls for: which pattern, or (for a speaker who writes English) which English intents. */
const OCCASIONS: [test: 'myName' | 'ai' | 'who' | 'thanks' | 'bye' | 'how' | 'greet', english: string[]][] = [
  ['myName', ['aboutYou']],
  ['ai', ['ai', 'reasoning']],
  ['who', ['who', 'selfName', 'selfStory']],
  ['how', ['fine']],
  ['thanks', ['thanks']],
  ['bye', ['goodbye']],
  ['greet', []],
];

function phraseReply(talk: Talk, phrases: Phrases, language: string): string {
  const { voice, input, character } = talk;
  const text = input.userText.trim();
  const told = phrases.nameIs.exec(text)?.[1];
  const speaker = told ?? input.speakerName ?? nameTold(talk, phrases);
  const slots = { speaker, name: character.name || 'Avatar' };
  const say = (lines: string[], salt: string) => voice.pick(lines, salt, slots);
  const english = intentOf(plain(text))?.id;
  const occasion = OCCASIONS.find(
    ([test, ids]) => phrases[test].test(text) || (english !== undefined && ids.includes(english)),
  )?.[0];
  const asksName = occasion === 'myName' || /\bmy name\b/i.test(text);
  if (told && !asksName) return tidy(say(phrases.met, 'met'));
  if (asksName) return tidy(speaker ? say(phrases.yourName, 'yours') : say(phrases.noName, 'noname'));
  const answers: Record<string, (() => string[]) | undefined> = {
    ai: () => [say(phrases.honest, 'honest')],
    who: () => [say(phrases.me, 'me'), ...selfLines(talk, phrases)],
    thanks: () => [say(phrases.welcome, 'welcome')],
    bye: () => [say(phrases.goodbye, 'bye')],
    how: () => [say(phrases.fine, 'fine')],
    greet: () => [say(phrases.hello, 'hello'), say(phrases.me, 'me')],
  };
  const answer = occasion && answers[occasion];
  if (answer) return tidy(answer().join(' '));
  const known = quoted(talk);
  if (known) return tidy(known);
  const asks = /\?/.test(text);
  return tidy(asks ? (YOUR_FACTS[language]?.unknown ?? '') : say(phrases.listen, 'rest'));
}

/** A name given in an earlier turn, or remembered. */
function nameTold(talk: Talk, phrases: Phrases): string | undefined {
  for (const line of [...talk.userLines].reverse()) {
    const name = phrases.nameIs.exec(line)?.[1];
    if (name) return name;
  }
  const remembered = talk.facts.find((fact) => fact.kind === 'name');
  return remembered && asSpeakerSaid(remembered.sentence) ? remembered.value : undefined;
}

/** The persona's own first sentences, where it is written in this language. */
function selfLines(talk: Talk, phrases: Phrases): string[] {
  const [you, me] = phrases.self;
  const lines = (talk.input.personalityPrompt ?? '').split(/(?<=[.!?])\s+|\n+/).filter((line) => you.test(line));
  return lines.slice(0, 1).map((line) => line.replace(you, me));
}
