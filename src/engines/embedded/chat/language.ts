/** Which language to answer in: the one asked for, else the one the speaker writes. Two letters. */

import { foreignFacts, type ParsedPersona } from '../../ports/chat.ts';

const SCRIPTS: [RegExp, string][] = [
  [/[\p{sc=Hira}\p{sc=Kana}]/u, 'ja'],
  [/\p{sc=Hang}/u, 'ko'],
  [/\p{sc=Han}/u, 'zh'],
  [/[іїєґ]/iu, 'uk'],
  [/\p{sc=Cyrl}/u, 'ru'],
  [/\p{sc=Grek}/u, 'el'],
  [/\p{sc=Arab}/u, 'ar'],
  [/\p{sc=Hebr}/u, 'he'],
  [/\p{sc=Deva}/u, 'hi'],
  [/\p{sc=Thai}/u, 'th'],
];

const words = (list: string) => new Set(list.split(' '));

const ENGLISH = words(
  'the and you is are what who how my i do does of to in it that this was have me your where when why not a hello hi hey yes thanks can with for at on from about tell go love like am name be so but they we he she did will would should more no ok okay please good morning',
);

/** Short, and yet of one language alone. */
const GREETINGS = words('oi hoi hej hei moi');

/** So large a share of a text's words must be of one language. */
const MIN_SHARE = 0.25;

/** Function words and greetings that give a language away. */
const MARKS: Record<string, Set<string>> = {
  es: words(
    'el la los las de que y es en un una por qué cómo como estás está hola soy eres mi me tu te dónde cuál quién gracias adiós llamo vives muy para con no sí buenos buenas días tienes puedes',
  ),
  fr: words(
    'le la les de des et est un une je tu vous il elle que qui quoi où comment bonjour salut merci suis es êtes mon ma ton ta pas ne au revoir oui avec pour dans appelle quel quelle bonsoir ça',
  ),
  de: words(
    'der die das und ist ein eine ich du sie wer was wie wo warum hallo danke tschüss bin bist mein dein nicht mit für heißt heiße guten tag morgen wohnst ja nein geht dir kannst magst',
  ),
  it: words(
    'il lo la gli di che e è un una per chi come dove ciao sono sei mio tuo mi ti grazie arrivederci chiamo stai non con perché buongiorno buonasera sì cosa quale',
  ),
  pt: words(
    'o a os as de que e é um uma por quem como onde olá oi sou és meu teu seu não com para obrigado obrigada tchau chamo você está tudo bem bom dia qual eu gosto moro do da',
  ),
  nl: words(
    'de het een en is ik jij je wie wat hoe waar waarom hallo dank bedankt ben bent mijn jouw niet met voor heet dag goedemorgen doei gaat naam woon',
  ),
  pl: words('jest jak się nie co kto gdzie cześć dzień dobry dziękuję jestem mam na imię tak ty ja i w'),
  sv: words('jag du är och hej vad vem hur var tack heter inte en ett det mår god hejdå min ditt'),
  da: words('jeg du er og hej hvad hvem hvordan hvor tak hedder ikke en et det goddag farvel'),
  no: words('jeg du er og hei hva hvem hvordan hvor takk heter ikke en et det god ha'),
  fi: words('minä sinä on ja hei moi mitä kuka miten missä kiitos nimeni olen ei kuuluu mikä'),
  tr: words('ve bir ben sen ne kim nasıl nasılsın nerede merhaba teşekkürler adım değil evet hayır mı'),
  ro: words('și este un o eu tu ce cine cum unde bună salut mulțumesc sunt nu mă numesc ești'),
  cs: words('je a ahoj jak co kdo kde děkuji jsem jmenuji ne ano dobrý den se máš'),
  hu: words('és a az egy én te mi ki hogyan hol szia köszönöm vagyok nem igen jó napot hogy vagy'),
  id: words('saya kamu apa siapa bagaimana di mana halo terima kasih dan adalah tidak nama kabar'),
};

/** Two letters of the language of a text; undefined when no word shows it. */
export function detectLanguage(text: string): string | undefined {
  for (const [script, code] of SCRIPTS) if (script.test(text)) return code;
  const told = foreignFacts(text).language;
  // Norwegians and Danes live and are of an age in the same words.
  if (told && !/^(?:da|no)$/.test(told)) return told;
  const found =
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/\p{L}+/gu) ?? [];
  const share = (marks: Set<string>) => found.filter((word) => marks.has(word)).length;
  const english = share(ENGLISH);
  let best: { code: string; share: number } | undefined;
  for (const [code, marks] of Object.entries(MARKS)) {
    const count = share(marks);
    // One short word in common is chance: "go on" is not Finnish.
    const telling = (word: string) =>
      marks.has(word) && (word.length > 3 || /[^a-z]/.test(word) || GREETINGS.has(word));
    const sure = count >= 2 || found.some(telling);
    if (!sure || count <= english || count / found.length < MIN_SHARE) continue;
    if (!best || count > best.share) best = { code, share: count };
  }
  return best?.code ?? (english > 0 ? 'en' : told);
}

/** The language of the reply; English when nothing speaks for another. */
export function languageOf(input: ParsedPersona): string {
  const asked = /^[a-z]{2,3}(?![a-z])/.exec(input.language?.toLowerCase() ?? '')?.[0];
  if (asked) return asked === 'nb' || asked === 'nn' ? 'no' : asked;
  const lines = [
    input.userText,
    ...input.history
      .filter((row) => row.role === 'user')
      .map((row) => row.text)
      .reverse(),
  ];
  for (const line of lines) {
    const code = detectLanguage(line);
    if (code) return code;
  }
  return 'en';
}
