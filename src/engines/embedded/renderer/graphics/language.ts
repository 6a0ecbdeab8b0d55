/** Whether a prompt is in English, the one language the illustrator reads: from its small words and its script. */

/** Of German, French, Spanish, Italian, Portuguese and Dutch; no English words, and in few names. */
const STRONG = new Set(
  `ein eine einen einem einer eines und auf über das dem zum zur beim vom neben hinter zwischen nicht zwei drei une dans avec
sous aux près deux trois una unos unas sobre junto bajo tres il gli nel nella nello nei sul sulla sulle della delle degli
dello alla alle sotto sopra uma uns umas na em ao pela pelo sob não são een het een'`.split(/\s+/),
);
/** These are in English names and words as well: "Las Vegas", "con", "die". */
const WEAK = new Set(
  `der die den des im am mit von bei ist sind le la les un du de sur et est au el los las con del en y al lo di da che uno um
com o os nas nos dos das do e`.split(/\s+/),
);
const ARTICLES = new Set('der die le la les un el los las lo uno um o os'.split(' '));
const ENGLISH = new Set(
  'the with of on at and under over by near is are for from his her my this that an to into'.split(' '),
);
/** Names that begin with an article or have one inside, in whatever case. */
const NAMES =
  /\b(?:las vegas|las palmas|los angeles|los cabos|los alamos|el capitan|el paso|el salvador|el dorado|el ni[nñ]o|la boca|la paz|la jolla|la scala|la la land|la croix|le mans|le havre|les paul|le corbusier|da vinci|de niro|big sur|des moines|du jour|a la mode|en route|die hard|mardi gras|(?:cafe|café|tour|rio|rue|place|crème|creme|fleur|arc|costa|playa|puerto|plaza|cirque|château|chateau) (?:de|del|du)(?: (?:la|le|los|las))?(?: \p{L}+)?)(?!\p{L})/giu;
/** Capitals mark names, in which these words say nothing: "Santiago de Compostela", "El Prado", "LA". */
const CAPITALS =
  /\p{Lu}[\p{L}']+ (?:de|del|di|da|do|dos|des|du|von|van)(?: (?:la|le|las|los))? \p{Lu}[\p{L}']+|(?<!\p{L})(?:El|La|Le|Les|Los|Las) \p{Lu}\p{Ll}+|(?<!\p{L})\p{Lu}{2,3}(?!\p{L})/gu;

/**
 * False where a text is in another language. Words that are to be lettered must be taken out before.
 * @param isNoun whether an English thing has that name
 */
export function isEnglish(text: string, isNoun: (word: string) => boolean): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if ((text.match(/\p{Script=Latin}/gu)?.length ?? 0) * 2 < letters) return false;
  const words =
    text
      .replace(NAMES, ' ')
      .replace(CAPITALS, ' ')
      .toLowerCase()
      .match(/\p{L}[\p{L}'’]*/gu) ?? [];
  const of = (list: ReadonlySet<string>) => words.filter((word) => list.has(word));
  const [strong, weak] = [of(STRONG), new Set(of(WEAK)).size];
  const isArticled = ARTICLES.has(words[0] ?? '') && words.length > 1 && !isNoun(words.at(-1) ?? '');
  if (strong.length === 0 && weak < 2 && !isArticled) return true;
  return strong.length + weak <= of(ENGLISH).length;
}
