/**
 * The languages eSpeak NG speaks and the way from a caller's language code to one of them. It also finds which of
 * them a sentence needs by its script, because no voice can read a script that its language does not write. It knows
 * nothing of voices and never guesses between languages of one script.
 */

/** eSpeak's names of its languages, lower case. Constructed languages of videos are left out. */
const LANGUAGES = new Set(
  (
    'af am an ar as az ba be bg bn bpy bs ca ca-ba ca-nw ca-va cmn cmn-latn-pinyin cs cy da de el en en-029 ' +
    'en-gb-scotland en-gb-x-gbclan en-gb-x-gbcwmd en-gb-x-rp en-us eo es es-419 et eu fa fa-latn fi fo fr ' +
    'fr-be fr-ch ga gd gn grc gu hak haw he hi hr ht hu hy hyw ia id io is it ja ka kaa kk kl kn ko kok ku ky la lb ' +
    'lfn lt ltg lv mi mk ml mr ms mt mto my nb nci ne nl nog om or pa pap pl pt pt-br qu quc ro ru ru-lv sd shn si sk ' +
    'sl smj sq sr sv sw ta te th ti tk tn tr tt ug uk ur uz vi vi-vn-x-central vi-vn-x-south yue'
  ).split(' '),
);

/** Codes in use that eSpeak names otherwise. Canonical spellings (`iw` -> `he`, `eng` -> `en`) are Intl's work. */
const ALIASES: Record<string, string> = {
  zh: 'cmn',
  'zh-hk': 'yue',
  'zh-mo': 'yue',
  'zh-yue': 'yue',
  no: 'nb',
  nn: 'nb',
  'pt-pt': 'pt',
  'en-gb': 'en',
  'en-ca': 'en-us',
  'en-ph': 'en-us',
  'en-jm': 'en-029',
  'en-tt': 'en-029',
  'en-bb': 'en-029',
  'es-es': 'es',
  fil: 'id',
  sh: 'hr',
  mo: 'ro',
};

/** Spanish of the Americas: eSpeak has one voice for it. */
const LATIN_AMERICA = new Set(
  'ar bo cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve'.split(' ').map((r) => `es-${r}`),
);

/** @returns every eSpeak language name the platform accepts, for the test that each of them is really spoken. */
export function espeakLanguages(): string[] {
  return [...LANGUAGES];
}

/**
 * The eSpeak language for a BCP-47-like code, by longest match ("pt-BR" -> "pt-br", "de-AT" -> "de", "zh" -> "cmn").
 * A bare code of the voice's own language keeps the voice's accent: "en" asked of an American stays American.
 * @param own the eSpeak language of the voice. @returns undefined when nothing matches.
 */
export function resolveLanguage(code: string, own?: string): string | undefined {
  let tag = code.trim().replaceAll('_', '-');
  try {
    tag = Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    return undefined;
  }
  tag = tag.toLowerCase();
  if (own && !tag.includes('-') && own.split('-')[0] === (ALIASES[tag] ?? tag)) return own;
  for (; tag; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    if (LATIN_AMERICA.has(tag)) return 'es-419';
    const name = ALIASES[tag] ?? tag;
    if (LANGUAGES.has(name)) return name;
  }
  return undefined;
}

/** A script, the languages written in it, and the one to speak when the voice's language is none of them. */
interface Script {
  letters: RegExp;
  writtenBy: Set<string>;
  fallback: string;
}

const script = (name: string, languages: string): Script => ({
  letters: new RegExp(`\\p{Script=${name}}`, 'gu'),
  writtenBy: new Set(languages.split(' ')),
  fallback: languages.split(' ')[0] as string,
});

/** Kana is asked before Han, because a Japanese sentence has both. */
const SCRIPTS: Script[] = [
  script('Hiragana', 'ja'),
  script('Katakana', 'ja'),
  script('Han', 'cmn yue hak ja ko'),
  script('Hangul', 'ko'),
  script('Cyrillic', 'ru uk be bg mk sr kk ky tt ba nog kaa uz tk bs ru-lv'),
  script('Greek', 'el grc'),
  script('Arabic', 'ar fa ur ug sd ku pa'),
  script('Hebrew', 'he'),
  script('Thai', 'th'),
  script('Devanagari', 'hi mr ne kok'),
  script('Bengali', 'bn as bpy'),
  script('Gurmukhi', 'pa'),
  script('Gujarati', 'gu'),
  script('Oriya', 'or'),
  script('Tamil', 'ta'),
  script('Telugu', 'te'),
  script('Kannada', 'kn'),
  script('Malayalam', 'ml'),
  script('Sinhala', 'si'),
  script('Myanmar', 'my shn'),
  script('Georgian', 'ka'),
  script('Armenian', 'hy hyw'),
  script('Ethiopic', 'am ti'),
];

/** Letters of Latin that hardly any language has; Vietnamese has many of them. */
const RARE_LATIN =
  /[\u017F-\u019F\u01A2-\u01AE\u01B1-\u01CC\u01EE-\u01F3\u01F6-\u01F8\u021C-\u02AF\u1E00-\u1EFF\u2C60-\u2C7F\uA720-\uA7FF\uFB00-\uFB06]/u;
/** Scripts that every voice reads, and signs that belong to none. */
const READ_BY_ALL = /[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const LETTER_OR_MARK = /[\p{L}\p{M}]/gu;

/**
 * The letters of scripts that a language is not written in, and the marks at them: eSpeak reads those as a stranger does, or says
 * what each of them is ("Thai letter so suea"). Of the Han characters that Korean has, it knows a few.
 */
export function foreignLetters(text: string, language: string): string[] {
  const own = SCRIPTS.filter(
    ({ writtenBy, fallback }) => writtenBy.has(language) && (language === 'ko') === (fallback === 'ko'),
  );
  const isVietnamese = language.startsWith('vi');
  const isOwn = (char: string) =>
    RARE_LATIN.test(char)
      ? isVietnamese
      : READ_BY_ALL.test(char) || own.some(({ letters }) => char.search(letters) === 0);
  return (text.match(LETTER_OR_MARK) ?? []).filter((char) => !isOwn(char));
}

const LETTERS = /\p{L}/gu;
const LATIN = /\p{Script=Latin}/gu;
/** Languages of another script that are written in Latin letters as well. */
const LATIN_TOO = new Set('az bs kaa kk ku nog ru-lv sr tk tt uz'.split(' '));
/** Languages that are not written in Latin letters: a sentence in those is read as English, not letter by letter. */
const NEVER_LATIN = new Set(SCRIPTS.flatMap(({ writtenBy }) => [...writtenBy]).filter((one) => !LATIN_TOO.has(one)));
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * The language to read a sentence in: the wanted one, unless most letters belong to a script it does not write; eSpeak
 * would spell those ("Chinese letter, Chinese letter").
 * @param wanted an eSpeak language name. @param whole the whole text: kana anywhere makes its Han characters Japanese.
 */
export function languageOfSentence(sentence: string, wanted: string, whole: string): string {
  const letters = sentence.match(LETTERS)?.length ?? 0;
  if (letters === 0) return wanted;
  let foreign: { fallback: string; count: number } | undefined;
  for (const { letters: pattern, writtenBy, fallback } of SCRIPTS) {
    const count = sentence.match(pattern)?.length ?? 0;
    if (count === 0) continue;
    if (writtenBy.has(wanted)) return wanted;
    const spoken = fallback === 'cmn' && KANA.test(whole) ? 'ja' : fallback;
    foreign =
      foreign?.fallback === spoken
        ? { fallback: spoken, count: foreign.count + count }
        : count > (foreign?.count ?? 0)
          ? { fallback: spoken, count }
          : foreign;
  }
  if (foreign && foreign.count * 2 > letters) return foreign.fallback;
  return NEVER_LATIN.has(wanted) && (sentence.match(LATIN)?.length ?? 0) * 2 > letters ? 'en' : wanted;
}
