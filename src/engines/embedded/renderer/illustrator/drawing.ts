/**
 * How an image of ours came about: prompt, words and the edits since, as plain data that is kept with it. From it the
 * image is drawn anew with other words, where painting over the old ones would leave them to be seen.
 */
import { badInput } from '../../../ports/errors.ts';
import { COLOUR_WORDS } from '../graphics/colour.ts';
import { isOfPerson, reworded, withoutWorn } from '../graphics/edit/reword.ts';
import { reworkedPlan } from '../graphics/edit/rework.ts';
import type { Change, Edit, One } from '../graphics/edit/rules.ts';
import { readPrompt } from '../graphics/prompt.ts';

/** What is to be drawn. */
export interface Drawing {
  prompt: string;
  /** Pixels. */
  width: number;
  height: number;
  seed: number;
  /** What is lettered instead of the prompt's own words. */
  words?: string[];
  /** Of the prompt's things, in the order in which they were asked for. */
  changes?: Change[];
  steps: DrawingStep[];
}

/** One request to edit it. */
export interface DrawingStep {
  edits: Edit[];
  aspectRatio?: string;
  seed: number;
}

/** Edits that a drawing remembers; beyond them it can no longer be lettered anew. */
const MOST_STEPS = 20;

/** The words that are lettered. */
const wordsOf = ({ prompt, words }: Pick<Drawing, 'prompt' | 'words'>): string[] => words ?? readPrompt(prompt).words;

/** With one more step; undefined when it has had too many. */
export const withStep = (drawing: Drawing, step: DrawingStep): Drawing | undefined =>
  drawing.steps.length < MOST_STEPS ? { ...drawing, steps: [...drawing.steps, step] } : undefined;

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Lines with some of their words replaced: "Happy Birthday Tom" for Anna; undefined where no line has those. */
function wordsWithin(lines: string[], old: string, words: string): string[] | undefined {
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${old.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'giu');
  const changed = lines.map((line) => line.replace(whole, () => words));
  return changed.some((line, i) => line !== lines[i]) ? changed : undefined;
}

/**
 * The drawing with other words: those that the request names, its title, its last caption, or all that the prompt had
 * lettered. Throws badInput('prompt', ...) when it has no such words.
 */
function relettered(drawing: Drawing, { words, old, part }: One<'reletter'>): Drawing {
  const own = wordsOf(drawing);
  const captions = drawing.steps.flatMap(({ edits }) => edits.filter((edit) => edit.op === 'caption'));
  const caption = old === undefined ? captions.at(-1) : captions.findLast((one) => isSame(one.words, old));
  if (old !== undefined && own.some((one) => isSame(one, old)))
    return { ...drawing, words: own.map((one) => (isSame(one, old) ? words : one)) };
  const within = old === undefined ? undefined : wordsWithin(own, old, words);
  if (within) return { ...drawing, words: within };
  if (old === undefined && own.length > 0 && !(part === 'caption' && caption))
    return { ...drawing, words: part === 'title' ? [words, ...own.slice(1)] : [words] };
  if (!caption)
    throw badInput(
      'prompt',
      `asks to change ${old === undefined ? 'words' : `"${old}"`} that the image does not have.`,
    );
  const steps = drawing.steps.map((step) => ({
    ...step,
    edits: step.edits.map((edit) => (edit === caption ? { ...caption, words } : edit)),
  }));
  return { ...drawing, steps };
}

/** The thing that a change is about, as it was named. */
const nameOf = (change: Change): string =>
  change.kind === 'place'
    ? change.place
    : (change.what?.word ?? `somebody to wear a ${change.kind === 'wear' ? change.by.word : ''}`);

/**
 * The drawing with other things: those of its prompt, or one that an edit since has added. Throws badInput('prompt', ...) when
 * it has no such thing.
 */
function reworked(drawing: Drawing, { change }: One<'rework'>): Drawing {
  const changes = drawing.changes ?? [];
  const plan = changes.reduce((one, other) => reworkedPlan(one, other) ?? one, readPrompt(drawing.prompt));
  if (reworkedPlan(plan, change)) return { ...drawing, changes: [...changes, change] };
  // A dress is no thing of its own: its colour is a word of the prompt.
  const prompt = change.kind === 'colour' ? recoloured(drawing.prompt, change) : undefined;
  if (prompt !== undefined) return { ...drawing, prompt };
  const sitter = plan.kind === 'portrait' ? ofSitter(drawing.prompt, change) : undefined;
  if (sitter !== undefined) return { ...drawing, prompt: sitter };
  const sprite = 'what' in change ? change.what?.sprite : undefined;
  const isIt = (edit: Edit) => edit.op === 'add' && edit.subject.sprite === sprite;
  const last = drawing.steps.flatMap(({ edits }) => edits).findLast(isIt);
  if (change.kind !== 'remove' || !last)
    throw badInput(
      'prompt',
      `asks to change "${nameOf(change)}", which the image does not have as a thing of its own.`,
    );
  const steps = drawing.steps.map((step) => ({ ...step, edits: step.edits.filter((edit) => edit !== last) }));
  return { ...drawing, steps };
}

/** What a sitter wears is no thing of its own either. */
const ofSitter = (prompt: string, change: Change): string | undefined =>
  change.kind === 'wear'
    ? `${prompt}, wearing ${/s$/.test(change.by.word) ? '' : 'a '}${change.by.word}`
    : change.kind === 'remove'
      ? withoutWorn(prompt, change.what.word)
      : undefined;

function recoloured(prompt: string, { what, colour }: Extract<Change, { kind: 'colour' }>): string | undefined {
  const word = [...COLOUR_WORDS.keys()].find((one) => COLOUR_WORDS.get(one) === colour);
  return word && isOfPerson(what.word) ? reworded(prompt, { op: 'reword', worn: what.word, colour: word }) : undefined;
}

/** The drawing with other words in its prompt, or without the weather that an edit has added. Throws badInput('prompt', ...). */
function withWording(drawing: Drawing, edit: One<'reword'>): Drawing {
  const prompt = reworded(drawing.prompt, edit);
  const { op: _reword, ...wish } = edit;
  const [asked] = Object.values(wish);
  const isWeather = ({ op }: Edit) => 'weather' in edit && op === 'weather';
  const isHour = ({ op }: Edit) => 'hour' in edit && /^(?:night|golden|weather)$/.test(op);
  const hasWeather = drawing.steps.some(({ edits }) => edits.some(isWeather));
  if (prompt === undefined && !hasWeather)
    throw badInput('prompt', `asks to change "${asked}", of which the image was drawn without a word.`);
  const steps = drawing.steps.map((step) => ({
    ...step,
    edits: step.edits.filter((one) => !isWeather(one) && !isHour(one)),
  }));
  return { ...drawing, steps, prompt: prompt ?? drawing.prompt };
}

/** The drawing as the edits of a request would have it; undefined where they change nothing that is drawn. Throws as they do. */
export function redrawn(drawing: Drawing, edits: readonly Edit[]): Drawing | undefined {
  let now = drawing;
  for (const edit of edits)
    if (edit.op === 'reletter') now = relettered(now, edit);
    else if (edit.op === 'rework') now = reworked(now, edit);
    else if (edit.op === 'reword') now = withWording(now, edit);
  return now === drawing ? undefined : now;
}
