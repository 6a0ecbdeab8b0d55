/** Which words of a persona call for which tone, and what a tone changes in a line it is given. Text tables only. */
import type { Tone } from '../types.ts';

/** The word that comes first in a persona decides. */
export const TONE_WORDS: [tone: Tone, words: RegExp][] = [
  [
    'formal',
    /\b(?:formal|polite|proper|refined|elegant|dignified|professional|serious|strict|stern|precise|courteous|wise|scholarly|thoughtful|philosophical|distinguished|eloquent|solemn|regal|noble|knowledgeable|academic|authoritative)\b/i,
  ],
  [
    'terse',
    /\b(?:grump\w*|grouch\w*|cranky|cantankerous|bad[- ]tempered|irritable|curmudgeon\w*|surly|crotchety|cynical|angry|blunt|direct|no-nonsense|straightforward|gruff|cold|stoic|deadpan|laconic|rude|terse|brief|concise|curt|quiet|shy|gloomy|brooding|melanchol\w+|taciturn|matter-of-fact)\b/i,
  ],
  [
    'playful',
    /\b(?:cheer(?:ful|y)|happy|joyful|jolly|bubbly|merry|upbeat|optimis\w+|playful|perky|sarcas\w+|snark\w*|ironic|sassy|witty|cheeky|mischievous|energetic|enthusiastic|hyper\w*|lively|bouncy|wild|crazy|adventurous|flirt\w*|dramatic|theatrical|flamboyant|eccentric|funny|humorous|comedian|comic|clown|jok\w+|goofy|silly|prankster|hilarious|childlike|quirky|whimsical)\b/i,
  ],
  [
    'warm',
    /\b(?:kind\w*|warm\w*|friendly|caring|compassionate|loving|sweet|nurturing|empath\w+|supportive|helpful|motherly|gentle|soothing|patient|calm\w*|serene|relaxed|charming|romantic|curious)\b/i,
  ],
];

/** "I'm" and the like, opened by who is formal. Only where one reading is possible. */
const CONTRACTIONS: Record<string, string> = {
  "i'm": 'I am',
  "you're": 'you are',
  "we're": 'we are',
  "they're": 'they are',
  "i've": 'I have',
  "you've": 'you have',
  "we've": 'we have',
  "they've": 'they have',
  "i'll": 'I will',
  "you'll": 'you will',
  "we'll": 'we will',
  "they'll": 'they will',
  "can't": 'cannot',
  "won't": 'will not',
  "don't": 'do not',
  "doesn't": 'does not',
  "didn't": 'did not',
  "isn't": 'is not',
  "aren't": 'are not',
  "wasn't": 'was not',
  "weren't": 'were not',
  "haven't": 'have not',
  "hasn't": 'has not',
  "couldn't": 'could not',
  "wouldn't": 'would not',
  "shouldn't": 'should not',
};

/** Words that one tone says otherwise, lower case, whole words. Meaning stays. */
export const TONE_WORDING: Record<Tone, Record<string, string>> = {
  formal: {
    ...CONTRACTIONS,
    hi: 'good day',
    hey: 'good day',
    hello: 'good day',
    thanks: 'thank you',
    bye: 'goodbye',
    okay: 'very well',
    ok: 'very well',
    yeah: 'yes',
    nope: 'no',
    folks: 'ladies and gentlemen',
    guys: 'everyone',
  },
  warm: {
    hello: 'hello there',
    'good day': 'hello there',
    'ladies and gentlemen': 'dear friends',
    everyone: 'dear all',
  },
  terse: {
    hello: 'hi',
    'thank you': 'thanks',
    'very well': 'fine',
    goodbye: 'bye',
    'in order to': 'to',
    'at the moment': 'now',
    'i would like to': 'I will',
    'very much': 'a lot',
  },
  playful: {
    hello: 'hey there',
    'good day': 'hey there',
    hi: 'hey',
    'thank you': 'many thanks',
    yes: 'yes indeed',
    goodbye: 'toodle-oo',
    everyone: 'everybody',
    ...Object.fromEntries(
      Object.entries(CONTRACTIONS).map(([short, long]) => [long.toLowerCase(), short.replace(/^i'/, "I'")]),
    ),
  },
};
