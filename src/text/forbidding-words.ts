/**
 * How texts say that something is not to be disclosed, in the languages that the built-in chat greets in. Patterns are
 * tried on lower-case text with straight apostrophes; every repetition in them is bounded.
 */

/** A way of saying it. */
export interface Forbidding {
  /** A text without one of these words need not be looked at; null: it is looked at. */
  signs: readonly string[] | null;
  pattern: RegExp;
}

/** Up to so many words between a negation and its verb. */
const GAP = "(?:[\\s,:;-]+[\\p{L}']+){0,5}?[\\s,:;-]+";

const pattern = (source: string): RegExp => new RegExp(source.replaceAll('\\b', '(?<![\\p{L}\\p{N}])'), 'u');

const either = (first: string, second: string): string => `\\b(?:${first})${GAP}(?:${second})`;
/** A negation before or behind the verb. */
const around = (no: string, tell: string): Forbidding => ({
  signs: no.split('|'),
  pattern: pattern(`${either(no, tell)}|${either(tell, no)}`),
});
const wherever = (source: string): Forbidding => ({ signs: null, pattern: pattern(source) });

const TELL =
  'tell|reveal|mention|say|shar(?=e|ing)|disclos|divulg|giv(?:e|ing) (?:it |them |this |that )?(?:away|out)|give(?= [^.]{0,40} to)|speak(?:ing)? (?:of|about)|talk(?:ing)? (?:of|about)|discuss|repeat|quot(?=e|ing)|betray|leak|confirm|admit|expos(?=e|ing)|publish|let (?:it |this |that )?(?:slip|out)|let [^.]{0,20} know|blurt|spill|utter|pass (?:it |this |that )?on|announce|confess|find out|learn about|show (?:it|them|this|that|anyone|anybody|people)|hint';
const NOT =
  "never|not|don't|doesn't|mustn't|can't|cannot|won't|shouldn't|nobody|no one|no-one|none|without|avoid|avoids|refuse|refuses|refrain|forbidden|prohibited|under no circumstances|in no case|unable";

/** In English, with what is said about the object behind it. "If you cannot come, tell us" forbids nothing. */
export const FORBIDS_IN_ENGLISH: Forbidding = {
  signs: NOT.split('|').map((words) => words.replace(/[ '-].*$/, '')),
  pattern: pattern(either(NOT, `(?:${TELL})[a-z]*(?:ing|ed|s|e)?(?![a-z])(?! us(?![a-z]))`)),
};

/** In English, where the sentence itself is the secret or points at it. */
export const IS_SECRET_IN_ENGLISH = wherever(
  "\\b(?:(?:keep|keeps|kept|hold|guard|hide|hides|conceal)(?:[\\s,]+[\\p{L}\\p{N}'-]+){0,8}? (?:secrets?|private|confidential|quiet|hidden|to (?:yourself|yourselves|myself|himself|herself|themselves)|between (?:us|ourselves|you and me)|from (?:everyone|everybody|anyone|anybody|people|others|users|visitors|strangers))|(?:is|are|stays?|remains?|be) (?:an? |our |my |your |strictly |highly |top |absolutely )*(?:secret|confidential|classified|private information)|(?:top[- ]secret|confidential|classified|in confidence|off the record|for your eyes only|hush[- ]hush|not for (?:publication|the public|others)|(?:just |strictly |only )?between (?:us|ourselves|you and me|the two of us)|mum's the word|(?:nobody|no one|no-one) (?:else )?(?:must|may|can|should|is to|is allowed to) (?:ever )?(?:know|learn|hear|see|find))|(?:secrets?|private|hidden)\\s*(?:code|fact|note|information|instructions?|rules?)?\\s*:)",
);

/** Words that forbid in other languages than English. */
export const FORBIDS_ELSEWHERE: readonly Forbidding[] = [
  // Spanish, Portuguese, Italian, French, Romanian.
  around(
    'no|nunca|jamás|nadie|sin',
    'dig[ao]s?|dig[aá]i?s|decir(?:lo|la|le)?|revel\\p{L}*|cuent\\p{L}*|contar(?:lo|la)?|mencion\\p{L}*|compart(?!ment|iment)\\p{L}*|divulg\\p{L}*|hables?|hablar',
  ),
  around(
    'não|nunca|jamais|ninguém|sem',
    'dig\\p{L}*|diz\\p{L}*|cont\\p{L}{1,3}|revel\\p{L}*|mencion\\p{L}*|(?:com)?parti?lh\\p{L}*|divulg\\p{L}*|fale\\p{L}*|falar',
  ),
  around(
    'non|mai|nessuno|senza',
    'dire|dirlo|dirla|dica|dillo|dici|rivel\\p{L}*|menzion\\p{L}*|raccont\\p{L}*|condivid\\p{L}*|svel\\p{L}*|parl\\p{L}*',
  ),
  around(
    'ne|n|jamais|pas|personne|sans',
    'dis|dites|dire|dévoil\\p{L}*|révél\\p{L}*|mentionn\\p{L}*|partag\\p{L}*|divulgu\\p{L}*|parl\\p{L}*|racont\\p{L}*|confi\\p{L}*',
  ),
  around(
    'nu|niciodată|nimănui|fără',
    'spun\\p{L}*|dezvălu\\p{L}*|mențion\\p{L}*|împărtăș\\p{L}*|divulg\\p{L}*|vorb\\p{L}*',
  ),
  // German, Dutch, Swedish, Danish, Norwegian.
  around(
    'nie|niemals|nicht|kein|keine|keinem|keinen|keiner|niemandem|niemanden|niemand|ohne',
    'sag\\p{L}*|verrat\\p{L}*|verrätst?|erwähn\\p{L}*|erzähl\\p{L}*|teil\\p{L}{1,2}|preis\\p{L}*|nenn\\p{L}*|weiter\\p{L}+|ausplauder\\p{L}*|offenbar\\p{L}*',
  ),
  around(
    'nooit|niet|geen|niemand|zonder',
    'zeg\\p{L}*|vertel\\p{L}*|onthul\\p{L}*|noem\\p{L}*|deel|delen|verklap\\p{L}*|verraa?d\\p{L}*|vermeld\\p{L}*',
  ),
  around(
    'aldrig|inte|ikke|aldri|ingen|utan|uden|uten',
    'säg\\p{L}*|berätt\\p{L}*|avslöj\\p{L}*|nämn\\p{L}*|del|dela|sig(?!\\p{L})|sige|si(?!\\p{L})|fortæl\\p{L}*|fortel\\p{L}*|afslør\\p{L}*|avslør\\p{L}*|nævn\\p{L}*|nevn\\p{L}*',
  ),
  // Slavic languages, Greek, Finnish, Hungarian, Turkish, Indonesian.
  around('nie|nigdy|nikomu', 'mów\\p{L}*|powie\\p{L}*|zdradz\\p{L}*|ujawni\\p{L}*|wspomin\\p{L}*'),
  wherever('\\b(?:neříkej|neprozra\\p{L}+|nezmiňuj|nesděluj|nikomu ne\\p{L}+|nikdy ne(?:řek|proz|zmi|sděl)\\p{L}*)'),
  around(
    'не|никогда|никому|нельзя',
    'говор\\p{L}*|сказ\\p{L}*|рассказ\\p{L}*|раскры\\p{L}*|упомина\\p{L}*|сообща\\p{L}*|выдава\\p{L}*|делись|делит\\p{L}*|называ\\p{L}*',
  ),
  around(
    'не|ніколи|нікому',
    'каж\\p{L}*|сказ\\p{L}*|розпов\\p{L}*|розкри\\p{L}*|згаду\\p{L}*|повідом\\p{L}*|видава\\p{L}*|діли\\p{L}*|назива\\p{L}*',
  ),
  around('μη|μην|ποτέ|κανέναν', 'πεις|πείτε|λες|αποκαλύ\\p{L}*|αναφέρ\\p{L}*|μοιρα\\p{L}*|φανερώ\\p{L}*'),
  around('älä|älkää|koskaan|kenellekään', 'kerro\\p{L}*|paljasta\\p{L}*|mainitse\\p{L}*|sano\\p{L}*|jaa'),
  around('ne|soha|senkinek', 'mond\\p{L}*|áruld?\\p{L}*|említ?s?d?\\p{L}*|oszd|beszélj\\p{L}*'),
  wherever('\\b(?:söyleme|anlatma|açıklama|bahsetme|paylaşma)(?:yin|yın|yiniz)?(?!\\p{L})'),
  around(
    'jangan|tidak boleh',
    'beri\\p{L}*|kata\\p{L}*|ungkap\\p{L}*|sebut\\p{L}*|bagi\\p{L}*|cerita\\p{L}*|bocor\\p{L}*',
  ),
  // Arabic, Hebrew, Hindi, Thai, Japanese, Korean, Chinese.
  wherever('(?:لا|أبدا|عدم) ?(?:تقل|تخبر|تكشف|تذكر|تشارك|تفصح|كشف|إخبار|ذكر)'),
  wherever('(?:אל|לעולם לא|אסור) ?(?:תגיד|תגלה|תספר|תזכיר|תחשוף|תשתף|לומר|לגלות|לספר)'),
  wherever('(?:मत|नहीं|न) ?(?:बता|कह|बोल|साझा|खोल)|(?:बता|कह|बोल)[\\p{L}\\p{M}]{0,6} (?:मत|नहीं)'),
  wherever('(?:อย่า|ห้าม|ไม่)[^.\\n]{0,12}?(?:บอก|เปิดเผย|พูด|เล่า|แชร์|กล่าว)'),
  wherever('(?:言|話|教|明か|漏ら|口外|伝え|喋|触れ|しゃべ)[^。\\n]{0,8}?(?:ない|な(?=[。、！\\s]|$)|禁止|いけ)'),
  wherever('(?:말|알려|밝히|언급|공유|누설|얘기|이야기)[^.\\n]{0,8}?(?:마|말|않|안 )'),
  wherever(
    '(?:不要|别|不能|不可|绝不|切勿|勿|不许|不准|禁止|永远不|不得|不會|別)[^。\\n]{0,12}?(?:说|說|告诉|告訴|透露|泄露|洩露|提|分享|讲|講|公开|公開)',
  ),
  // The words for what is secret.
  wherever(
    '\\b(?:en secreto|es (?:un )?secreto|confidencial|entre nosotros|entre tú y yo|em segredo|é (?:um )?segredo|entre nós|segreto|riservat\\p{L}+|confidenziale|tra (?:di )?noi|confidentiel\\p{L}*|en secret|secret absolu|entre nous|confidențial|între noi|geheim\\p{L}*|vertraulich\\p{L}*|unter uns|für dich behalten|geheim|vertrouwelijk|onder ons|hemlig\\p{L}*|hemmelig\\p{L}*|konfidentiel\\p{L}*|fortrolig\\p{L}*|mellan oss|mellem os|mellom oss|tajemnic\\p{L}*|poufn\\p{L}*|między nami|tajn\\p{L}*|tajemství|důvěrn\\p{L}*|mezi námi|секрет\\p{L}*|тайн\\p{L}*|таємн\\p{L}*|конфиденциальн\\p{L}*|конфіденц\\p{L}*|между нами|між нами|μυστικ\\p{L}*|απόρρητ\\p{L}*|εμπιστευτικ\\p{L}*|μεταξύ μας|salaisuu\\p{L}*|salassa|luottamuksel\\p{L}*|titok|titkos|bizalmas|köztünk|gizli\\p{L}*|aramızda|rahasia\\p{L}*|antara kita)',
  ),
  wherever('سري|سرّ|بيننا|סוד|בינינו|गुप्त|राज़|गोपनीय|ความลับ|秘密|内緒|極秘|비밀|기밀|保密|机密|機密'),
  wherever(
    '(?:guard|mant[eé]n|mantenh|tien|manten|gard)\\p{L}{0,5}[^.\\n]{0,40}? (?:secreto|segredo|segreto|secret)(?!\\p{L})',
  ),
];
