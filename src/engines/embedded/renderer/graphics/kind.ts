/**
 * Which kind of image a prompt asks for: a person's portrait, an animal's, a place, a thing, or nothing that can be
 * recognised. By rule, from the wording alone.
 */
import { headOf } from './animal-heads.ts';
import { LEXICON } from './nouns.ts';
import { type Subject, WORN_WORDS } from './relations.ts';
import { isDressed, isOfLooks, namesPerson, saysLooks } from './sitter.ts';
import { readSubjects } from './subjects.ts';
import { ABSTRACT, type Place, SEASONS, TIMES, WEATHERS } from './vocabulary.ts';

/** What a prompt asks for: a person, a person's head on a body of its own, a place, a thing, or a mood. */
export type ImageKind = 'portrait' | 'bust' | 'scene' | 'object' | 'abstract';

const PERSON =
  /\b(man|woman|boy|girl|guy|lady|gentleman|person|king|queen|prince|princess|wizard|witch|knight|warrior|doctor|nurse|teacher|chef|scientist|pirate|detective|viking|soldier|businessman|businesswoman|grandmother|grandfather|grandma|grandpa|actor|actress|singer|elf|vampire|professor|streamer|gamer|model|punk|hipster|samurai|ninja|astronaut portrait|librarian|captain|sailor|monk|nun|teenager|human|character|avatar|engineer|programmer|fisherman|farmer|clown|vampire|dracula|zombie|judge|lawyer|vet|veterinarian|astronomer|pilot|fire ?fighter|fireman|police ?(man|woman|officer)|dancer|student|baker|butler|magician|mechanic|plumber|electrician|surgeon|dentist|philosopher|writer|author|historian|journalist|photographer|gardener|lumberjack|cowboy|cowgirl|bride|groom|emperor|empress|duke|duchess|priest|president|geisha|rapper|superhero(ine)?|santa( claus)?|artist|musician|poet|barista|athlete|sorcerer|mage|hero|heroine)\b/;
/** Words that ask for a portrait. */
export const PORTRAIT =
  /\b(portraits?|head ?shot|selfie|close-?up of (a|an|the|my)? ?\w* ?(face|man|woman)|face of|avatar|profile (picture|photo)|mugshot|bust of)\b/;
/** A person seen from afar: then the scene is the image and the person a figure in it. */
const FIGURE =
  /\b(walk(s|ing)?|running|runs|surf(s|ing)?|sail(s|ing)?|climb(s|ing)?|cycling|biking|riding|rides|skiing|hiking|dancing|sitting|stand(s|ing) (on|in|by|near|under)|swimming|playing|silhouettes?|in the distance|lone|tiny|watching|fishing|crowd|jumping|meditating|strolling|flying|floating|driving|fighting|racing|exploring|crossing|cooking|working|sleeping|reading|waving|holding hands|costume)\b/;
const FACE =
  /\b(hair(ed)?|eyes|eyed|beard(ed)?|m(o)?ustache|glasses|smil(e|ing)|freckles|wearing|young|old|elderly|wise|face|skin|blonde?|brunette|redhead|ginger|bald)\b/;

/** Drawn flat, on no ground. */
const FLAT = /\b(?:icons?|stickers?|emojis?|pictograms?|clip ?art)\b/;
/** Weather that things are out in. */
const OUT_IN =
  /\b(?:in|through|under|during|after) (?:an? |the )?(?:\p{L}+ )?(?:rain|snow|storm|thunderstorm|blizzard|fog|mist|wind)\b/u;

/** What a face does, or a portrait shows of itself: all else that a person is doing is seen from afar. */
const FACIAL =
  /^(?:smiling|laughing|grinning|frowning|crying|weeping|winking|blushing|staring|looking|gazing|posing|facing|singing|talking|speaking|listening|shouting|screaming|whispering|thinking|feeling|wearing|holding|having|being|showing|including|using|loving|caring|glowing|shining|flowing|balding|ageing|aging)$/;
const isBusy = (text: string): boolean =>
  (
    text.match(
      /(?<=\b(?:man|woman|boy|girl|guy|lady|person|who is|\p{L}+(?:er|or|ist|ian|man|mother|father|ma|pa|ant|ent)|chef|nurse|king|queen|knight|monk|elf|witch|vet|judge)s? (?:(?:with|in) (?:an? |his |her |the )?(?:\p{L}+ ){1,2})?)\p{L}{3,}ing\b(?! (?:\p{L}+ )?(?:eyes?|hair|smile|face|skin|beard|locks|curls|teeth|earrings?|lights?|background)\b)/gu,
    ) ?? []
  ).some((word) => !FACIAL.test(word));

/** A thing that is at home in no place, or a plant in one. */
const isStill = ({ role, how, word }: Subject): boolean =>
  (role === 'thing' && LEXICON.get(word)?.noun.home === undefined) || (role === 'plant' && how === 'in');

/** A thing on furniture or in a vessel is a still life, also where it grows outdoors by itself. */
const ON_TABLE = /\b(on|in) (a|the|my) (\w+ )?(table|desk|plate|shelf|counter|pedestal|vase|bowl)\b/;

/** Where a text says what its sitter is: "You are a cat", "You are Bella, a sheep", "Portrait of Tom. A cat who ...". */
const TOLD = [
  /\byou are (an? [^.,;:!?\n]*)/,
  /\byou are (?:called |named )?[\p{L}'’-]+(?:,| the) ([^.,;:!?\n]*)/u,
  /\bportrait of [^.,;:!?\n]*[.,;:!?\n]+\s*(an? [^.,;:!?\n]*)/,
];

/**
 * What a portrait is of: the nouns next to the word itself, or what the sitter is said to be ("Portrait of Tom. You are a
 * cat."). What its text goes on to describe is not its sitter.
 */
function sittersOf(whole: string): string[] {
  const text = withoutTitleDots(whole);
  const of = /\b(?:portraits?|photo|selfie|close-?up|face|avatar|picture|mugshot|bust)s? of ([^.,;:!?\n]*)/.exec(
    text,
  )?.[1];
  const told = TOLD.map((pattern) => pattern.exec(text)?.[1] ?? '');
  return [of ?? (/^[^.,;:!?\n]*/.exec(text)?.[0] as string), ...told].map((phrase) =>
    (
      phrase.split(
        /\b(?:with|in|on|who|that|at|by|and|near|beside|wearing|holding|against|before|from|called|named|of|for|to|about)\b/,
      )[0] ?? ''
    )
      .replace(/\b(portraits?|head ?shot|selfie|close-?up|face|avatar|picture|photo|mugshot)\b/g, ' ')
      .trim(),
  );
}

const withoutTitleDots = (text: string): string => text.replace(/\b(mrs?|ms|dr|prof|st|sir)\./g, '$1');

/** Up to what its sitter does: those whom a personality helps, serves or loves are not in its portrait. */
const openingOf = (text: string): string =>
  (/^[^.!?\n]*/.exec(withoutTitleDots(text))?.[0] ?? '').split(/\b(?:who|whom|whose|which|that)\b/)[0] as string;

/** What an animal may be without being less of one: "a rat chef" is a rat, "a dog trainer" no dog. */
const CALLINGS =
  /^(?:kings?|queens?|prince|princess|chef|cook|baker|barista|professor|teacher|student|scholar|librarian|philosopher|poet|scientist|doctor|nurse|detective|spy|inspector|pirate|captain|sailor|pilot|astronaut|magician|wizard|witch|sorcerer|mage|knight|ninja|samurai|viking|cowboy|sheriff|judge|lawyer|banker|butler|gentleman|musician|singer|rapper|dj|painter|artist|engineer|programmer|hacker|gamer|superhero|monk|explorer|sage|oracle|emperor|empress|mayor|boss|ceo)$/;
const CLERGY =
  /\bcardinals?\b(?=.*\b(?:church|vatican|rome|pope|catholic|bishops?|conclave|faith|priest|mass|parish)\b)|\b(?:church|vatican|catholic)\b.*\bcardinals?\b/;

/** The animal that a phrase is about, where a calling follows it ("an owl professor"). */
function beastIn(phrase: string): Subject | undefined {
  const [calling = '', ...before] = phrase.split(' ').reverse();
  const animal = before[0] ?? '';
  if (!CALLINGS.test(calling) || /^dragons?$/.test(animal)) return undefined;
  return readSubjects(before.reverse().join(' ')).find(({ word, sprite }) => word === animal && headOf(sprite));
}

/** What is no person at the end of a noun phrase, where its head is: a dog trainer is no dog. */
function namedAtEnd(phrase: string): Subject | undefined {
  const named = phrase.replace(/(?: \p{L}+(?:ed|born|grown))+$/u, '');
  return readSubjects(named).find(({ role, word }) => role !== 'person' && named.endsWith(word));
}

function kindOfPortrait(text: string): ImageKind {
  // One face is a portrait's; a selfie of friends shows them all.
  const opening = openingOf(text);
  if (isSeveral(opening, readSubjects(opening))) return 'scene';
  const sitters = sittersOf(text);
  // What the sitter is said to be goes before what it wears or loves.
  const [, ...told] = sitters;
  const isBeast = sitters.some(beastIn) || told.some((phrase) => headOf(namedAtEnd(phrase)?.sprite ?? ''));
  if (isBeast && !CLERGY.test(text)) return 'bust';
  if (
    CLERGY.test(text) ||
    PERSON.test(text.replace(/\bavatar\b/g, ' ')) ||
    sitters.some((phrase) => BEINGS.test(phrase))
  )
    return 'portrait';
  for (const phrase of sitters) {
    const subject = namedAtEnd(phrase);
    if (subject) return headOf(subject.sprite) ? 'bust' : 'scene';
  }
  return 'portrait';
}

/** They have a face of their own where one is asked for; elsewhere they are figures. */
const BEINGS =
  /\b(robots?|androids?|cyborgs?|droids?|aliens?|extraterrestrials?|martians?|astronauts?|cosmonauts?|spaceman)\b/;

const OWNERS = /\p{L}+'s(?= \p{L})/gu;

/** People of no calling of their own. */
const USUAL = /^(?:person-walking|man-standing|woman-standing|child)$/;

/** One drawing of several people. */
const PAIRS = /^(?:family|couple|woman-and-man|people-|kiss)/;

/** "A dentist with a smiling child" is two; "an old man, a pirate" one. */
function isSeveral(text: string, subjects: Subject[]): boolean {
  const people = subjects.filter(({ role }) => role === 'person');
  if (people.some(({ count, sprite }) => count > 1 || PAIRS.test(sprite))) return true;
  return people
    .slice(1)
    .some(({ word }) =>
      new RegExp(`\\b(?:and|with) (?:an?|the|h(?:is|er)|their) (?:\\p{L}+ ){0,2}${word}\\b`, 'u').test(text),
    );
}

const isWorn = (word: string): boolean => WORN_WORDS.test(word) || isOfLooks(word);
const isNotWorn = ({ word }: Subject): boolean => !isWorn(word);

/** @param text lower case, without the words to letter. @param place the one it names */
export function chooseKind(text: string, subjects: Subject[], place: Place | undefined): ImageKind {
  if (PORTRAIT.test(text)) return kindOfPortrait(text);
  if (ABSTRACT.test(text) && subjects.length === 0) return 'abstract';
  const [sitter = ''] = sittersOf(text);
  const isLookedAt = FACE.test(text) || saysLooks(text);
  const figure = subjects.find(({ role, word }) => role === 'person' && sitter.endsWith(word));
  // Who is drawn as what they are, a dancer as dancing, is better seen whole.
  const isUsual = !figure || USUAL.test(figure.sprite);
  const isNamed = namesPerson(sitter) || (isLookedAt && (figure !== undefined || BEINGS.test(sitter)));
  // A soldier's helmet is no soldier.
  const isPerson = (PERSON.test(text.replace(OWNERS, ' ')) || (isUsual && isNamed)) && !isSeveral(text, subjects);
  // What a person wears is part of the portrait, and what they are made of: "a robot chef".
  const isOfSitter = ({ word }: Subject) => isWorn(word) || BEINGS.test(word);
  const others = subjects.filter((one) => one.role !== 'person' && !(isPerson && isOfSitter(one)));
  if (!place && !FIGURE.test(text) && beastIn(sitter) && others.filter(isNotWorn).length === 1) return 'bust';
  if (isPerson && !FIGURE.test(text) && !isBusy(text) && others.length === 0 && (!place || FACE.test(text))) {
    return 'portrait';
  }
  // Scenes have no clothes for animals.
  const [animal, ...more] = others.filter(isNotWorn);
  const isAnimal = animal?.count === 1 && more.length === 0 && headOf(animal.sprite) !== undefined;
  const isAlone = subjects.every(
    ({ role, word }) => role !== 'person' || /\bdressed (?:up )?(?:as|like) /.test(text.split(word)[0] as string),
  );
  if (isAnimal && isAlone && !place && !FIGURE.test(text) && isDressed(text)) return 'bust';
  if (ON_TABLE.test(text) && subjects.length > 0 && others.every(({ role }) => role === 'thing' || role === 'plant'))
    return 'object';
  if (place || /\bfireworks\b/.test(text)) return 'scene';
  if (subjects.length > 0) {
    // A plane on an icon is in no sky; what stands in the rain is out of doors.
    if (FLAT.test(text) && subjects.every(({ role }) => role !== 'person')) return 'object';
    const isLaid = subjects.some((one) => one.role === 'thing' && isStill(one));
    // Cut flowers lie beside a cake.
    const isCut = ({ role, height }: Subject) => isLaid && role === 'plant' && height < 1;
    return subjects.every((one) => isStill(one) || isCut(one)) && !OUT_IN.test(text) ? 'object' : 'scene';
  }
  if ([TIMES, WEATHERS, SEASONS].some((rows) => rows.some(([, p]) => p.test(text))) || /\brainbows?\b/.test(text))
    return 'scene';
  return 'abstract';
}
