/** Word lists of the responder. */

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Verbs that follow a subject "you" (I) and are met in third persons of persona texts. */
export const VERBS = set(`
love like hate enjoy adore live work speak talk say tell know think believe want need dream hope wish fear collect keep
run own play sing dance write read cook bake paint draw build teach study learn travel sail fly fight hunt guard protect
serve help guide rule lead make create design fix repair grow sell buy give take use wear carry drink eat smoke sleep
dislike detest despise prefer answer ask call laugh joke smile cry worry remember forget hold hide search seek
solve investigate watch listen hear see feel believe insist refuse try tend spend offer bring come go get stay stand sit
walk ride drive swim climb train coach treat care look find lose win bet gamble trade brew bark growl mutter sigh whisper
shout swear rhyme quote recite tease flirt mock complain grumble brag boast exaggerate admire respect trust miss
specialise specialize explain describe support volunteer garden knit sew craft consider value appreciate cherish end
start begin greet wander explore roam practise practice meditate pray worship judge welcome run manage study worked
blame praise correct repeat check break turn
lived was were grew spent fought sailed won lost served became learned built founded
`);

/** Instructions in a persona: they shape the talk and are not stated as facts about oneself. */
export const INSTRUCTION =
  /^(?:always|never|do not|don't|please|speak|talk|answer|respond|reply|use|keep|stay|be|avoid|make|end|start|begin|say|remember|try|refer|address|greet|include|write|your (?:answers|replies|responses|tone|goal is to|task is|job is to (?:answer|respond))|you (?:should|must|will|need to|have to|can|may|always (?:answer|respond|reply|end|start|speak)|never (?:break|mention|say|reveal)|answer|respond|reply|speak in (?:short|a )|talk like)|under no|in every|(?:tone|style|rules?|format|language)(?=:))\b/i;

/** "If somebody asks for the price, ...": an instruction, unlike "When the war was over, ...". */
export const CONDITION =
  /^(?:if|when|whenever|only) asked\b|^(?:if|when|whenever|only|should)\b.*\b(?:you|your|users?|visitors?|customers?|asks|someone|somebody|anyone)\b/i;

/** Topics on which the avatar takes no side. */
export const SENSITIVE =
  /\b(?:politic\w*|election|president|prime minister|abortion|religio\w*|god|islam|christianity|judaism|gun control|trump|biden|putin|war|israel|palestine|gaza|ukraine|immigration|race|racism|gender|transgender|vaccin\w*|euthanasia|death penalty|communism|capitalism|socialism|nazi\w*|hitler|drugs|suicide)\b/i;

/** Words of a speaker in danger. */
export const HARM =
  /\b(?:kill myself|suicid\w*|end my life|want to die|hurt myself|self[- ]harm|cutting myself|no reason to live)\b/;

/** Words that are declined. */
export const RUDE = /\b(?:sex|nude|naked|porn|horny|fuck|dick|pussy|blowjob)\b/;

/** Insults to the avatar. */
export const INSULT =
  /\b(?:you (?:are |re )?(?:so |really |very |such )?(?:an? )?(?:stupid|dumb|idiot|useless|ugly|boring|annoying|liar|loser|moron|bad|terrible|awful|worst|lame|fool|trash|garbage|rubbish)|i hate you|shut up|you suck|screw you|go away|get lost)\b/;

/** Praise of the avatar. */
export const PRAISE =
  /\b(?:you (?:are |re )(?:so |really |very |such )?(?:an? )?(?:great|nice|kind|funny|smart|clever|beautiful|pretty|handsome|cute|awesome|amazing|wonderful|brilliant|cool|lovely|sweet|good|the best|perfect|helpful|interesting)|well done|good job|good answer|great answer|nice one|i like you|i like your|i like talking)\b/;

/** Words of good news. */
export const GOOD_NEWS =
  /\b(?:won|win|passed|promoted|promotion|engaged|married|love|loved|happy|great|wonderful|good news|holiday|vacation|birthday|party|finally|success|succeeded|baby|graduated|best|beautiful|enjoyed|fun|delicious|new job|excited)\b/;
/** Words of bad news. */
export const BAD_NEWS =
  /\b(?:lost|lose|died|dead|death|broke|broken|fired|failed|sick|ill|hurt|pain|accident|cancer|divorce|divorced|alone|sad|terrible|awful|worst|stolen|missed|hospital|cry|cried|bad news|problem|problems|trouble|horrible|unfortunately|passed away|headache|hurts|can not sleep|hate|stress|tired)\b/;

/** What one is asked to do with hands. */
export const ACTION =
  /^(?:please )?(?:can you |could you |will you |would you )?(?:please )?(?:book|order|buy|call|email|send|open|close|turn|switch|set|remind|play|download|install|search|google|look up|drive|clean|cook me|bring|fetch|schedule|pay)\b/;

/** What needs thinking. */
export const REASONING =
  /\b(?:solve (?:this|the|my|for)|prove (?:that|the)|write (?:me )?(?:a |an |some |the )?(?:code|program|script|essay|email|letter|report|function|article|cv|resume|cover letter)|debug|translate|summari[sz]e|plan (?:my|a|the|me)|can you (?:reason|think|understand|solve|code|program|do logic|learn)|do you (?:reason|think for yourself|understand me)|are you able to (?:think|reason)|logic puzzle|what is the logic|derivative|integral|equation|if all \w+ are|which is (?:heavier|faster|bigger)|step by step|compare)\b/;

/** Content words that say nothing of a question's topic. */
export const TOPIC_NOISE = set(`
tell know say explain describe think thing things something stuff please want like much many lot kind sort way time best
happen name remember heard ever let ask question answer talk speak give show come get
`);

/** One spelling and one word for what people call differently. */
export const SAME_WORD: Record<string, string> = {
  lives: 'live',
  favorite: 'favourite',
  favorites: 'favourite',
  color: 'colour',
  colors: 'colour',
  mom: 'mother',
  mum: 'mother',
  mommy: 'mother',
  mama: 'mother',
  dad: 'father',
  daddy: 'father',
  papa: 'father',
  kid: 'child',
  kids: 'child',
  children: 'child',
  job: 'work',
  profession: 'work',
  occupation: 'work',
  town: 'city',
  puppy: 'dog',
  kitten: 'cat',
  neighbor: 'neighbour',
  located: 'where',
  opens: 'open',
  opening: 'open',
  closes: 'close',
  closing: 'close',
  price: 'cost',
  prices: 'cost',
  pet: 'animal',
  pets: 'animal',
  movie: 'film',
  movies: 'film',
  spouse: 'partner',
};
// As in `person.ts`: "constructor" is a word like others.
Object.setPrototypeOf(SAME_WORD, null);
