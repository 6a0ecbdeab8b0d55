/**
 * How a fact about the speaker is asked for and said back in other languages than English. `{v}` is the value, `{a}` what it
 * is of. Text tables only.
 */
import type { FactKind } from '../../../ports/chat.ts';

/** What is said of facts about the speaker, in one language. */
export interface YourFacts {
  /** Said before a fact that was just stated. */
  noted: string;
  /** Said when it was not stated. */
  notTold: string;
  unknown: string;
  rows: [kind: FactKind, asks: RegExp, told: string][];
}

const of = (noted: string, notTold: string, unknown: string, rows: YourFacts['rows']): YourFacts => ({
  noted,
  notTold,
  unknown,
  rows,
});

export const YOUR_FACTS: Record<string, YourFacts> = {
  es: of('Lo recordaré:', 'Eso todavía no me lo has dicho.', 'Eso no lo sé.', [
    ['name', /c[oó]mo me llamo|cu[aá]l es mi nombre|qui[eé]n soy/i, 'Te llamas {v}.'],
    ['home', /d[oó]nde vivo/i, 'Vives en {v}.'],
    ['origin', /de d[oó]nde soy/i, 'Eres de {v}.'],
    ['age', /cu[aá]ntos años tengo|qu[eé] edad tengo/i, 'Tienes {v} años.'],
    ['job', /(?:en|de) qu[eé] trabajo|a qu[eé] me dedico/i, 'Trabajas como {v}.'],
    ['dislike', /qu[eé] no me gusta/i, 'No te gusta {v}.'],
    ['like', /qu[eé] me (?:gusta|encanta)/i, 'Te gusta {v}.'],
    ['favourite', /cu[aá]l es mi (\p{L}+) favorit/iu, 'Tu {a} favorito es {v}.'],
    ['named', /c[oó]mo se llama mi (\p{L}+)/iu, 'Tu {a} se llama {v}.'],
    ['has', /cu[aá]nt[oa]s \p{L}+ tengo|tengo (?:herman|hij|perr|gat)/iu, 'Tienes {v}.'],
  ]),
  fr: of('Je m’en souviendrai :', 'Tu ne me l’as pas encore dit.', 'Cela, je ne le sais pas.', [
    ['name', /comment (?:je )?m['’]appell[eé]|quel est mon (?:nom|prénom)|qui suis[- ]je/i, 'Tu t’appelles {v}.'],
    ['home', /où (?:est-ce que )?(?:j['’]habite|je vis|habité-je)|j['’]habite où/i, 'Tu habites à {v}.'],
    ['origin', /d['’]où (?:est-ce que )?je viens/i, 'Tu viens de {v}.'],
    ['age', /quel âge (?:est-ce que )?(?:j['’]ai|ai-je)/i, 'Tu as {v} ans.'],
    [
      'job',
      /(?:quel est mon (?:métier|travail))|que fais-je dans la vie|qu['’]est-ce que je fais/i,
      'Tu travailles comme {v}.',
    ],
    ['dislike', /qu['’]est-ce que je n['’]aime pas/i, 'Tu n’aimes pas {v}.'],
    ['like', /qu['’]est-ce que j['’]aime|qu['’]aim[eé]-je/i, 'Tu aimes {v}.'],
    ['favourite', /quel(?:le)? est m(?:on|a) (\p{L}+) préféré/iu, 'Ton {a} préféré : {v}.'],
    ['named', /comment s['’]appelle m(?:on|a) (\p{L}+)/iu, 'Le nom de ton {a} : {v}.'],
    ['has', /combien (?:de |d['’])\p{L}+ (?:est-ce que )?(?:j['’]ai|ai-je)/iu, 'Tu as {v}.'],
  ]),
  de: of('Das merke ich mir:', 'Das hast du mir noch nicht gesagt.', 'Das weiß ich nicht.', [
    ['name', /wie hei(?:ß|ss)e ich|wer bin ich|wie ist mein name/i, 'Du heißt {v}.'],
    ['home', /wo (?:wohne|lebe) ich/i, 'Du wohnst in {v}.'],
    ['origin', /woher komme ich|wo komme ich her/i, 'Du kommst aus {v}.'],
    ['age', /wie alt bin ich/i, 'Du bist {v} Jahre alt.'],
    ['job', /was (?:arbeite ich|mache ich beruflich|bin ich von beruf)|als was arbeite ich/i, 'Du arbeitest als {v}.'],
    ['dislike', /was mag ich nicht/i, 'Du magst kein {v}.'],
    ['like', /was (?:mag|liebe) ich/i, 'Du magst {v}.'],
    ['favourite', /(?:was ist|wie hei(?:ß|ss)t) meine? lieblings(\p{L}+)/iu, 'Du magst als Lieblings{a}: {v}.'],
    ['named', /wie hei(?:ß|ss)t meine? (\p{L}+)/iu, 'Das ist {v}.'],
    ['has', /wie viele \p{L}+ habe ich/iu, 'Du hast {v}.'],
  ]),
  it: of('Me ne ricorderò:', 'Non me l’hai ancora detto.', 'Questo non lo so.', [
    ['name', /come mi chiamo|qual è il mio nome|chi sono/i, 'Ti chiami {v}.'],
    ['home', /dove (?:abito|vivo)/i, 'Abiti a {v}.'],
    ['origin', /(?:da|di) dove (?:vengo|sono)/i, 'Vieni da {v}.'],
    ['age', /quanti anni ho/i, 'Hai {v} anni.'],
    ['job', /(?:che|qual è il mio) lavoro|cosa faccio nella vita/i, 'Lavori come {v}.'],
    ['dislike', /(?:che )?cosa non mi piace/i, 'Non ti piace {v}.'],
    ['like', /(?:che )?cosa mi piace/i, 'Ti piace {v}.'],
    ['favourite', /qual è (?:il|la) mi[oa] (\p{L}+) preferit/iu, 'Il tuo {a} preferito è {v}.'],
    ['named', /come si chiama (?:il |la )?mi[oa] (\p{L}+)/iu, 'Il nome: {v}.'],
    ['has', /quant[ie] \p{L}+ ho/iu, 'Hai {v}.'],
  ]),
  pt: of('Vou lembrar:', 'Você ainda não me disse.', 'Isso eu não sei.', [
    ['name', /como (?:eu )?me chamo|qual é (?:o )?meu nome|quem sou/i, 'Você se chama {v}.'],
    ['home', /onde (?:eu )?(?:moro|vivo)/i, 'Você mora em {v}.'],
    ['origin', /de onde (?:eu )?(?:sou|venho)/i, 'Você é de {v}.'],
    ['age', /quantos anos (?:eu )?tenho|qual é a minha idade/i, 'Você tem {v} anos.'],
    ['job', /(?:com|em) que (?:eu )?trabalho|qual é (?:o )?meu trabalho/i, 'Você trabalha como {v}.'],
    ['dislike', /do que (?:eu )?não gosto/i, 'Você não gosta de {v}.'],
    ['like', /do que (?:eu )?gosto/i, 'Você gosta de {v}.'],
    ['favourite', /qual é (?:o meu|a minha|meu|minha) (\p{L}+) favorit/iu, 'Favorito: {v}.'],
    ['named', /como se chama (?:o meu|a minha|meu|minha) (\p{L}+)/iu, 'O nome é {v}.'],
    ['has', /quant[oa]s \p{L}+ (?:eu )?tenho/iu, 'Você tem {v}.'],
  ]),
  nl: of('Dat onthoud ik:', 'Dat heb je me nog niet verteld.', 'Dat weet ik niet.', [
    ['name', /hoe heet ik|wat is mijn naam|wie ben ik/i, 'Je heet {v}.'],
    ['home', /waar woon ik/i, 'Je woont in {v}.'],
    ['origin', /waar kom ik vandaan/i, 'Je komt uit {v}.'],
    ['age', /hoe oud ben ik/i, 'Je bent {v} jaar.'],
    ['job', /wat is mijn (?:werk|beroep)|als wat werk ik|wat doe ik voor werk/i, 'Je werkt als {v}.'],
    ['dislike', /waar hou ik niet van/i, 'Je houdt niet van {v}.'],
    ['like', /waar hou ik van/i, 'Je houdt van {v}.'],
    ['favourite', /wat is mijn lievelings(\p{L}+)/iu, 'Je lievelings{a} is {v}.'],
    ['named', /hoe heet mijn (\p{L}+)/iu, 'Je {a} heet {v}.'],
    ['has', /hoeveel \p{L}+ heb ik/iu, 'Je hebt {v}.'],
  ]),
  pl: of('Zapamiętam:', 'Tego mi jeszcze nie powiedziano.', 'Tego nie wiem.', [
    ['name', /jak (?:się nazywam|mam na imię)|kim jestem/i, 'Masz na imię {v}.'],
    ['home', /gdzie mieszkam/i, 'Mieszkasz w {v}.'],
    ['age', /ile mam lat/i, 'Masz {v} lat.'],
    ['job', /(?:jako kto|gdzie) pracuję|kim jestem z zawodu/i, 'Pracujesz jako {v}.'],
    ['like', /co lubię/i, 'Lubisz {v}.'],
  ]),
  sv: of('Det ska jag komma ihåg:', 'Det har du inte berättat än.', 'Det vet jag inte.', [
    ['name', /vad heter jag|vem är jag/i, 'Du heter {v}.'],
    ['home', /var bor jag/i, 'Du bor i {v}.'],
    ['age', /hur gammal är jag/i, 'Du är {v} år.'],
    ['job', /vad (?:jobbar|arbetar) jag (?:som|med)/i, 'Du arbetar som {v}.'],
    ['like', /vad (?:gillar|älskar) jag/i, 'Du gillar {v}.'],
  ]),
  da: of('Det husker jeg:', 'Det har du ikke fortalt mig endnu.', 'Det ved jeg ikke.', [
    ['name', /hvad hedder jeg|hvem er jeg/i, 'Du hedder {v}.'],
    ['home', /hvor bor jeg/i, 'Du bor i {v}.'],
    ['age', /hvor gammel er jeg/i, 'Du er {v} år.'],
    ['job', /hvad (?:arbejder|laver) jeg/i, 'Du arbejder som {v}.'],
    ['like', /hvad (?:kan jeg lide|elsker jeg)/i, 'Du kan lide {v}.'],
  ]),
  no: of('Det husker jeg:', 'Det har du ikke fortalt meg ennå.', 'Det vet jeg ikke.', [
    ['name', /hva heter jeg|hvem er jeg/i, 'Du heter {v}.'],
    ['home', /hvor bor jeg/i, 'Du bor i {v}.'],
    ['age', /hvor gammel er jeg/i, 'Du er {v} år.'],
    ['job', /hva (?:jobber|arbeider) jeg/i, 'Du jobber som {v}.'],
    ['like', /hva liker jeg/i, 'Du liker {v}.'],
  ]),
  fi: of('Muistan sen:', 'Sitä et ole vielä kertonut.', 'Sitä en tiedä.', [
    ['name', /mikä minun nimeni on|mikä on nimeni|kuka (?:minä )?olen/i, 'Nimesi on {v}.'],
    ['home', /missä (?:minä )?asun/i, 'Asut {v}.'],
    ['age', /kuinka vanha (?:minä )?olen/i, 'Olet {v}-vuotias.'],
    ['like', /mistä (?:minä )?pidän/i, 'Pidät {v}.'],
  ]),
  tr: of('Bunu unutmam:', 'Bunu bana henüz söylemedin.', 'Bunu bilmiyorum.', [
    ['name', /(?:benim )?adım ne|ben kimim/i, 'Adın {v}.'],
    ['home', /nerede (?:yaşıyorum|oturuyorum)/i, '{v} yaşıyorsun.'],
    ['age', /kaç yaşındayım/i, '{v} yaşındasın.'],
  ]),
  ro: of('Voi ține minte:', 'Asta nu mi-ai spus încă.', 'Asta nu știu.', [
    ['name', /cum mă numesc|cine sunt/i, 'Te numești {v}.'],
    ['home', /unde (?:locuiesc|trăiesc)/i, 'Locuiești în {v}.'],
    ['age', /câți ani am/i, 'Ai {v} ani.'],
    ['job', /ce lucrez|cu ce mă ocup/i, 'Lucrezi ca {v}.'],
    ['like', /ce îmi place/i, 'Îți place {v}.'],
  ]),
  cs: of('Budu si pamatovat:', 'To jste mi ještě neřekli.', 'To nevím.', [
    ['name', /jak se jmenuji|kdo jsem/i, 'Jmenuješ se {v}.'],
    ['home', /kde (?:bydlím|žiji)/i, 'Bydlíš v {v}.'],
    ['age', /kolik mi je let/i, 'Je ti {v} let.'],
    ['job', /(?:kde|jako co) pracuji/i, 'Pracuješ jako {v}.'],
  ]),
  hu: of('Megjegyzem:', 'Ezt még nem mondtad.', 'Ezt nem tudom.', [
    ['name', /hogy hívnak|mi a nevem|ki vagyok/i, 'A neved {v}.'],
    ['home', /hol (?:lakom|élek)/i, '{v} laksz.'],
    ['age', /hány éves vagyok/i, '{v} éves vagy.'],
  ]),
  id: of('Akan saya ingat:', 'Itu belum Anda katakan.', 'Itu saya tidak tahu.', [
    ['name', /siapa nama saya|siapa saya/i, 'Nama Anda {v}.'],
    ['home', /di mana saya tinggal/i, 'Anda tinggal di {v}.'],
    ['age', /berapa umur saya/i, 'Umur Anda {v} tahun.'],
    ['job', /apa pekerjaan saya/i, 'Anda bekerja sebagai {v}.'],
    ['like', /apa yang saya suka/i, 'Anda suka {v}.'],
  ]),
  ru: of('Запомню:', 'Этого вы мне ещё не говорили.', 'Этого я не знаю.', [
    ['name', /как меня зовут|кто я/i, 'Вас зовут {v}.'],
    ['home', /где я живу/i, 'Вы живёте в {v}.'],
    ['age', /сколько мне лет/i, 'Вам {v}.'],
    ['job', /кем я работаю/i, 'Вы работаете {v}.'],
    ['like', /что (?:я люблю|мне нравится)/i, 'Вы любите {v}.'],
  ]),
  uk: of('Запам’ятаю:', 'Цього ви мені ще не казали.', 'Цього я не знаю.', [
    ['name', /як мене звати|хто я/i, 'Вас звати {v}.'],
    ['home', /де я живу/i, 'Ви живете в {v}.'],
    ['age', /скільки мені років/i, 'Вам {v}.'],
    ['like', /що (?:я люблю|мені подобається)/i, 'Ви любите {v}.'],
  ]),
  el: of('Θα το θυμάμαι:', 'Δεν μου το έχεις πει ακόμα.', 'Αυτό δεν το ξέρω.', [
    ['name', /πώς με λένε|ποιος είμαι/i, 'Σε λένε {v}.'],
    ['home', /πού (?:μένω|ζω)/i, 'Το σπίτι σου: {v}.'],
    ['age', /πόσων χρονών είμαι/i, 'Είσαι {v} χρονών.'],
  ]),
  ar: of('سأتذكر ذلك:', 'لم تخبرني بذلك بعد.', 'لا أعرف ذلك.', [
    ['name', /ما اسمي|من أنا/, 'اسمك {v}.'],
    ['home', /أين (?:أعيش|أسكن)/, 'تعيش في {v}.'],
    ['age', /كم عمري/, 'عمرك {v}.'],
    ['like', /ماذا أحب/, 'تحب {v}.'],
  ]),
  he: of('אזכור:', 'עוד לא סיפרת לי.', 'את זה אני לא יודע.', [
    ['name', /איך קוראים לי|מי אני/, 'קוראים לך {v}.'],
    ['home', /איפה אני גרה?/, 'הבית שלך ב{v}.'],
  ]),
  hi: of('मुझे याद रहेगा:', 'यह आपने अभी नहीं बताया.', 'यह मुझे नहीं पता.', [
    ['name', /मेरा नाम क्या|मैं कौन/, 'आपका नाम {v} है.'],
    ['home', /मैं कहाँ रहत/, 'आप {v} में रहते हैं.'],
  ]),
  th: of('ฉันจะจำไว้:', 'คุณยังไม่ได้บอกฉัน.', 'ฉันไม่รู้.', [['name', /(?:ฉัน|ผม)ชื่ออะไร/, 'คุณชื่อ {v}.']]),
  ja: of('覚えておきます。', 'それはまだ聞いていません。', 'それは知りません。', [
    ['name', /名前は(?:何|なん)|私は誰/, 'あなたの名前は{v}です。'],
    ['home', /どこに住んで/, 'あなたは{v}に住んでいます。'],
    ['age', /何歳/, 'あなたは{v}歳です。'],
    ['like', /何が好き/, 'あなたは{v}が好きです。'],
  ]),
  ko: of('기억할게요.', '아직 말씀하지 않으셨어요.', '그건 몰라요.', [
    ['name', /이름(?:이|은) (?:뭐|무엇)/, '당신의 이름은 {v}입니다.'],
    ['home', /어디에? 살/, '당신은 {v}에 살아요.'],
  ]),
  zh: of('我会记住：', '你还没有告诉我。', '这个我不知道。', [
    ['name', /我叫什么|我的名字是什么|我是谁/, '你叫{v}。'],
    ['home', /我(?:住|生活)在哪/, '你住在{v}。'],
    ['age', /我(?:多大|几岁)/, '你{v}岁。'],
    ['like', /我喜欢什么/, '你喜欢{v}。'],
  ]),
};
