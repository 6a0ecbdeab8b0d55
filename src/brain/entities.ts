/**
 * Character references of HTML: the named ones that pages use, numbers in both bases, and what authors who think in
 * Windows-1252 mean by theirs. The long tail of mathematical names is left as written.
 */

/** The names of U+00A0 to U+00FF, in order. */
const LATIN1 = `
nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring
AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml
times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil
egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash
ugrave uacute ucirc uuml yacute thorn yuml
`;
const OTHERS = `
amp& lt< gt> quot" apos' ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ dagger† Dagger‡
bull• hellip… permil‰ prime′ Prime″ lsaquo‹ rsaquo› euro€ trade™ larr← uarr↑ rarr→ darr↓ harr↔
minus− infin∞ ne≠ le≤ ge≥ asymp≈ radic√ sum∑ OElig\u0152 oelig\u0153 Scaron\u0160 scaron\u0161
Yuml\u0178 fnof\u0192 alpha\u03b1 beta\u03b2 gamma\u03b3 delta\u03b4 lambda\u03bb mu\u03bc pi\u03c0
sigma\u03c3 omega\u03c9 Delta\u0394 Omega\u03a9
`;
const ENTITIES = new Map<string, string>([
  ...LATIN1.trim()
    .split(/\s+/)
    .map((name, i) => [name, String.fromCharCode(0xa0 + i)] as const),
  ...OTHERS.trim()
    .split(/\s+/)
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)] as const),
  ['ensp', ' '],
  ['emsp', ' '],
  ['thinsp', ' '],
  ['zwj', ''],
  ['zwnj', ''],
]);
/** What authors mean by &#128; to &#159;: Windows-1252. */
const CP1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009dž\u0178';

/** Text with its character references resolved; unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,30}));?/g,
    (whole, dec, hex, name) => {
      if (name) return ENTITIES.get(name) ?? whole;
      const code = dec ? Number(dec) : Number.parseInt(hex, 16);
      if (code >= 0x80 && code <= 0x9f) return CP1252[code - 0x80]!;
      return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
        ? '\ufffd'
        : String.fromCodePoint(code);
    },
  );
}
