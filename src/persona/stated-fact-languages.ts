/**
 * How speakers of other languages than English state the plainest facts about themselves: name, home, age, work, likes,
 * and what persons or things of theirs are called. Each pattern captures the value. Text tables only.
 */
import type { FactKind } from './stated-fact-words.ts';

/** A value: up to a comma, an end or an "and" of the language. */
const until = (and: string): string =>
  `([^,.;!?\\n。！？、，]{1,60}?)(?=\\s+(?:${and})\\s|\\s*[,.;!?\\n。！？、，]|\\s*$)`;
const NAME = "(\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+){0,2})";
const AGE = '(\\d{1,3})';

/** Rows of one language: the kind, and the words around the value, `%` for any value, `@` for a name, `#` for an age. */
function rows(and: string, list: [kind: FactKind, words: string][]): [kind: FactKind, pattern: RegExp][] {
  return list.map(([kind, words]) => [
    kind,
    new RegExp(
      `(?<![\\p{L}])${words.replace('%', until(and)).replace('@', NAME).replace('#', AGE)}`,
      words.includes('@') ? 'u' : 'iu',
    ),
  ]);
}

/**
 * "ich ... und", with a verb of the first person to come. Without its "ich" that verb may be reported speech of another
 * person: "sie sagte, sie sei krank und wohne in Ulm".
 */
const ICH_UND =
  'ich (?:(?!(?:sei|er|sie|man|wir|dass|ob)[\\s,])[^\\s.,;:!?]+ ){1,5}?(?:[^\\s.,;:!?]+, bin [^.,;:!?]{1,30} )?und';

/** By language, in the order they are tried; `named` captures what is called so, then the name. */
export const FOREIGN_FACTS: Record<string, [kind: FactKind, pattern: RegExp][]> = {
  es: rows('y|e|pero', [
    ['name', '(?:[Mm]e llamo|[Mm]i nombre es) @'],
    ['home', '(?<!no )vivo en %'],
    ['origin', '(?<!no )soy de %'],
    ['age', 'tengo # años'],
    ['job', '(?<!no )trabajo (?:como|de) %'],
    ['dislike', 'no me gustan? %'],
    ['like', '(?<!no )me (?:gustan?|encantan?) (?:mucho )?%'],
    ['named', '[Mm]i (\\p{L}+) se llama @'],
    ['favourite', 'mi (\\p{L}+) favorit[oa] es %'],
    ['has', 'tengo ((?:un|una|dos|tres|cuatro|cinco|\\d) (?:herman|hij|perr|gat|prim)\\p{L}+)'],
  ]),
  fr: rows('et|mais', [
    ['name', "(?:[Jj]e m['’]appelle|[Mm]on nom est|[Mm]on prénom est) @"],
    ['home', "(?:j['’]habite|je vis) (?:à|en|au|aux|dans) %"],
    ['origin', "(?:je viens|je suis originaire) (?:de |d['’])%"],
    ['age', "j['’]ai # ans"],
    [
      'job',
      '(?:je travaille comme|je suis (?:un |une )?(?=\\p{L}+(?:eur|euse|ier|ière|iste|ien|ienne|teur|trice|cin)(?!\\p{L}))) ?%',
    ],
    ['dislike', "je n['’]aime pas %"],
    ['like', "j['’](?:aime|adore) (?:beaucoup |bien )?(?!pas )%"],
    ['named', "[Mm](?:on|a) (\\p{L}+) s['’]appelle @"],
    ['favourite', 'm(?:on|a) (\\p{L}+) préférée? est %'],
    ['has', "j['’]ai ((?:un|une|deux|trois|quatre|cinq|\\d) (?:frère|sœur|soeur|fils|fille|enfant|chien|chat)\\p{L}*)"],
  ]),
  de: rows('und|aber', [
    ['name', '(?:[Ii]ch hei(?:ß|ss)e|[Mm]ein Name ist) @'],
    ['home', `(?:ich (?:wohne|lebe)|wohne ich|${ICH_UND} (?:wohne|lebe)) in %`],
    ['origin', `(?:ich|${ICH_UND}) komme aus %`],
    ['age', 'ich bin # (?:Jahre alt)?'],
    [
      'job',
      `(?:(?:ich|${ICH_UND}) arbeite als|ich bin (?:ein |eine )?(?=\\p{L}+(?:er|erin|or|orin|ist|istin|arzt|ärztin)(?!\\p{L}))) ?%`,
    ],
    ['dislike', '(?:ich mag|ich esse) (?:kein(?:en|e)?) %'],
    ['like', 'ich (?:mag|liebe) (?!kein)%'],
    ['named', '[Mm]eine? (\\p{L}+) hei(?:ß|ss)t @'],
    ['favourite', 'meine? lieblings(\\p{L}+) ist %'],
    [
      'has',
      'ich habe ((?:einen?|zwei|drei|vier|fünf|\\d) (?:bruder|brüder|schwester|sohn|söhne|tochter|töchter|kind|hund|katze)\\p{L}*)',
    ],
  ]),
  it: rows('e|ed|ma', [
    ['name', '(?:[Mm]i chiamo|[Ii]l mio nome è) @'],
    ['home', '(?<!non )(?:abito|vivo) (?:a|in) %'],
    ['origin', '(?:vengo da|sono di) %'],
    ['age', 'ho # anni'],
    ['job', "(?:lavoro come|faccio (?:il|la|l['’])) ?%"],
    ['dislike', 'non mi piac(?:e|ciono) %'],
    ['like', '(?<!non )mi piac(?:e|ciono) (?:molto )?%'],
    ['named', '[Ii]?l? ?[Mm](?:io|ia) (\\p{L}+) si chiama @'],
    ['favourite', '(?:il|la) mi[oa] (\\p{L}+) preferit[oa] è %'],
    ['has', 'ho ((?:un|una|due|tre|quattro|cinque|\\d) (?:fratell|sorell|figli|can|gatt)\\p{L}+)'],
  ]),
  pt: rows('e|mas', [
    ['name', '(?:[Mm]e chamo|[Cc]hamo-me|[Oo]? ?[Mm]eu nome é) @'],
    ['home', '(?<!não )(?:moro|vivo) (?:em|no|na) %'],
    ['origin', '(?<!não )(?:sou|venho) d[eoa] %'],
    ['age', 'tenho # anos'],
    ['job', '(?<!não )trabalho como %'],
    ['dislike', 'não gosto d[eoa] %'],
    ['like', '(?<!não )(?:gosto (?:muito )?d[eoa]|adoro) %'],
    ['named', '(?:[Oo]|[Aa])? ?[Mm](?:eu|inha) (\\p{L}+) se chama @'],
    ['favourite', '(?:meu|minha) (\\p{L}+) favorit[oa] é %'],
    ['has', 'tenho ((?:um|uma|dois|duas|três|quatro|cinco|\\d) (?:irmã|irmão|filh|cachorr|gat)\\p{L}*)'],
  ]),
  nl: rows('en|maar', [
    ['name', '(?:[Ii]k heet|[Mm]ijn naam is) @'],
    ['home', 'ik woon in %'],
    ['origin', 'ik kom uit %'],
    ['age', 'ik ben # jaar'],
    ['job', 'ik werk als %'],
    ['dislike', 'ik hou niet van %'],
    ['like', 'ik hou (?:erg )?van %'],
    ['named', '[Mm]ijn (\\p{L}+) heet @'],
    ['favourite', 'mijn lievelings(\\p{L}+) is %'],
    ['has', 'ik heb ((?:een|twee|drie|vier|vijf|\\d) (?:broer|zus|zoon|dochter|kind|hond|kat)\\p{L}*)'],
  ]),
  pl: rows('i|ale', [
    ['name', '(?:[Nn]azywam się|[Mm]am na imię) @'],
    ['home', 'mieszkam we? %'],
    ['age', 'mam # lat'],
    ['job', 'pracuję jako %'],
    ['like', '(?<!nie )lubię %'],
  ]),
  sv: rows('och|men', [
    ['name', '(?:[Jj]ag heter|[Mm]itt namn är) @'],
    ['home', 'jag bor i %'],
    ['age', 'jag är # år'],
    ['job', 'jag (?:jobbar|arbetar) som %'],
    ['like', 'jag (?:gillar|älskar) (?!inte)%'],
  ]),
  no: rows('og|men', [
    ['name', '(?:[Nn]avnet mitt er) @'],
    ['home', 'jeg bor (?=\\p{L}+ \\p{L}+ i Norge)%'],
    ['like', 'jeg liker (?!ikke)%'],
    ['job', 'jeg jobber som %'],
  ]),
  da: rows('og|men', [
    ['name', '(?:[Jj]eg hedder|[Mm]it navn er|[Jj]eg heter) @'],
    ['home', 'jeg bor i %'],
    ['age', 'jeg er # år'],
    ['job', 'jeg arbejder som %'],
    ['like', 'jeg (?:kan lide|elsker) %'],
  ]),
  fi: rows('ja|mutta', [
    ['name', '(?:[Nn]imeni on|[Mm]inun nimeni on) @'],
    ['home', 'asun (?=\\p{L}+(?:ssa|ssä|lla|llä)(?!\\p{L}))%'],
    ['age', 'olen #[- ]?vuotias'],
    ['like', '(?<!en )pidän %'],
  ]),
  tr: rows('ve|ama', [
    ['name', '(?:[Bb]enim )?[Aa]dım @'],
    ['home', "([^,.;!?\\s]{2,40}['’](?:d|t)[ae]) (?:yaşıyorum|oturuyorum)"],
    ['age', '# yaşındayım'],
  ]),
  ro: rows('și|dar', [
    ['name', '(?:[Mm]ă numesc|[Nn]umele meu este) @'],
    ['home', '(?:locuiesc|trăiesc) (?:în|la) %'],
    ['age', 'am # (?:de )?ani'],
    ['job', 'lucrez ca %'],
    ['like', '(?<!nu )îmi (?:place|plac) %'],
  ]),
  cs: rows('a|ale', [
    ['name', '[Jj]menuji se @'],
    ['home', '(?:bydlím|žiji) ve? %'],
    ['age', 'je mi # let'],
    ['job', 'pracuji jako %'],
  ]),
  hu: rows('és|de', [
    ['name', '(?:[Aa] nevem) @'],
    ['home', '([^,.;!?\\s]{2,40}(?:ban|ben|on|en|ön)) (?:lakom|élek)'],
    ['age', '# éves vagyok'],
  ]),
  id: rows('dan|tapi', [
    ['name', '(?:[Nn]ama saya|[Ss]aya bernama) @'],
    ['home', '(?:saya tinggal|tinggal) di %'],
    ['age', 'umur saya #'],
    ['job', 'saya bekerja sebagai %'],
    ['like', 'saya suka %'],
  ]),
  ru: rows('и|но', [
    ['name', '[Мм]еня зовут @'],
    ['home', 'я живу во? %'],
    ['age', 'мне # (?:лет|год|года)'],
    ['job', 'я работаю %'],
    ['like', '(?:я люблю|мне нравится) %'],
  ]),
  uk: rows('і|та|але', [
    ['name', '[Мм]ене звати @'],
    ['home', '(?:я )?живу [ву] %'],
    ['age', 'мені # (?:років|роки|рік)'],
    ['like', '(?:я люблю|мені подобається) %'],
  ]),
  el: rows('και|αλλά', [
    ['name', '[Μμ]ε λένε @'],
    ['home', '(?:μένω|ζω) (?:στην|στη|στο|στον) %'],
    ['age', 'είμαι # (?:χρονών|ετών)'],
  ]),
  ar: rows('و', [
    ['name', 'اسمي %'],
    ['home', '(?:أعيش|أسكن) في %'],
    ['age', 'عمري #'],
    ['like', 'أحب %'],
  ]),
  he: rows('ו', [
    ['name', 'קוראים לי %'],
    ['home', 'אני גרה? ב%'],
  ]),
  hi: rows('और', [
    ['name', 'मेरा नाम ([^,.;!?\\s।]{1,40}) है'],
    ['home', 'मैं ([^,.;!?\\s।]{1,40}) में रहत[ाी] हूँ'],
  ]),
  th: rows('และ', [['name', '(?:ฉัน|ผม)ชื่อ\\s?([^\\s,.;!?]{1,30}?)(?=ค่ะ|ครับ|\\s|$)']]),
  ja: rows('と', [
    ['name', '(?:私|わたし|僕|ぼく)?の?(?:名前は)?([^、。！？\\sは]{1,20}?)(?:と申します|といいます|と言います)'],
    ['name', '(?:私|わたし|僕|ぼく)の名前は([^、。！？\\s]{1,20}?)です'],
    ['home', '([^、。！？\\sは]{1,20}?)に住んで(?:います|いる)'],
    ['age', '(\\d{1,3})(?:歳|才)です'],
    ['like', '([^、。！？\\sは]{1,20}?)が(?:大)?好きです'],
  ]),
  ko: rows('그리고', [
    ['name', '(?:제|내) 이름은 ([^\\s,.;!?]{1,20}?)(?:이에요|입니다|예요|이야|야)'],
    ['home', '(?:저는 |나는 )?([^\\s,.;!?]{1,20}?)에 (?:살아요|삽니다|살고 있어요|살아)'],
  ]),
  zh: rows('和', [
    ['name', '我(?:叫|的名字是)([^，。！？、\\s]{1,12})'],
    ['home', '我(?:住在|生活在)([^，。！？、\\s]{1,20})'],
    ['age', '我(\\d{1,3})岁'],
    ['like', '我喜欢([^，。！？、\\s]{1,20})'],
  ]),
};
