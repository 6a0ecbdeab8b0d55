/**
 * What a speaker states about themself, so that an avatar can remember it for that speaker. Conservative on purpose:
 * a question, a guess, a wish, another's words or a mood is no fact; a negation is kept as one or not at all.
 * It never guesses beyond the words, and it never keeps secrets such as passwords and card numbers.
 */
import { upperFirst } from '../text/letters.ts';
import { FOREIGN_FACTS } from './stated-fact-languages.ts';
import {
  ATTRIBUTES,
  DEMONYM,
  type FactKind,
  HABITS,
  MONTH,
  NOT_NAMES,
  OWNED,
  PASSING,
  RELATIONS,
  STATES,
} from './stated-fact-words.ts';

export type { FactKind };

/** One stated fact. */
export interface StatedFact {
  kind: FactKind;
  /** What it is about, lower case: '' or "dog" or "favourite colour". */
  about: string;
  /** The value in the speaker's words: "Ada", "in Paris", "two sisters". */
  value: string;
  /** Third person: "The speaker's name is Ada." */
  sentence: string;
}

/** Facts taken from one text at most. */
export const MAX_FACTS_PER_TEXT = 5;
/** A longer value is prose, not a fact. */
const MAX_VALUE_CHARS = 90;

const SECRET = /\b(?:password|passcode|pin|cvv|cvc|iban|ssn|social security|card number|credit card|api key|token)\b/i;
const UNSURE =
  /\b(?:if|maybe|perhaps|might|wish|pretend|imagine|suppose|supposed|let's say|not sure|guess|probably|would|could|should|used to|joking|kidding|hypothetically|as though|said|says|once upon|in the story|my character)\b/i;
const FILLER =
  /^(?:(?:and|but|so|well|oh|ah|yes|yeah|yep|no|nope|ok|okay|hi|hello|hey|hiya|greetings|good (?:morning|evening|afternoon|day)|actually|also|anyway|by the way|btw|you know|look|listen|to be honest|honestly|in fact|just so you know|for your information|fyi|thanks|thank you|sure|right|nice to meet you|pleased to meet you|(?:please )?(?:remember|note|know)(?: that)?|i(?:'d| would) like you to know(?: that)?|there|everyone|captain|friend|plus|because|cause|since|as you know)\b[\s,:;-]*)+/i;
const ASIDE_AT_END = /,? (?:by the way|btw|actually|in fact|though|you know|if you (?:must|want to) know)$/i;
const QUESTION =
  /^(?:what|who|whom|whose|where|when|why|how|which|do|does|did|am|is|are|was|were|can|could|will|would|should|shall|have|has|may|might)\b/i;

/** Contractions opened, typographic apostrophes straightened: the patterns below see one spelling. */
export function plainEnglish(text: string): string {
  return text
    .replace(/[’‘ʼ]/g, "'")
    .replace(/\bi'?m\b/gi, 'I am')
    .replace(/\bi've\b/gi, 'I have')
    .replace(/\bmy name's\b/gi, 'my name is')
    .replace(/\b(do|does|did|is|are|was|were|have|has|had|ca|wo)n['’]?t\b/gi, (_, verb: string) =>
      verb === 'ca' ? 'can not' : verb === 'wo' ? 'will not' : `${verb} not`,
    )
    .replace(/\bi have got\b/gi, 'I have')
    .replace(/\bi got (?=a |an |two |three |\d)/gi, 'I have ');
}

const ABBREVIATION = /\b(St|Mr|Mrs|Ms|Dr|Mt|Ft|Prof)\. /g;
/** Stands for the full stop of an abbreviation while sentences are separated. */
const ABBREVIATION_DOT = '\u2024';

/** The statements of a text, one clause each, questions and quoted speech left out. */
function clauses(text: string): string[] {
  const found: string[] = [];
  // Runs of blanks first: the patterns below try each way to share one out, which takes seconds for 500 blanks.
  const spaced = text.replace(/[^\S\n]+/g, ' ').replace(/(?: ?\n)+ ?/g, '\n');
  const joined = plainEnglish(spaced).replace(ABBREVIATION, `$1${ABBREVIATION_DOT} `);
  for (const sentence of joined.match(/[^.!?;\n]+(?:\.(?=\w)[^.!?;\n]*)*[.!?;\n]*/g) ?? []) {
    if (/\?/.test(sentence) || /["“”«»]/.test(sentence) || SECRET.test(sentence)) continue;
    const parts = sentence.split(/\s*(?:[,:–—-]+\s|,?\s+(?:and|but|because|so|plus|while)\s+)(?=(?:I|my)\s)/i);
    for (const part of parts) {
      const clause = part
        .replace(FILLER, '')
        .replace(/[\s.!;,]+$/, '')
        .replace(ASIDE_AT_END, '')
        .trim();
      if (!clause || QUESTION.test(clause) || UNSURE.test(clause)) continue;
      found.push(clause.replaceAll(ABBREVIATION_DOT, '.'));
    }
  }
  return found;
}

/** What a pattern found: the whole of it, and its groups, '' for one that took no part. */
type Found = [whole: string, first: string, second: string, third: string];

type Rule = [pattern: RegExp, make: (match: Found) => (Omit<StatedFact, 'sentence'> & { says: string }) | null];

const VALUE = '([^,]+(?:, [^,]+)*)';
const NUMBER =
  '(\\d{1,3}|[a-z]+teen|ten|eleven|twelve|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ][a-z]+)?)';
const ADVERB =
  '(?:(?:really|absolutely|also|still|just|always|usually|often|currently|now|simply|totally|truly|actually|originally|mostly|particularly|especially|very much) )*';
const HOW_MANY = '(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,3}|several|some|no)';

function fact(kind: FactKind, about: string, value: string, says: string) {
  return { kind, about, value, says };
}

function rule(pattern: string, make: Rule[1]): Rule {
  return [new RegExp(`^${pattern}$`, 'iu'), make];
}

const RULES: Rule[] = [
  rule(
    `(?:my name is|my first name is|I am called|I go by|you (?:can|may) call me|please call me|call me) (.+)`,
    (m) => {
      const lowerAllowed = !/^(?:you|please|call)/i.test(m[0]);
      const name = properName(m[1], lowerAllowed);
      return name ? fact('name', '', name, `The speaker's name is ${name}`) : null;
    },
  ),
  rule(`(?:I am|this is) (\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+){0,2}?)(?: here)?`, (m) => {
    const name = properName(m[1], false);
    const taken = !name || DEMONYM.test(name.toLowerCase()) || STATES.has(name.toLowerCase());
    return taken ? null : fact('name', '', name, `The speaker's name is ${name}`);
  }),
  rule(`I (?:am|just turned|turned) ${NUMBER}(?: years? old| years of age| today| now)*`, (m) =>
    fact('age', '', m[1], `The speaker is ${m[1]} years old`),
  ),
  rule(`(?:I am|I come|I was) ${ADVERB}from ${VALUE}`, (m) => fact('origin', '', m[1], `The speaker is from ${m[1]}`)),
  rule(`I (grew up|was raised) (?:in|on|near) ${VALUE}`, (m) =>
    fact('origin', '', m[2], `The speaker ${m[1].toLowerCase()} ${m[0].match(/\b(?:in|on|near)\b/i)?.[0]} ${m[2]}`),
  ),
  rule(`my (?:birthday|birth date|date of birth) is (?:on )?${VALUE}`, (m) =>
    fact('birthday', '', m[1], `The speaker's birthday is ${m[1]}`),
  ),
  rule(`I was born (on|in) (.*(?:${MONTH}|\\d{4}).*)`, (m) =>
    fact('birthday', '', m[2], `The speaker was born ${m[1].toLowerCase()} ${m[2]}`),
  ),
  rule(`I was born in ${VALUE}`, (m) => fact('origin', '', m[1], `The speaker was born in ${m[1]}`)),
  rule(
    `I (?:live|reside|am living|am based) ${ADVERB}((?:in|at|near|on|with|outside|by|next to|close to|alone) ?.*)`,
    (m) => fact('home', '', m[1], `The speaker lives ${m[1]}`),
  ),
  rule(`I work ${ADVERB}((?:as|at|for|in|with|on) .+)`, (m) => fact('job', '', m[1], `The speaker works ${m[1]}`)),
  rule(`my (?:job|profession|occupation|work) is ${VALUE}`, (m) =>
    fact('job', '', m[1], `The speaker's job is ${m[1]}`),
  ),
  rule(`my favou?rite ([\\p{L} -]{2,30}?) (is|are) ${VALUE}`, (m) =>
    NOT_NAMES.has(firstWord(m[3])) && !/^(?:the|a|an|my|all|blue)\b/i.test(m[3])
      ? null
      : fact('favourite', `favourite ${m[1].toLowerCase()}`, m[3], `The speaker's favourite ${m[1]} ${m[2]} ${m[3]}`),
  ),
  rule(
    `I ${ADVERB}(?:do not|can not|hate|dislike|detest|loathe|despise)(?: ${ADVERB}(like|love|enjoy|stand))? ?(.+)`,
    (m) => {
      const hates = /^I [^ ]*\s?(?:hate|dislike|detest|loathe|despise)/i.test(m[0]);
      if (!m[1] && !hates) return null;
      return liking(m[2]) ? fact('dislike', '', m[2], `The speaker does not like ${m[2]}`) : null;
    },
  ),
  rule(
    `I ${ADVERB}(?:like|love|enjoy|adore|prefer|am (?:really |very )?(?:fond of|into|keen on|passionate about|a (?:big |huge )?fan of)) ${ADVERB}(.+)`,
    (m) => (liking(m[1]) ? fact('like', '', m[1], `The speaker likes ${m[1]}`) : null),
  ),
  rule(
    `my ([\\p{L}-]+(?: [\\p{L}-]+)?)(?:'s name is| is (?:called|named)| are (?:called|named)|s' names are|s are (?:called|named)) ${VALUE}`,
    (m) =>
      RELATIONS.has(lastWord(m[1])) || OWNED.has(lastWord(m[1]))
        ? fact('named', m[1].toLowerCase(), m[2], sentenceOfNamed(m))
        : null,
  ),
  rule(
    `my ([\\p{L}-]+(?: [\\p{L}-]+)??) (?:is )?(\\p{Lu}[\\p{L}'-]+)(?: ((?:lives|works|is|was|loves|likes|has|plays|studies) .+))?`,
    (m) => {
      if (!RELATIONS.has(lastWord(m[1])) || !/\p{Lu}/u.test(m[2].charAt(0)) || DEMONYM.test(m[2].toLowerCase()))
        return null;
      return fact(
        'named',
        m[1].toLowerCase(),
        m[2],
        `The speaker's ${m[1]}${m[3] ? ` ${m[2]} ${m[3]}` : ` is called ${m[2]}`}`,
      );
    },
  ),
  rule(`my ([\\p{L}-]+(?: [\\p{L}-]+)?) (is|are|was|has|lives|works|loves|likes|died|passed away) ?(.*)`, (m) => {
    const noun = lastWord(m[1]);
    const verb = m[2].toLowerCase();
    const lasting =
      ATTRIBUTES.has(noun) || RELATIONS.has(noun) || (OWNED.has(noun) && verb === 'is' && /^an? /i.test(m[3]));
    if (!lasting || (!m[3] && !/died|passed/.test(verb)) || passing(m[3])) return null;
    return fact('attribute', m[1].toLowerCase(), m[3] || verb, `The speaker's ${m[1]} ${verb} ${m[3]}`.trim());
  }),
  rule(
    `I have (${HOW_MANY} (?:[\\p{L}-]+ ){0,2}?)([\\p{L}'-]+)((?:,| called| named| and| who| with| to| from).*)?`,
    (m) => {
      const noun = m[2].toLowerCase();
      if (!RELATIONS.has(noun) && !OWNED.has(noun)) return null;
      return fact('has', noun, `${m[1]}${m[2]}${m[3]}`, `The speaker has ${m[1]}${m[2]}${m[3]}`);
    },
  ),
  rule(`I have (diabetes|asthma|epilepsy|adhd|autism|dyslexia|arthritis)`, (m) =>
    fact('has', m[1].toLowerCase(), m[1], `The speaker has ${m[1]}`),
  ),
  rule(
    `I am ${ADVERB}(not )?(allergic to .+|married to .+|engaged to .+|(?:learning|studying|writing|training for|planning to|saving for) .+)`,
    (m) => fact('is', firstWord(m[2]).toLowerCase(), m[2], `The speaker is ${m[1]}${m[2]}`),
  ),
  rule(`I am ${ADVERB}(not )?((?:an?|the) (.+))`, (m) => {
    if (PASSING.has(firstWord(m[3]).toLowerCase()) || PASSING.has(lastWord(m[3])) || m[1]) return null;
    return fact('is', '', m[2], `The speaker is ${m[2]}`);
  }),
  rule(`I am ${ADVERB}(not )?([\\p{L}-]+(?: [\\p{L}-]+)?)`, (m) => {
    const state = m[2].toLowerCase();
    if (!STATES.has(state) && !DEMONYM.test(state) && !/^(?:gluten|lactose)/.test(state)) return null;
    return fact('is', '', m[2], `The speaker is ${m[1]}${m[2]}`);
  }),
  rule(`I ${ADVERB}(do not|never) (${HABITS}) (.+)`, (m) => {
    if (passing(m[3])) return null;
    const how = m[1].toLowerCase() === 'never' ? `never ${third(m[2])}` : `does not ${m[2].toLowerCase()}`;
    return fact('habit', m[2].toLowerCase(), m[3], `The speaker ${how} ${m[3]}`);
  }),
  rule(
    `I ${ADVERB}(study|play|speak|teach|collect|own|run|drive|grow|paint|write|coach|breed|sing|ride|practi[sc]e|follow|support|sell|keep|cook|bake) (.+)`,
    (m) => (passing(m[2]) ? null : fact('habit', m[1].toLowerCase(), m[2], `The speaker ${third(m[1])} ${m[2]}`)),
  ),
];

function sentenceOfNamed(match: Found): string {
  const many = /\bare\b/i.test(match[0]);
  return `The speaker's ${match[1]}${many && /s are/i.test(match[0]) && !match[1].endsWith('s') ? 's' : ''} ${many ? 'are' : 'is'} called ${match[2]}`;
}

const firstWord = (text: string): string => text.replace(/ .*$/s, '');
const lastWord = (text: string): string => text.toLowerCase().replace(/^.* /s, '');

/** A person's name from what follows "my name is", or null. */
function properName(text: string, lowerAllowed: boolean): string | null {
  const parts = text.split(/\s+/);
  const [first = ''] = parts;
  if (parts.length > 3 || !parts.every((part) => /^[\p{L}][\p{L}\p{M}'.-]*$/u.test(part))) return null;
  if (NOT_NAMES.has(first.toLowerCase()) || /ing$/.test(first)) return null;
  const capital = /^\p{Lu}/u.test(first);
  if (!capital && (!lowerAllowed || parts.length > 2)) return null;
  if (capital && parts.slice(1).some((part) => !/^\p{Lu}|^(?:van|von|de|der|da|di|del|la|le|bin|al)$/u.test(part)))
    return null;
  return capital ? parts.join(' ') : parts.map(upperFirst).join(' ');
}

/** Liking "it", "this idea" or "how you talk" says nothing that lasts. */
function liking(object: string): boolean {
  return !/^(?:it|this|that|these|those|you|your|him|her|them|how|what|when|where|who|why|the way|the idea|to know|to hear|to ask|to see you|being here|talking (?:to|with) you)\b/i.test(
    object,
  );
}

/** Objects that point at the moment: "it", "that", "late". */
function passing(value: string): boolean {
  return /^(?:it|this|that|these|those|you|your|so|too|very|really|here|there|late|later|away|out of|know|want|think|have to|ready|ok|okay|fine|dead|broken|gone|missing|sick|ill|tired|crying|sleeping|asleep|coming|going|killing|driving|making|being|annoying|angry|mad|hungry|on|in trouble|late)\b/i.test(
    value,
  );
}

/** The third person singular of a plain English verb. */
function third(verb: string): string {
  const plain = verb.toLowerCase();
  if (plain === 'have') return 'has';
  if (/(?:[sxz]|ch|sh|o)$/.test(plain)) return `${plain}es`;
  return /[^aeiou]y$/.test(plain) ? `${plain.slice(0, -1)}ies` : `${plain}s`;
}

/** In the third person the speaker's own "my" becomes "their". */
function their(sentence: string): string {
  return sentence
    .replace(/\bmy\b/gi, 'their')
    .replace(/\bmyself\b/gi, 'themself')
    .replace(/\bI am\b/g, 'they are')
    .replace(/\bI\b/g, 'they')
    .replace(/\bme\b/g, 'them')
    .replace(/\s+/g, ' ');
}

/** The facts a text states about its speaker, at most `MAX_FACTS_PER_TEXT`, each once. Never throws. */
export function statedFacts(text: string): StatedFact[] {
  const found = new Map<string, StatedFact>();
  for (const clause of clauses(text)) {
    for (const [pattern, make] of RULES) {
      const match = pattern.exec(clause);
      const made = match && make([match[0], match[1] ?? '', match[2] ?? '', match[3] ?? '']);
      if (!made || made.value.length > MAX_VALUE_CHARS) continue;
      const sentence = `${their(made.says)}.`;
      found.set(sentence, { kind: made.kind, about: made.about, value: made.value, sentence });
      break;
    }
    if (found.size >= MAX_FACTS_PER_TEXT) break;
  }
  return found.size > 0 ? [...found.values()] : foreignFacts(text).facts;
}

/** What a fact of another language is in the third person; the value stays in the speaker's words. */
const IN_ENGLISH: Partial<Record<FactKind, (value: string, about: string) => string>> = {
  name: (value) => `The speaker's name is ${value}`,
  home: (value) => `The speaker lives in ${value}`,
  origin: (value) => `The speaker is from ${value}`,
  age: (value) => `The speaker is ${value} years old`,
  job: (value) => `The speaker works as ${value}`,
  like: (value) => `The speaker likes ${value}`,
  dislike: (value) => `The speaker does not like ${value}`,
  named: (value, about) => `The speaker's ${about} is called ${value}`,
  favourite: (value, about) => `The speaker's favourite ${about} is ${value}`,
  has: (value) => `The speaker has ${value}`,
};

/** Where a value of English says "in Paris" and "as a nurse", the value of another language is bare. */
const BEFORE: Partial<Record<FactKind, string>> = { home: 'in ', job: 'as ' };

/**
 * The facts a text in another language than English states about its speaker, and that language; none for a text of no
 * known form. Questions and quotations state nothing.
 */
export function foreignFacts(text: string): { language?: string; facts: StatedFact[] } {
  const told = (text.slice(0, MAX_FOREIGN_CHARS).match(/[^.!?\n。！？؟]+[.!?\n。！？؟]*/g) ?? []).filter(
    (sentence) => !/[?？؟"“”«»]/.test(sentence) && !SECRET.test(sentence),
  );
  for (const [language, rules] of Object.entries(FOREIGN_FACTS)) {
    const facts = new Map<string, StatedFact>();
    for (const sentence of told) {
      for (const [kind, pattern] of rules) {
        const match = pattern.exec(sentence.trim());
        const value = match?.findLast((group) => group !== undefined)?.trim();
        if (!match || !value || facts.size >= MAX_FACTS_PER_TEXT) continue;
        const about = match.length > 2 ? (match[1] ?? '').toLowerCase() : '';
        const says = IN_ENGLISH[kind]?.(value, about);
        if (says)
          facts.set(kind + about, { kind, about, value: `${BEFORE[kind] ?? ''}${value}`, sentence: `${says}.` });
      }
    }
    if (facts.size > 0) return { language, facts: [...facts.values()] };
  }
  return { facts: [] };
}
/** Longer texts are prose, not what a speaker says of themself. */
const MAX_FOREIGN_CHARS = 600;

/**
 * A remembered sentence as its speaker once said it: "The speaker lives in Paris." -> "I live in Paris."; undefined for
 * a memory that is not of that form.
 */
export function asSpeakerSaid(memory: string): string | undefined {
  if (!/^the speaker(?:'s)?\b/i.test(memory)) return undefined;
  return memory
    .replace(/\btheir\b/gi, 'my')
    .replace(/\bthemself\b/gi, 'myself')
    .replace(/^the speaker's\b/i, 'My')
    .replace(/^the speaker is\b/i, 'I am')
    .replace(/^the speaker was\b/i, 'I was')
    .replace(/^the speaker has\b/i, 'I have')
    .replace(/^the speaker does not\b/i, 'I do not')
    .replace(
      /^the speaker (never )?(\w+)/i,
      (_, never: string | undefined, verb: string) => `I ${never ?? ''}${bare(verb)}`,
    );
}

/** Undoes `third`. Past tenses have no -s and stay. */
export function bare(verb: string): string {
  if (/[^aeiou]ies$/.test(verb) && verb.length > 4) return `${verb.slice(0, -3)}y`;
  if (/(?:sses|xes|zzes|ches|shes|oes)$/.test(verb)) return verb.slice(0, -2);
  return /[^su]s$|[aeo]us$/.test(verb) ? verb.slice(0, -1) : verb;
}
