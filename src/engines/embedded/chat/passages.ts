/** Takes a text apart into the sentences that can be said, each with what it is about. It ranks nothing. */
import { LRUCache } from 'lru-cache';
import { sentences as chunked, words } from '../../ports/chat.ts';
import { asOneWord, contentTerms } from './question.ts';

/** A sentence of a passage, prepared for lookups. */
export interface Sentence {
  text: string;
  /** The heading it stands under; '' for none. */
  heading: string;
  /** Whether it is the first one there. */
  leads: boolean;
  /** Stems of that heading. */
  headed: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  /** Its words as they stand, folded. */
  forms: ReadonlySet<string>;
  /** Stems in order, for neighbours of words. */
  order: string[];
  /** Stems of the words before its first verb. */
  about: string[];
  /** Stems of what it goes on about: the sentence before a pronoun, the question before an answer, its heading. */
  carried: ReadonlyMap<string, number>;
  /** Who or what its opening pronoun stands for. */
  subject?: string;
}

const CACHE_SIZE = 500;
const cache = new LRUCache<string, Sentence[]>({ max: CACHE_SIZE });

/** What a carried stem is worth beside one of the sentence itself. */
const OF_QUESTION = 0.9;
const OF_HEADING = 0.6;
const OF_PRONOUN = 0.6;
const OF_NEIGHBOUR = 0.25;
/** Every sentence is about what its whole text is about. */
const OF_TOPIC = 0.75;
/** In so many sentences, and in such a share of them, stands what a text is about. */
const TOPIC_COUNT = 3;
const TOPIC_SHARE = 0.25;

const ABBREVIATION =
  /(?:^|[\s(])(?:St|Mr|Mrs|Ms|Dr|Mt|Ft|Prof|No|Nos|vs|etc|ca|cf|e\.g|i\.e|approx|Jr|Sr|Inc|Ltd|Co|Gen|Col|Capt|Sgt|Rev|Hon|\p{Lu})\.$/u;
const PRONOUN = /^(?:he|she|it|they|his|her|its|their|this|these|that|those|such|both|there)\b/i;

/** "... under Justinian I. It was ...": behind a king's number a sentence may end. */
const AFTER_NUMBER = /\p{Lu}\p{L}+ [IVX]\.$/u;
const OPENS =
  /^(?:he|she|it|they|his|her|its|their|this|these|those|there|the|an?|in|on|at|by|from|for|to|during|after|before|when|while|as|with|although|one|both|some|many|most|I|you|we)\b/i;

/** Sentences as a reader takes them: a full stop behind an abbreviation or an initial ends none. */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  for (const piece of chunked(text)) {
    const last = found.at(-1);
    const goesOn = last !== undefined && ABBREVIATION.test(last) && !(AFTER_NUMBER.test(last) && OPENS.test(piece));
    if (goesOn) found[found.length - 1] = `${last} ${piece}`;
    else found.push(piece);
  }
  return found;
}

interface Line {
  text: string;
  heading: string;
}

/** The lines of a text; a short line without an end, above others, is their heading and no sentence. */
function linesOf(text: string): Line[] {
  const raw = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const lines: Line[] = [];
  let heading = '';
  for (const [i, line] of raw.entries()) {
    const bare = line.replace(/^(?:#+|[-*•]|\d+[.)])\s+/, '').replace(/\*\*/g, '');
    const next = raw[i + 1];
    const isList = /^[-*•]\s/.test(line);
    const ends = /[.!?:;…。！？]["”')]*$/.test(bare);
    const isHeading =
      /^#/.test(line) || (!isList && !ends && next !== undefined && bare.length < 80 && !/:\s/.test(bare));
    if (isHeading) heading = bare;
    else if (isList || !/:$/.test(bare)) lines.push({ text: bare, heading });
    else heading = bare.replace(/:$/, '');
  }
  if (lines.length === 0 && heading) lines.push({ text: heading, heading: '' });
  return lines;
}

/** The sentences of a text in order. The last `CACHE_SIZE` texts are kept read. */
export function readPassage(text: string): Sentence[] {
  const known = cache.get(text);
  if (known) return known;
  const made: Sentence[] = [];
  let topic: string | undefined;
  for (const { text: line, heading } of linesOf(text)) {
    for (const sentence of sentencesOf(line)) {
      if (!/[\p{L}\p{N}]/u.test(sentence)) continue;
      const order = contentTerms(asOneWord(sentence));
      const before = made.at(-1);
      const carried = new Map<string, number>();
      const carry = (stems: Iterable<string>, worth: number) => {
        for (const stem of stems) carried.set(stem, Math.max(worth, carried.get(stem) ?? 0));
      };
      carry(contentTerms(heading), OF_HEADING);
      const opens = PRONOUN.test(sentence);
      if (before) carry(before.stems, before.text.endsWith('?') ? OF_QUESTION : opens ? OF_PRONOUN : OF_NEIGHBOUR);
      const subject: string | undefined = opens ? referent(sentence, before, topic) : undefined;
      if (subject) carry(contentTerms(subject), OF_HEADING);
      if (topic) carry(contentTerms(topic), OF_TOPIC);
      topic ??= subjectOf(sentence);
      made.push({
        text: sentence,
        heading,
        leads: heading !== '' && before?.heading !== heading,
        headed: new Set(contentTerms(heading)),
        stems: new Set(order),
        forms: new Set(words(sentence)),
        order,
        about: contentTerms(subjectOf(sentence) ?? ''),
        carried,
        ...(subject ? { subject } : {}),
      });
    }
  }
  for (const stem of topicsOf(made))
    for (const { carried } of made)
      if ((carried.get(stem) ?? 0) < OF_TOPIC) (carried as Map<string, number>).set(stem, OF_TOPIC);
  cache.set(text, made);
  return made;
}

function topicsOf(made: Sentence[]): string[] {
  const counts = new Map<string, number>();
  for (const { stems } of made) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return [...counts].filter(([, count]) => isOften(count, made)).map(([stem]) => stem);
}

const isOften = (count: number, made: readonly Sentence[]): boolean =>
  count >= TOPIC_COUNT && count >= made.length * TOPIC_SHARE;

/** Whether so many sentences of a passage hold a stem that the whole is about it. */
export const isTopic = (stem: string, made: readonly Sentence[]): boolean =>
  isOften(made.filter(({ stems }) => stems.has(stem)).length, made);

/** A verb in a finite form. */
export const FINITE =
  /^(?:is|are|was|were|has|have|had|can|could|will|would|may|might|must|shall|should|does|did|do|became|began|made|took|gave|came|went|led|wrote|said|left|lies|stands|lives|runs|opens|closes|costs|contains|consists|includes|covers|grows|means|plays|works|serves|offers|comes|weighs|ran|won|lost|built|found|held|kept|met|sold|bought|spoke|taught|thought|told|understood|grew|knew|saw|fell|struck|spread|rose|originally|officially|first|also|later|\p{L}{3,}ed)$/u;

/** The words before the first verb: what a sentence is about; undefined where that cannot be known. */
export function subjectOf(sentence: string): string | undefined {
  const bare = sentence.replace(/\s*\([^)]*\)/g, '');
  const found = bare.split(/\s+/);
  const at = found.findIndex((word) => FINITE.test(word.toLowerCase().replace(/[,;:]$/, '')));
  if (at < 1 || at > 7) return undefined;
  const subject = found.slice(0, at).join(' ').replace(/,.*$/s, '');
  if (
    PRONOUN.test(subject) ||
    !/^(?:\p{Lu}|the\b)/iu.test(subject) ||
    /^(?:In|On|At|After|Before|When|While|By|From|During|For|With|Although|If|As|Because|Since|Under|To|Until|Of|About|Today|Some|Most|Many|One|Another|Nearly|According)\b/.test(
      subject,
    )
  )
    return undefined;
  return subject;
}

const PERSON = /^(?:he|she|his|her)\b/i;

/** Who or what the pronoun that opens a sentence stands for. */
function referent(sentence: string, before: Sentence | undefined, topic: string | undefined): string | undefined {
  if (/^(?:this|these|that|those|such|both|there)\b/i.test(sentence)) return undefined;
  const previous = before && (before.subject ?? subjectOf(before.text));
  const many = /^(?:they|their)\b/i.test(sentence);
  const fits = (subject: string | undefined) =>
    subject !== undefined &&
    (PERSON.test(sentence) || many === (/[^su]s$/.test(subject) || /\band\b/.test(subject))) &&
    (PERSON.test(sentence)
      ? /^(?:\p{Lu}[\p{L}'’.-]+)(?: \p{Lu}[\p{L}'’.-]+)*$/u.test(subject) && !/^The /.test(subject)
      : true);
  return fits(previous) ? previous : fits(topic) ? topic : undefined;
}
