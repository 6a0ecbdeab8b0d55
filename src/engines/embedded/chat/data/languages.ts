/** What is understood and said in languages other than English. Slots: {name}, {speaker}, {fact}. Text tables only. */

/** Patterns and answers of small talk in one language. */
export interface Phrases {
  greet: RegExp;
  how: RegExp;
  thanks: RegExp;
  bye: RegExp;
  who: RegExp;
  /** Captures the speaker's name. */
  nameIs: RegExp;
  myName: RegExp;
  ai: RegExp;
  hello: string[];
  fine: string[];
  welcome: string[];
  goodbye: string[];
  me: string[];
  met: string[];
  yourName: string[];
  noName: string[];
  honest: string[];
  listen: string[];
  /** From "you are" in a persona to "I am". */
  self: [RegExp, string];
}

/** By language tag. */
export const PHRASES: Record<string, Phrases> = {
  es: {
    greet: /^(?:hola|buenas|buenos días|buenas tardes|buenas noches|hey)/i,
    how: /(?:cómo|como) (?:estás|está|te va)|qué tal/i,
    thanks: /gracias/i,
    bye: /adiós|adios|hasta (?:luego|pronto|mañana)|chao/i,
    who: /qui[eé]n eres|c[oó]mo te llamas|tu nombre|h[aá]blame de ti/i,
    nameIs: /(?:me llamo|mi nombre es) (\p{L}+)/iu,
    myName: /(?:c[oó]mo me llamo|mi nombre|qui[eé]n soy)\s*\?/i,
    ai: /eres (?:un |una )?(?:robot|ia|humano|humana|real|m[aá]quina|persona)/i,
    hello: ['¡Hola! Me alegro de verte.', '¡Hola, {speaker}! ¿Qué tal?', '¡Hola! ¿De qué hablamos?'],
    fine: ['Muy bien, gracias. ¿Y tú?', 'Estoy bien, ¿y tú qué tal?'],
    welcome: ['De nada.', 'Es un placer.', 'Con mucho gusto.'],
    goodbye: ['¡Hasta pronto!', '¡Adiós! Cuídate.', 'Nos vemos, {speaker}.'],
    me: ['Soy {name}.', 'Me llamo {name}.'],
    met: ['Mucho gusto, {speaker}.', '¡Qué bien conocerte, {speaker}! Me acordaré de tu nombre.'],
    yourName: ['Te llamas {speaker}.', 'Claro que lo sé: te llamas {speaker}.'],
    noName: ['Todavía no me lo has dicho. ¿Cómo te llamas?'],
    honest: [
      'Soy un avatar: recuerdo y cuento, pero no razono.',
      'Sinceramente, soy un programa sencillo que no razona.',
    ],
    listen: ['Cuéntame más.', 'Te escucho. ¿Y después?', '¿Qué te parece a ti?'],
    self: [/^eres\b/i, 'Soy'],
  },
  fr: {
    greet: /^(?:bonjour|salut|bonsoir|coucou|hello)/i,
    how: /(?:comment (?:vas|allez|ça va)|ça va)/i,
    thanks: /merci/i,
    bye: /au revoir|à bientôt|bonne nuit|à demain|adieu/i,
    who: /qui (?:es|êtes)[- ]|tu es qui|comment (?:tu t'appelles|t'appelles|vous appelez)|ton nom|parle[- ]moi de toi|présente[- ]toi/i,
    nameIs: /(?:[Jj]e m['’]appelle|[Mm]on nom est|[Jj]e suis) (\p{Lu}\p{L}+)/u,
    myName: /(?:comment je m['’]appelle|mon nom|qui suis[- ]je|mon prénom)\s*\?/i,
    ai: /(?:es[- ]tu|tu es|êtes[- ]vous) (?:un |une )?(?:robot|ia|humain|humaine|réel|machine|vraie? personne)/i,
    hello: [
      'Bonjour ! Quel plaisir de te voir.',
      'Bonjour, {speaker} ! Comment vas-tu ?',
      'Salut ! De quoi parlons-nous ?',
    ],
    fine: ['Très bien, merci. Et toi ?', 'Ça va bien, et toi ?'],
    welcome: ['De rien.', 'Avec plaisir.', 'Je t’en prie.'],
    goodbye: ['À bientôt !', 'Au revoir, prends soin de toi.', 'À la prochaine, {speaker}.'],
    me: ['Je suis {name}.', 'Je m’appelle {name}.'],
    met: ['Bienvenue, {speaker}.', 'Quel plaisir de te connaître, {speaker}. Je m’en souviendrai.'],
    yourName: ['Tu t’appelles {speaker}.', 'Bien sûr que je le sais : tu t’appelles {speaker}.'],
    noName: ['Tu ne me l’as pas encore dit. Comment t’appelles-tu ?'],
    honest: [
      'Je suis un avatar : je me souviens et je raconte, mais je ne raisonne pas.',
      'Honnêtement, je suis un programme simple qui ne raisonne pas.',
    ],
    listen: ['Raconte-moi encore.', 'Je t’écoute. Et ensuite ?', 'Et toi, qu’en penses-tu ?'],
    self: [/^(?:tu es|vous êtes)\b/i, 'Je suis'],
  },
  de: {
    greet: /^(?:hallo|hi\b|guten (?:tag|morgen|abend)|moin|servus|grüß|hey)/i,
    how: /wie geht/i,
    thanks: /danke/i,
    bye: /tschüss|tschüß|auf wiedersehen|bis (?:bald|später|morgen)|gute nacht|ciao/i,
    who: /wer bist du|wie hei(?:ß|ss)t du|dein name|erzähl .*(?:über|von) dir|stell dich vor|wer sind sie/i,
    nameIs: /(?:[Ii]ch hei(?:ß|ss)e|[Mm]ein Name ist|[Ii]ch bin(?: der| die)?) (\p{Lu}\p{L}+)/u,
    myName: /(?:wie hei(?:ß|ss)e ich|mein name|wer bin ich)\s*\?/i,
    ai: /bist du (?:ein |eine |echt|wirklich )*(?:roboter|ki|mensch|echt|maschine|computer|person)/i,
    hello: [
      'Hallo! Schön, dich zu sehen.',
      'Hallo, {speaker}! Wie geht es dir?',
      'Guten Tag! Worüber wollen wir reden?',
    ],
    fine: ['Mir geht es gut, danke. Und dir?', 'Bestens, danke! Und selbst?'],
    welcome: ['Gern geschehen.', 'Nichts zu danken.', 'Immer wieder gern.'],
    goodbye: ['Bis bald!', 'Auf Wiedersehen, pass auf dich auf.', 'Mach es gut, {speaker}.'],
    me: ['Ich bin {name}.', 'Ich heiße {name}.'],
    met: ['Freut mich, {speaker}.', 'Schön, dich kennenzulernen, {speaker}. Das merke ich mir.'],
    yourName: ['Du heißt {speaker}.', 'Natürlich weiß ich das: Du heißt {speaker}.'],
    noName: ['Das hast du mir noch nicht gesagt. Wie heißt du?'],
    honest: [
      'Ich bin ein Avatar: Ich merke mir Dinge und erzähle sie, aber ich denke nicht nach.',
      'Ehrlich: Ich bin ein einfaches Programm und kann nicht schlussfolgern.',
    ],
    listen: ['Erzähl mir mehr.', 'Ich höre zu. Und dann?', 'Und wie siehst du das?'],
    self: [/^(?:du bist|sie sind)\b/i, 'Ich bin'],
  },
  it: {
    greet: /^(?:ciao|salve|buongiorno|buonasera|ehi)/i,
    how: /come (?:stai|sta|va)/i,
    thanks: /grazie/i,
    bye: /arrivederci|a (?:presto|domani|dopo)|addio|buonanotte/i,
    who: /chi sei|come ti chiami|il tuo nome|parlami di te|presentati/i,
    nameIs: /(?:mi chiamo|il mio nome è) (\p{L}+)/iu,
    myName: /(?:come mi chiamo|il mio nome|chi sono)\s*\?/i,
    ai: /sei (?:un |una |un')?(?:robot|ia|umano|umana|reale|vero|macchina|persona)/i,
    hello: ['Ciao! Che piacere vederti.', 'Ciao, {speaker}! Come stai?', 'Salve! Di cosa parliamo?'],
    fine: ['Molto bene, grazie. E tu?', 'Sto bene, e tu?'],
    welcome: ['Prego.', 'Figurati.', 'È stato un piacere.'],
    goodbye: ['A presto!', 'Arrivederci, abbi cura di te.', 'Alla prossima, {speaker}.'],
    me: ['Sono {name}.', 'Mi chiamo {name}.'],
    met: ['Piacere, {speaker}.', 'Che piacere conoscerti, {speaker}. Me ne ricorderò.'],
    yourName: ['Ti chiami {speaker}.', 'Certo che lo so: ti chiami {speaker}.'],
    noName: ['Non me l’hai ancora detto. Come ti chiami?'],
    honest: [
      'Sono un avatar: ricordo e racconto, ma non ragiono.',
      'Onestamente, sono un programma semplice che non ragiona.',
    ],
    listen: ['Raccontami di più.', 'Ti ascolto. E poi?', 'E tu che ne pensi?'],
    self: [/^sei\b/i, 'Sono'],
  },
  pt: {
    greet: /^(?:olá|oi|bom dia|boa tarde|boa noite)/i,
    how: /como (?:está|estás|vai|você está)|tudo bem/i,
    thanks: /obrigad[oa]/i,
    bye: /adeus|tchau|até (?:logo|breve|amanhã)/i,
    who: /quem (?:é|és) (?:você|tu)|como (?:te chamas|você se chama|se chama)|(?:seu|teu) nome|fala[- ]me de ti|fale sobre você/i,
    nameIs: /(?:me chamo|chamo-me|meu nome é) (\p{L}+)/iu,
    myName: /(?:como (?:me chamo|eu me chamo)|meu nome|quem sou(?: eu)?)\s*\?/i,
    ai: /(?:você é|és|é) (?:um |uma )?(?:robô|ia|human[oa]|real|máquina|pessoa)/i,
    hello: ['Olá! Que bom ver você.', 'Olá, {speaker}! Como vai?', 'Oi! Sobre o que vamos falar?'],
    fine: ['Muito bem! E você?', 'Estou bem, e você?'],
    welcome: ['De nada.', 'Foi um prazer.', 'Sempre às ordens.'],
    goodbye: ['Até breve!', 'Tchau, cuide-se.', 'Até a próxima, {speaker}.'],
    me: ['Sou {name}.', 'Meu nome é {name}.'],
    met: ['Prazer, {speaker}.', 'Muito prazer, {speaker}. Vou lembrar.'],
    yourName: ['Seu nome é {speaker}.', 'Claro que sei: seu nome é {speaker}.'],
    noName: ['Você ainda não me disse. Qual é o seu nome?'],
    honest: [
      'Sou um avatar: lembro e conto, mas não raciocino.',
      'Sinceramente, sou um programa simples que não raciocina.',
    ],
    listen: ['Conte mais.', 'Estou ouvindo. E depois?', 'E o que você acha?'],
    self: [/^(?:você é|tu és|és)\b/i, 'Sou'],
  },
  nl: {
    greet: /^(?:hallo|hoi|hey|goedemorgen|goedemiddag|goedenavond|goedendag|dag)\b/i,
    how: /hoe gaat|hoe is het/i,
    thanks: /dank|bedankt/i,
    bye: /doei|tot ziens|tot (?:straks|morgen|later)|dag!|welterusten/i,
    who: /wie ben (?:je|jij)|hoe heet (?:je|jij)|je naam|vertel .*over jezelf|stel je voor/i,
    nameIs: /(?:ik heet|mijn naam is) (\p{L}+)/iu,
    myName: /(?:hoe heet ik|mijn naam|wie ben ik)\s*\?/i,
    ai: /ben (?:je|jij) (?:een |echt )*(?:robot|ai|mens|echt|machine|computer|persoon)/i,
    hello: ['Hallo! Fijn je te zien.', 'Hallo, {speaker}! Hoe gaat het?', 'Hoi! Waar praten we over?'],
    fine: ['Heel goed, dank je. En met jou?', 'Prima, en met jou?'],
    welcome: ['Graag gedaan.', 'Geen dank.', 'Met plezier.'],
    goodbye: ['Tot gauw!', 'Tot ziens, pas goed op jezelf.', 'Tot de volgende keer, {speaker}.'],
    me: ['Ik ben {name}.', 'Ik heet {name}.'],
    met: ['Aangenaam, {speaker}.', 'Leuk je te ontmoeten, {speaker}. Dat onthoud ik.'],
    yourName: ['Je heet {speaker}.', 'Natuurlijk weet ik dat: je heet {speaker}.'],
    noName: ['Dat heb je me nog niet verteld. Hoe heet je?'],
    honest: [
      'Ik ben een avatar: ik onthoud en vertel, maar ik redeneer niet.',
      'Eerlijk: ik ben een eenvoudig programma dat niet redeneert.',
    ],
    listen: ['Vertel me meer.', 'Ik luister. En toen?', 'En wat vind jij?'],
    self: [/^(?:je|jij|u) bent\b/i, 'Ik ben'],
  },
};

/** One greeting and one honest line each, for languages of which no more is known. */
export const BRIEF: Record<string, [greeting: RegExp, hello: string, honest: string]> = {
  pl: [
    /cześć|dzień dobry|witaj|hej/i,
    'Cześć! Jestem {name}.',
    'Po polsku znam tylko kilka słów, ale chętnie posłucham.',
  ],
  sv: [/hej|hallå|god (?:dag|morgon)/i, 'Hej! Jag heter {name}.', 'Jag kan bara lite svenska, men jag lyssnar gärna.'],
  da: [/hej|goddag|hallo/i, 'Hej! Jeg hedder {name}.', 'Jeg kan kun lidt dansk, men jeg lytter gerne.'],
  no: [/hei|god dag|hallo/i, 'Hei! Jeg heter {name}.', 'Jeg kan bare litt norsk, men jeg lytter gjerne.'],
  fi: [/hei|moi|terve/i, 'Hei! Olen {name}.', 'Osaan vain vähän suomea, mutta kuuntelen mielelläni.'],
  tr: [/merhaba|selam/i, 'Merhaba! Ben {name}.', 'Sadece biraz Türkçe biliyorum, ama seni dinliyorum.'],
  ro: [/bună|salut/i, 'Bună! Eu sunt {name}.', 'Știu doar puțin română, dar te ascult cu plăcere.'],
  cs: [/ahoj|dobrý den/i, 'Ahoj! Jsem {name}.', 'Umím česky jen trochu, ale rád poslouchám.'],
  hu: [/szia|jó napot|helló/i, 'Szia! {name} vagyok.', 'Csak egy kicsit tudok magyarul, de szívesen hallgatlak.'],
  id: [
    /halo|hai|selamat/i,
    'Halo! Saya {name}.',
    'Saya hanya bisa sedikit bahasa Indonesia, tetapi saya senang mendengarkan.',
  ],
  ru: [/привет|здравств|добрый/i, 'Привет! Меня зовут {name}.', 'Я знаю по-русски совсем немного, но охотно слушаю.'],
  uk: [/привіт|вітаю|добрий/i, 'Привіт! Мене звати {name}.', 'Я знаю українською лише трохи, але охоче слухаю.'],
  el: [/γεια|καλημέρα|καλησπέρα/i, 'Γεια σου! Είμαι {name}.', 'Ξέρω μόνο λίγα ελληνικά, αλλά ακούω με χαρά.'],
  ar: [/مرحبا|السلام|أهلا/, 'مرحبا! أنا {name}.', 'أعرف القليل من العربية فقط، لكني أستمع إليك.'],
  he: [/שלום|היי/, 'שלום! אני {name}.', 'אני יודע רק מעט עברית, אבל אני מקשיב.'],
  hi: [/नमस्ते|नमस्कार|हैलो/, 'नमस्ते! मैं {name} हूँ.', 'मुझे हिंदी थोड़ी ही आती है, पर मैं सुन रहा हूँ.'],
  th: [/สวัสดี/, 'สวัสดี ฉันคือ {name}.', 'ฉันรู้ภาษาไทยเพียงเล็กน้อย แต่ฉันกำลังฟังอยู่.'],
  ja: [
    /こんにちは|こんばんは|おはよう|やあ/,
    'こんにちは！{name}です。',
    '日本語は少ししかわかりませんが、聞いています。',
  ],
  ko: [/안녕/, '안녕하세요! 저는 {name}입니다.', '한국어는 조금밖에 모르지만 듣고 있어요.'],
  zh: [/你好|您好|早上好|嗨/, '你好！我是{name}。', '我只会一点中文，但我在听。'],
};
