/**
 * The embedded "reasoning pass" of the documented API: rules that decide whether a prompt clearly intends readable words, and
 * which. It answers from the wording alone and prefers silence: an ordinary sentence with "says" or "reads" in it is
 * not a wish for lettering.
 */

/** Texts in double quotes (straight or curly), trimmed, in order; empty quotes are not words. */
export function quotedWords(prompt: string): string[] {
  const found: string[] = [];
  for (const match of prompt.matchAll(/["“”„«]([^"“”„«»]+)["“”»]/g)) {
    const words = (match[1] as string).trim().replace(/\s+/g, ' ');
    if (words) found.push(words);
  }
  return found;
}

/** Things that carry words. A verb of saying counts only after one of these. */
const CARRIER =
  '(?:signs?|sign ?posts?|sign ?boards?|posters?|flyers?|banners?|billboards?|plaques?|placards?|boards?|chalkboards?|blackboards?|labels?|t-?shirts?|shirts?|caps?|mugs?|stickers?|badges?|(?:post)?cards?|invitations?|tickets?|covers?|book covers?|album covers?|magazines?|logos?|neons?|neon lights?|marquees?|headlines?|titles?|captions?|notes?|screens?|flags?|sweaters?|hoodies?|license plates?|tombstones?|gravestones?|scoreboards?|tattoos?|cakes?|graffiti|notices?|letterings?|texts?|menus?|nameplates?|price tags?|tags?|whiteboards?|speech bubbles?|bubbles?|typography|inscriptions?)';
const SAYS =
  '(?:that |which )?(?:says?|saying|reads?|reading|spells?|spelling|stating|states|announcing|announces|bearing the (?:words?|text|name)|showing the (?:words?|text))';

/** Where the words end when nothing quotes them: punctuation, or a preposition that goes on with the image. */
const END =
  /[.!?;\n]|,(?=\s)|\s(?=(?:on (?:a|an|the|my|top)|in (?:a|an|the|front|neon|big|bold|large|red|blue|green|gold|golden|white|black|pink|yellow|purple|orange|cursive|elegant|capital|block|fancy|handwritten)|at (?:night|sunset|sunrise|dawn|dusk|the (?:top|bottom|beach))|over (?:a|an|the)|above (?:a|an|the)|under (?:a|an|the)|below (?:a|an|the)|beside|next to|near (?:a|an|the)|behind (?:a|an|the)|hanging|standing|with (?:a|an|the)|made of|against|painted|written|by a|outside|surrounded|for (?:a|an|the|my)|and (?:a|an|the) \w+)\b)/i;

/** Each rule: a pattern whose first group starts the words. */
const RULES: readonly RegExp[] = [
  new RegExp(
    `\\b${CARRIER}\\b(?: (?:over|above|on|in|at|by|near|outside|from|for)(?: (?:a|an|the|my|his|her|their))? [\\p{L}-]+)?,? ${SAYS}:? +(.+)`,
    'iu',
  ),
  new RegExp(
    `\\b${CARRIER} (?:titled|entitled|called|headed|headlined|captioned|lettered|labell?ed|marked) +(.+)`,
    'iu',
  ),
  /\b(?:captioned|labell?ed|subtitled)(?: (?:as|with))?:? +(.+)/iu,
  /\b(?:with|showing|displaying|bearing|containing|saying|add|adding|put|write|writing|paint) the (?:words?|text|phrase|caption|title|slogan|message|inscription|headline|letters|name):? +(.+)/iu,
  /\bthe (?:words?|text|phrase|slogan|caption|headline|inscription):? +(?!(?:of|is|are|on|in|at|from|to|that|which|for|into|and|should|must|style|box|message|colou?r|size|font|bigger|smaller|larger|bolder|brighter|darker)\b)(.+)/iu,
  /\bwith (?:a|an|the) (?:caption|title|slogan|headline|inscription)(?: (?:that|which))?(?: (?:of|saying|says|reading|reads))?:? +(.+)/iu,
  /\b(?:logo|wordmark|emblem) (?:for|of) (?:(?:a|an|the|my|our) (?:[\p{L}-]+ ){1,3}(?:called|named) +)?(?!(?:a|an|the|my|our)\b)(.+)/iu,
  /\b(?:caf[eé]|shop|store|bar|restaurant|bakery|hotel|company|startup|band|brand|team|boat|ship) logo (?:called|named) +(.+)/iu,
  new RegExp(
    `\\b${CARRIER} (?:with|for) (?:the )?(?:event|movie|film|band|concert|show|play|festival) (?:called|named|titled) +(.+)`,
    'iu',
  ),
  /\b(?:posters?|flyers?|business cards?|book covers?) for (?=\p{Lu})(.+)/u,
  /\b(?:quotes?|mottos?|slogans?|headlines?|captions?|titles?|texts?): *(.+)/iu,
  /\b(?:spelling|spell(?:ing)? out) +(?:the (?:words?|name) +)?(.+)/iu,
];

/** A person, an animal or a book after all: "a woman with a sign reads a book" must stay an image. */
const ORDINARY =
  /^(?:(?:a|an|his|her|their|my|some|many|this) )?(?:books?|newspapers?|letters?|novels?|maps?|stories|story|magazines?|comics?|poems?|hello to|goodbye to|nothing|something|things?|about|like|well|from)\b/i;

/** Phrases that start with an article but are names still go; these starts mean description, not lettering. */
const MAX_WORDS = 14;

/**
 * The words an unquoted prompt clearly intends to be readable in the image, or undefined when it intends none.
 * Words come in the case the prompt has, except all-lower-case ones after a sign, which are set in capitals.
 */
export function intendedWords(prompt: string): string[] | undefined {
  if (quotedWords(prompt).length > 0) return undefined;
  for (const rule of RULES) {
    const rest = rule.exec(prompt)?.[1];
    if (rest === undefined || ORDINARY.test(rest.trim())) continue;
    const words = trimWords(rest);
    if (words) return [words];
  }
  return undefined;
}

/**
 * The words at the start of a text, without what goes on about the image; undefined for too many or none.
 * @param keepsCommas a comma before a capital is one of theirs: "Hello, World"
 */
export function trimWords(rest: string, keepsCommas = false): string | undefined {
  const single = /^'([^']+)'/.exec(rest.trim());
  const end = keepsCommas ? rest.replace(/,(?=\s+\p{Lu})/gu, '-').search(END) : rest.search(END);
  const exclaimed = end >= 0 && /[!?]/.test(rest[end] as string) ? end + 1 : end;
  const raw = single ? (single[1] as string) : exclaimed >= 0 ? rest.slice(0, exclaimed) : rest;
  const words = raw
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^[:'-]+|[:',-]+$/g, '')
    .trim();
  const count = words.split(' ').length;
  if (words === '' || count > MAX_WORDS) return undefined;
  return words === words.toLowerCase() && count <= 6 ? words.toUpperCase() : words;
}
