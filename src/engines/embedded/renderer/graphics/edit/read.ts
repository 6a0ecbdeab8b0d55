/**
 * Reads an edit prompt into operations, in the order they are mentioned. What is asked for and cannot be done is
 * refused with a sentence that names it; nothing is ignored in silence.
 */
import { badInput } from '../../../../ports/errors.ts';
import { COLOUR_WORDS } from '../colour.ts';
import { intendedWords, quotedWords } from '../intended-words.ts';
import { readPrompt } from '../prompt.ts';
import { LOOK_BEHIND, readRelettering } from './reletter.ts';
import { readRewordings } from './reword.ts';
import { readReworks } from './rework.ts';
import { type Corner, type Edit, RULES, type Where } from './rules.ts';

/** Words that carry no wish of their own. */
const FILLER = new Set(
  `a about add added after all also an and another any apply are around art as at background-less be before better bit both but by can change colors colours color colour colouring convert could create do don't each edit effect entire everything feel filter finally first five for four from fully generate get give has have high i if image images in into is it it's its just keep less light like little look looks lot make making me more much my nice now of on one only or original out over overall photo photograph photographs photos picture pictures place please put quite really reference references render season same scene set side slight slightly some strong style that the their them then these they thing this three to together tone tones too turn two up use using version very want was were what whole will with would you look-alike strength subtle soft tint tinted toned nicely bigger effect's shot portrait style's use hint touch layout result top bottom add include insert show`.split(
    /\s+/,
  ),
);
/** Beside quoted words these say how to set them. */
const CAPTION_FILLER = new Set(
  'caption captions captioned text texts words word write writes written writing title titled says saying say reads reading read label labelled sign letters lettering letter print printed bold big large small handwritten script elegant meme headline subtitle centre center middle upper lower left right below above under beneath at white black font sans serif typed labeled overlay across large-letters in placard banner message slogan name quote heading poster-style capitals caps'.split(
    ' ',
  ),
);

const ABILITIES =
  'It can grey, sepia, sketch, cartoon, paint, blur, sharpen, pixelate, brighten, darken, tint, warm, cool, invert, posterize, vignette, crop, rotate, flip, frame, caption with quoted words, change words and things (remove, replace, colour, size) of an image that it drew, make night or sunset, add rain, snow, fog, stars, a rainbow, fireworks, bubbles or a known subject, and blend or collage references';

/**
 * The operations of an edit prompt for `references` images, in order of mention; collaging closes the list when
 * several images come and nothing says how to join them. Throws badInput('prompt', ...) for what cannot be done.
 * @param isDrawn we drew the one image, so that its words can be other ones
 */
export function readEdits(whole: string, references: number, isDrawn = false): Edit[] {
  const found: { at: number; end: number; edit: Edit }[] = [];
  const other = readRelettering(whole);
  if (other && !isDrawn)
    throw badInput(
      'prompt',
      'asks for other words where an image has some, which the embedded editor can do only to an image that it drew itself; elsewhere "add the text ..." puts words on it.',
    );
  const look = other && LOOK_BEHIND.exec(whole.slice(other.end))?.[0].replace(/^\P{L}+/u, '');
  if (look) throw badInput('prompt', `asks for "${look}", which the embedded editor cannot do. ${ABILITIES}.`);
  // The quoted words are the new text of the image, so they are not read as a caption too.
  const prompt = other ? whole.slice(0, other.at) + ' '.repeat(other.end - other.at) + whole.slice(other.end) : whole;
  if (other) found.push(other);
  const isSaid = (one: string) => one.toLowerCase() === other?.edit.words.toLowerCase();
  const words = quotedWords(prompt);
  const intended = words.length === 0 && !other ? intendedWords(prompt) : undefined;
  let text = prompt.toLowerCase().replace(/[’`]/g, "'");
  text = takeCaptions(text, words, intended, found);
  const hasWords = found.length > 0;
  if (isDrawn) {
    found.push(...readReworks(text));
    for (const one of readRewordings(text))
      if (!found.some((other) => one.at < other.end && one.end > other.at)) found.push(one);
  }
  takeSubjects(text, found);
  for (const { pattern, edit } of RULES) {
    for (const match of text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (found.some((other) => match.index < other.end && end > other.at)) continue;
      const made = edit(match as RegExpExecArray);
      if (made) found.push({ at: match.index, end, edit: made });
    }
  }
  refuseLeftovers(text, found, hasWords);
  const edits = found
    .sort((a, b) => a.at - b.at)
    .map(({ edit }) => edit)
    .filter((edit) => edit.op !== 'caption' || !isSaid(edit.words));
  return joinReferences(edits, references);
}

function joinReferences(edits: Edit[], references: number): Edit[] {
  const joins = edits.filter((edit) => edit.op === 'collage' || edit.op === 'blend');
  if (joins.length > 0 && references < 2)
    throw badInput('prompt', 'asks to join images, which needs at least two reference images.');
  if (references > 1 && joins.length === 0)
    return [...edits, { op: 'collage', kind: references === 2 ? 'row' : 'grid' }];
  return edits;
}

/** Takes quoted (or clearly intended) words out of the text and notes them as captions. */
function takeCaptions(
  text: string,
  words: string[],
  intended: string[] | undefined,
  found: { at: number; end: number; edit: Edit }[],
): string {
  let rest = text;
  for (const [i, setting] of (intended ?? words).entries()) {
    const at = rest.indexOf(setting.toLowerCase());
    const end = at + setting.length;
    const from = Math.max(rest.lastIndexOf(',', at), rest.lastIndexOf(' and ', at), 0);
    const to = rest.slice(end).search(/,| and |$/) + end;
    const clause = `${rest.slice(from, at)} ${rest.slice(end, to)}`;
    const where: Where = /\b(top|above|upper)\b/.test(clause)
      ? 'top'
      : /\b(cent(er|re)|middle|across)\b/.test(clause)
        ? 'centre'
        : /\b(bottom|below|under|lower)\b/.test(clause)
          ? 'bottom'
          : i === 0 && words.length > 1
            ? 'top'
            : 'bottom';
    const face = /\b(meme|bold|poster)\b/.test(rest)
      ? 'poster'
      : /\b(hand-?written|script|cursive|signature)\b/.test(rest)
        ? 'hand'
        : /\b(elegant|serif|wedding)\b/.test(rest)
          ? 'elegant'
          : 'plain';
    found.push({ at, end, edit: { op: 'caption', words: setting, where, face } });
    rest = rest.slice(0, at) + ' '.repeat(setting.length) + rest.slice(end);
  }
  return rest.replace(/["“”„«»]/g, ' ');
}

const ADD = /\b(add|put|place|insert|include|draw|paint)\b([^.;]*)/g;
const PLACE =
  /\b(?:(?:in|on|at|to) )?(?:the )?((?:sky|air)|(?:top|bottom|upper|lower|left|right|cent(?:er|re)|middle)(?: (?:left|right))?)(?: (?:corner|side))?\b/;
/** On the ground they are not what was meant. */
const WORN_BY_SOMEONE = /^(?:hats?|scar(?:f|ves)|sunglasses|baseball caps?)$/;
const DETERMINERS =
  /^(an?|the|some|one|two|three|four|five|six|seven|eight|nine|ten|several|big|small|tiny|little|giant|large|huge)$/;

/** "add a red balloon and two birds": the nouns of the list, after a verb that adds, each with its own place. */
function takeSubjects(text: string, found: { at: number; end: number; edit: Edit }[]): void {
  for (const match of text.matchAll(ADD)) {
    let start = match.index + (match[1] as string).length;
    for (const part of (match[2] as string).split(/(,| and )/)) {
      takeSubject(part, start, found);
      start += part.length;
    }
  }
}

function takeSubject(part: string, start: number, found: { at: number; end: number; edit: Edit }[]): void {
  const [subject] = readPrompt(part).subjects;
  if (!subject || WORN_BY_SOMEONE.test(subject.word)) return;
  const at = part.indexOf(subject.word);
  if (found.some((other) => start + at < other.end && start + at >= other.at)) return;
  const after = at + subject.word.length;
  // Number, size and colour before the noun are part of it; another noun there is not, and will be refused.
  let from = at;
  for (const word of part.slice(0, at).trim().split(/\s+/).reverse()) {
    if (!DETERMINERS.test(word) && !COLOUR_WORDS.has(word)) break;
    from = part.lastIndexOf(word, from - 1);
  }
  const place = PLACE.exec(part.slice(after));
  // Far away.
  if (/^(?:sky|air)$/.test(place?.[1] ?? '') && !subject.size) subject.size = 'small';
  const end = place ? after + place.index + place[0].length : after;
  const between = part.slice(after, place ? after + place.index : after);
  if (/[a-z]/.test(between.replace(/\b(in|on|at|to|the)\b/g, '')))
    found.push({ at: start + from, end: start + after, edit: { op: 'add', subject, at: undefined } });
  else
    found.push({
      at: start + from,
      end: start + end,
      edit: { op: 'add', subject, at: place ? cornerOf(place[1] as string) : undefined },
    });
}

function cornerOf(words: string): Corner {
  return {
    x: words.includes('left') ? 0.2 : words.includes('right') ? 0.8 : 0.5,
    y: /top|upper|sky|air/.test(words) ? 0.24 : /cent|middle/.test(words) ? 0.55 : 0.8,
  };
}

function refuseLeftovers(text: string, found: { at: number; end: number }[], hasWords: boolean): void {
  const letters = [...text];
  for (const { at, end } of found) for (let i = at; i < end; i++) letters[i] = ' ';
  const bare = letters.join('');
  const isFiller = (word: string) => FILLER.has(word) || (hasWords && CAPTION_FILLER.has(word));
  let at = 0;
  for (const clause of bare.split(/[,.;!?]|\band\b|\bthen\b|\bbut\b/)) {
    const start = bare.indexOf(clause, at);
    at = start + clause.length;
    const unknown = (clause.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []).filter((word) => !isFiller(word));
    if (unknown.length > 0) {
      const asked = text
        .slice(start, start + clause.length)
        .trim()
        .replace(/\s+/g, ' ')
        .slice(0, 120)
        // Not half of a character: what stores or sends the error may refuse that.
        .replace(/[\uD800-\uDBFF]$/, '');
      throw badInput('prompt', `asks for "${asked}", which the embedded editor cannot do. ${ABILITIES}.`);
    }
  }
  if (found.length === 0 && bare.trim() !== '')
    throw badInput('prompt', `names no edit that the embedded editor can do. ${ABILITIES}.`);
  if (found.length === 0) throw badInput('prompt', 'is empty.');
}
