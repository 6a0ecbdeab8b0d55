/**
 * Reads wishes about the things of an image that we drew: one is removed, replaced, coloured, larger, more, worn, or all of
 * them are elsewhere. The image is drawn anew with the change (`reworkedPlan`), so what is not named stays as it is.
 */
import { badInput } from '../../../../ports/errors.ts';
import { COLOUR_WORDS } from '../colour.ts';
import { asShape } from '../own-shapes.ts';
import { type ImagePlan, type Subject } from '../prompt.ts';
import { isHolder, WORN_ON_HEAD } from '../relations.ts';
import { inSingle } from '../rewordings.ts';
import { standsByItself } from '../scene/index.ts';
import { readSubjects, readThings } from '../subjects.ts';
import { firstMatch, PLACES } from '../vocabulary.ts';
import type { Change, One } from './rules.ts';

const NAME = "[\\p{L}'-]+(?: [\\p{L}'-]+){0,3}?";
const END = "(?= and\\b| then\\b|[^\\p{L}' -]|$)";
const FROM = '(?: from (?:the|this) (?:image|picture|photo|scene))?';
const COLOURS = [...COLOUR_WORDS.keys()].join('|');

interface Rule {
  pattern: RegExp;
  change(groups: Record<string, string | undefined>): Change | undefined;
}
const rule = (source: string): RegExp => new RegExp(`\\b${source}${END}`, 'gu');

const RULES: readonly Rule[] = [
  {
    pattern: rule(
      `(?:remove|delete|erase|take (?:out|away)|get rid of) (?:the |both |all (?:the )?)?(?<what>${NAME})${FROM}`,
    ),
    change: ({ what }) => named(what, (one) => ({ kind: 'remove', what: one })),
  },
  {
    pattern: rule(
      `(?:(?:replace|swap|exchange) the (?<what>${NAME}) (?:with|by|for)|(?:change|turn|make) the (?<turned>${NAME}) (?:in)?to) (?<by>(?:an?|the|some|two|three|four|five) ${NAME})`,
    ),
    change: ({ what, turned, by }) =>
      named(what ?? turned, (one) => {
        const other = drawable(by as string);
        return other && { kind: 'replace', what: one, by: other };
      }),
  },
  {
    pattern: rule(
      `(?:(?:make|turn|paint|re-?colou?r|colou?r|dye|change) (?:the )?(?:colou?r of )?the (?<what>${NAME})|(?:make|turn|paint|dye|change) the (?<short>${NAME}) (?:colou?r|to be)) (?:(?:in)?to )?(?:(?:dark|light|bright) )?(?<colour>${COLOURS})`,
    ),
    change: ({ what, short, colour = '' }) =>
      named(what ?? short, (one) =>
        /^(?:person|plant)$/.test(one.role)
          ? undefined
          : { kind: 'colour', what: one, colour: COLOUR_WORDS.get(colour) as string },
      ),
  },
  {
    pattern: rule(
      `make the (?<what>${NAME}) (?:much |a (?:bit|little|lot) )?(?<size>bigger|larger|taller|huge|giant|smaller|tiny|shorter)`,
    ),
    change: ({ what, size = '' }) =>
      named(what, (one) => ({ kind: 'size', what: one, size: /small|tiny|short/.test(size) ? 'small' : 'big' })),
  },
  {
    pattern: rule(`make (?:it|them|that) (?<what>(?:one|two|three|four|five|six|seven|eight|nine|ten) ${NAME})`),
    change: ({ what }) => named(what, (one) => ({ kind: 'count', what: one })),
  },
  {
    pattern: rule(
      `(?:add|put|give (?:him|her|it|them|the (?<given>${NAME}))) (?:an? |some )?(?<by>${NAME})(?: on (?:him|her|it|them)| (?:on|to) (?:the|his|her|its) (?<what>${NAME}))?`,
    ),
    change: ({ by, given, what }) => {
      const thing = readSubjects(by as string)[0];
      if (!thing || !WORN_ON_HEAD.has(thing.sprite) || !by?.endsWith(thing.word)) return undefined;
      const wearer = readSubjects(given ?? what ?? '')[0];
      return { kind: 'wear', by: thing, ...(wearer ? { what: wearer } : {}) };
    },
  },
  {
    pattern: rule(
      `(?:add|put|place|draw|insert|include) (?<by>${NAME} (?:next to|beside|behind|in front of|under|above|over|near|by|on(?: top of)?|in(?:side)?) the) (?<what>${NAME})`,
    ),
    change: ({ by = '', what }) => {
      const text = `${by} ${what}`;
      const [thing, host] = [text, asShape(text)].map(readSubjects).find((all) => all.length > 1) ?? [];
      if (!thing || !host) return undefined;
      return named(what, (one) => (one.sprite === host.sprite ? { kind: 'add', by: thing, what: one } : undefined));
    },
  },
  {
    pattern: rule(
      `(?:change|replace|swap|set) the (?:background|place|setting|scenery|location) (?:to|with|by|for) (?:an? |the |some )?(?<where>${NAME})`,
    ),
    change: ({ where = '' }) => {
      const place = firstMatch(PLACES, where);
      return place && { kind: 'place', place };
    },
  },
];

/** The change of a thing that can be drawn and that the words name wholly. */
function named(words: string | undefined, make: (subject: Subject) => Change | undefined): Change | undefined {
  const plain = inSingle(`the ${words ?? ''}`);
  const text = readSubjects(plain).length > 0 ? plain : asShape(plain);
  const [subject] = readSubjects(text);
  return subject && text.endsWith(subject.word) ? make(subject) : undefined;
}

/** Throws for what cannot be drawn. */
function drawable(words: string): Subject | undefined {
  const { subjects, unknown } = readThings(words);
  if (unknown) throw badInput('prompt', `asks for "${unknown}", which the embedded illustrator cannot draw.`);
  return subjects.length === 1 && words.endsWith((subjects[0] as Subject).word) ? subjects[0] : undefined;
}

/** The wishes of a lower-case text, and where they stand in it. */
export function readReworks(text: string): { at: number; end: number; edit: One<'rework'> }[] {
  const found: { at: number; end: number; edit: One<'rework'> }[] = [];
  for (const { pattern, change } of RULES)
    for (const match of text.matchAll(pattern)) {
      const [at, end] = [match.index, match.index + match[0].length];
      if (found.some((other) => at < other.end && end > other.at)) continue;
      const made = change(match.groups ?? {});
      if (made) found.push({ at, end, edit: { op: 'rework', change: made } });
    }
  return found;
}

/** Which of the things a request means: of its colour, if it names one; else the first of its kind. */
function indexOf(subjects: readonly Subject[], { sprite, colour }: Subject): number {
  const isIt = (one: Subject) => one.sprite === sprite && !one.isGone;
  const exact = colour ? subjects.findIndex((one) => isIt(one) && one.colour === colour) : -1;
  return exact >= 0 ? exact : subjects.findIndex(isIt);
}

/** What the plan shows after a change; undefined where it has no such thing. */
export function reworkedPlan(plan: ImagePlan, change: Change): ImagePlan | undefined {
  if (change.kind === 'place') {
    const { platform: _left, ...rest } = plan;
    return plan.kind === 'scene' ? { ...rest, place: change.place } : undefined;
  }
  if (plan.kind !== 'scene' && plan.kind !== 'object') return undefined;
  const { subjects } = plan;
  const at = change.what ? indexOf(subjects, change.what) : subjects.findIndex((one) => isHolder(one) && !one.isGone);
  const subject = subjects[at];
  // A still life lies on its table, which is no thing of it.
  if (change.kind === 'add' && !subject && plan.kind === 'object' && change.what.sprite === 'own:table') {
    const { on: _table, how: _way, ...thing } = change.by;
    return { ...plan, subjects: [...subjects, thing] };
  }
  if (!subject || (plan.kind === 'scene' && !standsByItself(subject, plan))) return undefined;
  if (change.kind === 'wear')
    return isHolder(subject) ? { ...plan, subjects: [...subjects, { ...change.by, on: at, how: 'worn' }] } : undefined;
  if (change.kind === 'add') {
    const { on: host, ...thing } = change.by;
    return { ...plan, subjects: [...subjects, host === undefined ? thing : { ...thing, on: at }] };
  }
  return {
    ...plan,
    subjects: subjects.map((one, i) =>
      i === at ? changed(one, change) : one.on === at && change.kind === 'remove' ? left(one) : one,
    ),
  };
}

function changed(one: Subject, change: Exclude<Change, { kind: 'place' | 'wear' | 'add' }>): Subject {
  switch (change.kind) {
    case 'remove':
      return { ...one, isGone: true };
    case 'colour': {
      const { isVaried: _colours, ...rest } = one;
      return { ...rest, colour: change.colour };
    }
    case 'size':
      return { ...one, size: change.size };
    case 'count':
      return { ...one, count: change.what.count };
    case 'replace': {
      const { on, how } = one;
      const count = change.by.count > 1 ? change.by.count : one.count;
      return { ...change.by, count, ...(on === undefined ? {} : { on }), ...(how ? { how } : {}) };
    }
  }
}

/** What stood on a thing that is gone stands by itself; what it held or wore is gone too. */
function left(one: Subject): Subject {
  if (one.how === 'held' || one.how === 'worn') return { ...one, isGone: true };
  const { on: _host, how: _way, ...rest } = one;
  return rest;
}
