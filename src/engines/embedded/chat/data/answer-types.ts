/** What words a question asks with, and what answers look like. General English. Text tables only. */

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const DAYS = 'Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?|weekdays?|weekends?';
const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|third|thirds|quarters?|double|twice|once|free|both|several|no|none';

/** A time: a year, a date, a day, an hour. */
export const DATE = new RegExp(
  `\\b(?:1\\d{3}s?|20\\d{2}s?|\\d{1,2}[:.]\\d{2}|\\d+(?:st|nd|rd|th)|(?:in|from|by|until|around|since|of) (?:the year )?\\d{3,4}|\\d{1,4} (?:BC|BCE|AD|CE)|${MONTHS}|${DAYS}|century|centuries|decade|morning|noon|afternoon|evening|midnight|night|dawn|dusk|o'clock|\\d{1,2} ?(?:am|pm)|ago|summer|winter|spring|autumn|today|yesterday|tomorrow|daily|(?:at|from|until|by|to|before|after) (?:${NUMBER_WORDS}|\\d{1,2})|(?:within|after|in|before|for|takes?) (?:about |up to )?(?:${NUMBER_WORDS}|an?|\\d{1,3})(?: (?:to|or) (?:${NUMBER_WORDS}|\\d{1,3}))?(?: working| business)? (?:minutes?|hours?|days?|weeks?|months?|years?))\\b`,
  'gu',
);
/** Any number, in figures or words. */
export const NUMBER = new RegExp(`(?:[$€£]\\s?)?\\b\\d[\\d.,]*(?:\\s?%)?|\\b(?:${NUMBER_WORDS})\\b`, 'giu');
/** A name: capitals inside a sentence, with the small words that names hold. */
export const NAME =
  /\p{Lu}[\p{L}\p{N}'’.-]*(?:[ -](?:(?:of|the|de|da|van|von|der|du|la|le|and|al|bin|di|del|e|for|in) (?:the )?)?\p{Lu}[\p{L}\p{N}'’-]*)*/gu;
/** Words that begin a reason. */
export const REASON =
  /\b(?:because|since|due to|owing to|so that|in order|as a result|therefore|thus|to \p{Ll}{3,}|for (?:the|its|their|his|her|being|fear|lack)|as (?:it|he|she|they|a|the|women|most)|caused?|led|lacking|which (?:means|made|makes)|so|after|unable)\b/giu;
/** Words that begin a manner. */
export const MANNER = /\b(?:by|with|using|through|via|from|when|if|under|without|into|in the form|on foot|means)\b/giu;
/** Words that begin a place. */
export const PLACE =
  /\b(?:in|at|on|near|from|to|into|through|across|behind|beside|opposite|between|above|under|below|around|outside|inside|off|along|within|of|next to|towards?|over)\s+(?:the |a |an |its |his |her |their )?[\p{L}\p{N}]+/giu;
/** Names of colours. */
export const COLOURS =
  /\b(?:red|green|blue|yellow|black|white|grey|gray|brown|orange|purple|pink|violet|golden?|silver|turquoise|teal|beige|navy|cream|graphite|charcoal|dark|bright|light|sand|ivory|crimson|scarlet|olive)\b/giu;

/** Numbers with a unit, by what is asked for. */
export const UNITS: Record<string, RegExp> = {
  phone: /\+\d|\d{3,}[ -]\d{3,}/giu,
  time: /\b(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|centur(?:y|ies)|generations?|from \d+ to \d+|until|permanently|forever)\b/giu,
  length:
    /\b(?:millimet(?:re|er)s?|centimet(?:re|er)s?|kilomet(?:re|er)s?|met(?:re|er)s?|miles?|feet|foot|inch(?:es)?|yards?|cm|mm|km|mi|ft|light years?|nautical|high|tall|long|wide|deep|blocks?|minutes? (?:on foot|walk|away))\b|\d ?m\b/giu,
  weight: /\b(?:grams?|kilos?|kilograms?|tonn?es?|tons?|pounds?|ounces?|kg|lbs?|oz|g)\b|\d ?(?:k?g|lbs?)\b/giu,
  money:
    /[$€£¥]|\b(?:dollars?|euros?|pounds?|cents?|yen|francs?|guilders?|crowns?|rupees?|usd|eur|gbp|free|million|billion)\b/giu,
  percent: /%|\b(?:per ?cent|percentage|half|third|thirds|quarters?|fifths?|tenths?|twice|double|one in)\b/giu,
  age: /\b(?:age|aged|years? old|years?)\b/giu,
  frequency:
    /\b(?:times?|every|daily|weekly|monthly|yearly|annual(?:ly)?|once|twice|per|an? (?:day|week|month|year)|each|hourly|always|irregularly|never|rarely)\b/giu,
  temperature: /\b(?:degrees?|celsius|fahrenheit|kelvin)\b|°/giu,
  speed: /\b(?:per|an) (?:hour|second|minute|day)\b|\bkm\/h|\bmph\b|\b(?:minutes?|seconds?|hours?)\b/giu,
  volume:
    /\b(?:lit(?:re|er)s?|millilit(?:re|er)s?|gallons?|cups?|pints?|ml|gb|tb|mb|gigabytes?|terabytes?|square|cubic|acres?|hectares?)\b|\d ?(?:ml|l|GB|TB|MB)\b/giu,
};

/** "how ..." and the unit it asks for. */
export const HOW: [word: RegExp, units: string[]][] = [
  [/^(?:many|few)$/, []],
  [/^much$/, ['money', 'weight', 'percent', 'volume']],
  [/^(?:long)$/, ['time', 'length']],
  [/^old$/, ['age']],
  [/^(?:far|tall|high|deep|wide|broad|thick|close)$/, ['length']],
  [/^(?:big|large|small|great)$/, ['length', 'volume', 'weight']],
  [/^(?:heavy)$/, ['weight']],
  [/^(?:often|frequently)$/, ['frequency']],
  [/^(?:fast|quick|quickly|soon)$/, ['speed', 'time']],
  [/^(?:hot|cold|warm)$/, ['temperature']],
  [/^expensive$/, ['money']],
  [/^(?:strong|loud|powerful|bright)$/, []],
];

/** Nouns behind "what" and "which", by what they ask for. */
export const ASKED: [
  noun: RegExp,
  type: 'date' | 'number' | 'name' | 'person' | 'colour' | 'reason',
  units?: string[],
][] = [
  [/^(?:years?|dates?|days?|months?|centur(?:y|ies)|decades?|times?|hours?|seasons?|periods?|eras?)$/, 'date'],
  [/^(?:percentages?|percent|share|fraction|proportion|rate)$/, 'number', ['percent']],
  [/^(?:number|amount|quantity|sum|total|size|population|score|capacity)$/, 'number'],
  [/^(?:age)$/, 'number', ['age']],
  [/^(?:temperatures?)$/, 'number', ['temperature']],
  [
    /^(?:height|length|width|depth|distance|diameter|altitude|elevation|radius|dimensions?|measurements?)$/,
    'number',
    ['length'],
  ],
  [/^(?:weight|mass)$/, 'number', ['weight']],
  [/^(?:price|cost|fee|salary|budget|charge)$/, 'number', ['money']],
  [/^(?:speed)$/, 'number', ['speed']],
  [/^(?:colou?rs?)$/, 'colour'],
  [/^(?:reason)$/, 'reason'],
  [
    /^(?:person|man|woman|king|queen|emperor|empress|president|minister|leader|author|writer|poet|scientist|inventor|artist|painter|composer|philosopher|actor|actress|singer|player|general|explorer|physicist|chemist|biologist|mathematician|architect|pope|prince|princess|ruler|duke|engineer|merchant|goddess|god|saint|monarch|director|professor|zoologist|psychologist|economist|historian|astronomer|chancellor|senator|governor|founder|people|theorists?|scholars?)$/,
    'person',
  ],
  [
    /^(?:city|town|country|countries|state|states|continents?|river|mountain|island|islands|region|province|county|village|ocean|sea|seas|lake|hospital|university|school|college|church|company|firm|organi[sz]ation|newspaper|journal|book|novel|film|movie|album|song|ship|treaty|battle|war|dynasty|empire|kingdom|nation|nationality|language|languages|religion|port|street|building|museum|airport|station|planet|star|programme|program|party|team|club|award|prize|union|manuscript|volcano|glacier|peak|capital|name|names|title|brand|district|borough|theory|law|event|festival)$/,
    'name',
  ],
];
