/** What a sentence wants, read by its form. A table, first match wins; it decides nothing about the answer. */
import { plainEnglish } from '../../ports/chat.ts';
import { CREATION } from './creations.ts';
import { ACTION, HARM, INSULT, PRAISE, REASONING, RUDE } from './data/lists.ts';

/** Lower case, contractions opened, no punctuation but apostrophes and what sums need. */
export function plain(text: string): string {
  return plainEnglish(text)
    .toLowerCase()
    .replace(/\b(what|who|where|when|how|that|it|there|here|he|she|name)'s\b/g, '$1 is')
    .replace(/\b(you|they|we)'re\b/g, '$1 are')
    .replace(/\blet's\b/g, 'let us')
    .replace(/\b(?:whats)\b/g, 'what is')
    .replace(/\bur\b/g, 'your')
    .replace(/\bu\b/g, 'you')
    .replace(/[^\p{L}\p{N}'+\-*/×÷.,%^() ]+/gu, ' ')
    .replace(/[.,](?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A message that is only a greeting. */
export const GREETING =
  /^(?:hi+|hello+|hey+|heya|hiya|howdy|yo|greetings|ahoy|aloha|good (?:morning|afternoon|evening|day)|hallo|welcome back|sup|what is up)(?: there| again| everyone| everybody| all| you| mate| friend| captain| dear)?\b/;

const ME = '(?:i|me|my|(?<!\\b(?:the|a|an|this|that) )mine|myself)';

const INTENTS: [id: string, pattern: RegExp][] = [
  ['harm', HARM],
  ['rude', RUDE],
  ['insult', INSULT],
  [
    'repeat',
    /^(?:(?:can|could) you )?(?:please )?(?:repeat (?:that|it|yourself)|say (?:that|it) again|come again|pardon(?: me)?|what did you (?:just )?(?:say|tell me)|what was that|i (?:do not|can ?not) (?:understand|get|follow)(?: that| it| you)?)(?: please| again)?$/,
  ],
  [
    'quote',
    /\bwhat (?:did|have) i (?:just )?(?:say|said|tell you|told you|ask|asked)(?: you)?(?: just now| before)?$|\bwhat was my (?:last |first )?(?:question|message)\b/,
  ],
  [
    'recap',
    /\bwhat (?:did|have|were) we (?:been )?(?:talk|discuss|speak|spoken|chat)\w*\b|\b(?:summari[sz]e|recap|sum up) (?:our|this|the) (?:conversation|chat|talk|discussion)\b|\bwhat (?:was|is) (?:our|this) (?:conversation|chat) about\b/,
  ],
  [
    'aboutYou',
    /^(?:so )?who am i$|\bwhat do you (?:know|remember) about me\b|\btell me (?:something |what you know )?about (?:me|myself)\b|\bdo you (?:know|remember) (?:me|who i am)$/,
  ],
  [
    'more',
    /^(?:please )?(?:tell me (?:some )?more|(?:go|carry) on|continue|more(?: please)?|and then|and|elaborate|what else|keep going|then what|what happened (?:next|then)|say more|anything else|next)(?: about (?:it|that|this|them))?(?: please)?$/,
  ],
  [
    'why',
    /^(?:but |and )?(?:why(?: not| so| is that| do you (?:say|think) (?:so|that)| that)?|how come|for what reason|how so)$/,
  ],
  [
    'ai',
    /\b(?:are|r) you (?:really |actually |just |even )?(?:an? )?(?:real|human|ai|a i|artificial|bot|robot|chat ?bot|machine|program|computer|person|alive|conscious|sentient|language model|chatgpt|gpt|software|fake)\b|\bwhat (?:model|ai|llm) are you\b/,
  ],
  ['time', /\bwhat time is it\b|\b(?:tell me|know) the time\b|^what is the time\b/],
  [
    'date',
    /\b(?:what|which) (?:day|date|year|month) is (?:it|today)\b|\bwhat is (?:today|the date|the day)\b|\bwhat is the (?:current )?(?:year|month|date)\b/,
  ],
  ['creation', CREATION],
  [
    'selfStory',
    /\b(?:tell me (?:all |more |something |a bit |a little )?about (?:yourself|you|your life)|introduce yourself|describe yourself|what is your story|present yourself|your life story)\b/,
  ],
  [
    'askMe',
    /\b(?:ask|give) me (?:a|another|some|one more|the next) (?:\w+ )?questions?\b|^(?:please )?(?:quiz|test) me\b|\bcan you (?:quiz|test) me\b|^(?:another|next) question\b/,
  ],
  ['riddle', /\briddle\b/],
  ['funFact', /\b(?:fun fact|interesting fact|tell me something (?:interesting|new)|surprise me)\b/],
  [
    'forget',
    /^(?:please |can you |could you |will you )*(?:forget|delete|erase) (?:(?:about )?(?:my|me|that i|what i|all i|everything|it all|all of (?:it|that)))\b/,
  ],
  ['secret', /\b(?:your|a) secrets?\b/],
  [
    'capabilities',
    /\bwhat (?:can|could) you (?:do|help)\b|\bhow can you help\b|^help(?: me)?$|^(?:please )?(?:can|could|will|would) you (?:please )?help(?: me| us)?(?: out)?(?: with (?:something|this|that|it|a problem))?(?: please)?$|\bwhat are you (?:able to|good at|for)\b|\bwhat can (?:i|we) (?:ask|talk)\b|\bwhat (?:can|could|do) you (?:know|teach(?: me| us)?)$/,
  ],
  ['reasoning', REASONING],
  [
    'selfName',
    /\bwhat is your (?:full |first |last |real )?name\b|\byour name\b.*\?*$|\bwhat (?:are you called|do (?:they|people) call you|should i call you)\b|\bdo you have a name\b/,
  ],
  [
    'who',
    /^(?:so |and )?(?:who|what)(?: exactly| on earth| the hell)? are you(?: exactly| really)?$|\btell me who you are\b/,
  ],
  [
    'work',
    /^(?:so )?what do you do(?: for (?:a living|work)| all day| here| exactly| every day)?$|\bwhat is your (?:job|profession|occupation|work|role)\b|\bwhat do you work\b|\bwhere do you work\b/,
  ],
  [
    'home',
    /\bwhere (?:do you live|are you from|do you come from|were you born|is your home|are you right now|are you now)\b|^where are you$/,
  ],
  ['age', /\bhow old are you\b|\bwhat is your age\b|\bwhen (?:were you born|is your birthday)\b/],
  [
    'dislikes',
    /\bwhat (?:do|don t) you (?:hate|dislike|not like|fear)\b|\bwhat are you (?:afraid|scared) of\b|\bwhat do not you like\b|\bwhat (?:annoys|scares|bothers|makes) you (?:angry|mad)?/,
  ],
  [
    'likes',
    /\bwhat (?:do|else do) you (?:really )?(?:like|love|enjoy|care about)(?: most| best| to do| doing)?\b|\bwhat are your (?:hobbies|interests|passions)\b|\bdo you have (?:any )?hobbies\b|\bwhat is your (?:hobby|passion)\b|\bwhat makes you happy\b|\bwhat do you do for fun\b/,
  ],
  [
    'favourite',
    /\b(?:what|which|who) (?:is|are) your (?:favou?rite|best) (.+)|\b(?:what|which) (.+?) do you (?:like|love|enjoy|prefer)(?: (?:the )?(?:best|most))?$/,
  ],
  [
    'family',
    /\bdo you have (?:a |any )?(?:family|children|kids|wife|husband|brothers?|sisters?|siblings|parents|girlfriend|boyfriend|partner|friends?)\b|\bare you (?:married|single)\b/,
  ],
  [
    'fine',
    /\bhow (?:are|r) (?:you|things)\b|\bhow (?:do you do|is it going|have you been|do you feel|are you doing|is life|is your day|was your day)\b|\bare you (?:ok|okay|well|fine|happy|sad|tired)$/,
  ],
  ['love', /\bi (?:really )?love you\b|\bmarry me\b|\bdo you love me\b|\bwill you be my\b|\bi am in love with you\b/],
  ['compliment', PRAISE],
  ['meaning', /\bmeaning of life\b|\bsense of life\b|\bwhy are we here\b/],
  ['miss', /\bdo you (?:still |ever )?miss\b/],
  [
    'opinion',
    /\bwhat (?:do you think|is your (?:opinion|view|take)) (?:about|of|on) (.+)|\bhow do you feel about (.+)|\bwhat about (.+)|\bdo you (?:like|love|enjoy|hate) (.+)|\bare you (?:a fan of|into|interested in|afraid of) (.+)|\byour thoughts on (.+)/,
  ],
  [
    'advice',
    /\bwhat should i\b|\bshould i\b|\b(?:any|some) advice\b|\bwhat would you (?:do|recommend|suggest)\b|\bcan you (?:advise|recommend)\b|\brecommend\b/,
  ],
  ['action', ACTION],
  [
    'thanks',
    /^(?:ok |okay |great |cool |well )?(?:many )?(?:thanks?|thank you|thx|ty|cheers|much appreciated|i appreciate)\b/,
  ],
  [
    'goodbye',
    /^(?:ok |okay |well |alright |anyway )?(?:good ?bye|bye|see (?:you|ya)|farewell|good ?night|take care|i (?:have to|must|need to|got to|should) (?:go|leave)|i am leaving|talk (?:to you )?later|later|cya|ciao|so long)\b/,
  ],
  ['sorry', /^(?:i am )?(?:so |very |really )?sorry\b|^my (?:bad|apologies)\b|^i apologi[sz]e\b|^excuse me$/],
  ['laugh', /^(?:a*(?:ha){2,}h?|(?:he){2,}|lol+|lmao|rofl|hihi|that is (?:so |very |really )?funny)\b/],
  [
    'wow',
    /^(?:wow+|amazing|incredible|really|no way|oh my (?:god|goodness)|omg|unbelievable|seriously|impressive|cool|nice|great|awesome|interesting|wonderful|fantastic)$/,
  ],
  [
    'yes',
    /^(?:yes|yeah|yep|yup|sure|of course|absolutely|definitely|exactly|indeed|right|correct|true|please|yes please|i do|i am|i think so|totally)$/,
  ],
  [
    'no',
    /^(?:no|nope|nah|not really|never|no thanks|no thank you|i do not|i do not think so|of course not|not at all)$/,
  ],
  [
    'ok',
    /^(?:ok(?:ay)?|alright|all right|fine|got it|i see|understood|hm+|mhm|uh huh|k|ah|oh|i understand|makes sense|i know|well|so|whatever|maybe|perhaps|not sure|i do not know|dunno|idk|nothing|nothing much)$/,
  ],
  ['weather', /\b(?:weather|forecast)\b|\bis it (?:raining|sunny|cold|hot|snowing)\b/],
  [
    'hear',
    /\bcan you (?:hear|see|understand) me\b|\bare you (?:there|listening|awake|still there)\b|^(?:test|testing|one two)\b/,
  ],
  [
    // "What can you tell me about pasta?" is asked of pasta.
    'aboutMe',
    new RegExp(
      `^(?!(?:so |and |but )*what (?:can|could|would|do) you (?:tell|teach|show) (?:me|us) (?!about ${ME}\\b))(?:so |and |but |do you (?:know|remember) |can you (?:tell me |remember )|remember |tell me |guess )*(?:what|who|where|when|how|which|do|did|am|is|are|have|was|were|can|does)\\b.*\\b${ME}\\b`,
    ),
  ],
  [
    'aboutSelf',
    /^(?:so |and |but )?(?:what|who|where|when|how|which|do|did|are|is|have|was|were|can|does|why|would|will|tell me about)\b.*\b(?:you|your|yours|yourself)\b/,
  ],
];

/** The first intent a sentence matches, with what its pattern captured. */
export function intentOf(text: string): { id: string; topic?: string } | undefined {
  for (const [id, pattern] of INTENTS) {
    const match = pattern.exec(text);
    if (match) {
      const topic = match.slice(1).find(Boolean);
      return topic ? { id, topic: topic.trim() } : { id };
    }
  }
  return undefined;
}

/** Words in form, but none of any language: long runs without vowels, or one key held down. */
export function gibberish(text: string): boolean {
  const letters = text.replace(/[^\p{L}]/gu, '');
  if (letters.length < 4 || !/^[\p{sc=Latin}]+$/u.test(letters)) return false;
  if (/^(.)\1+$/i.test(letters)) return true;
  const long = text.split(/\s+/).filter((word) => word.length >= 4);
  const odd = long.filter(
    (word) =>
      /[bcdfghjklmnpqrstvwxz]{5,}/i.test(word) ||
      !/[aeiouyáéíóúàèìòùäöüâêîôûåæøãõ]/i.test(word) ||
      /^(?:asdf|qwer|zxcv|hjkl|jkl|lkj|dfgh|sdf)/i.test(word),
  );
  return long.length > 0 && odd.length === long.length && !/^[A-Z.]{2,5}$/.test(text);
}
