/**
 * Which words of a prompt name a thing at all, and what is drawn for those that no noun of ours lists: the nearest thing
 * above it in WordNet ("labradoodle" is a dog, "armchair" a chair), or nothing. Adjectives, moods, verbs, materials, words
 * about the image itself and parts of every place are no things: no prompt is refused for them.
 */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { built } from '../../../ports/built.ts';
import { COLOUR_WORDS } from './colour.ts';
import { IRREGULAR_PLURALS, LEXICON, plural } from './nouns.ts';
import { isCalling } from './sitter.ts';
import { ABSTRACT, MOODS, PLACES, type Place, SEASONS, STYLES, TIMES, WEATHERS } from './vocabulary.ts';

/** Seen in any place, on any body, or of which something is made: part of what is drawn beside it. */
const PARTS = new Set(
  `nook sky skies sun moon star starlight sunlight sunshine moonlight daylight sunbeam ray horizon ground floor ceiling
wall corner roof rooftop door doorway window curtain stair steps path trail track pavement bridge pier dock
shoreline coastline sand dune snow ice rock stone boulder pebble cliff hill hilltop hillside slope ridge valley
canyon mountain mountainside mountaintop peak summit volcano island river riverbank stream creek lake pond ocean
sea coast bay wave water surface foam spray splash grass lawn reeds moss vine bush bushes hedge shrub flora
fauna leaf leaves foliage branch branches twig log trunk root petal blossom bloom bed wilderness landscape mount
nova diner nature chimney engine scenery countryside pasture plain field meadow clearing glade grove
forest jungle desert oasis canopy garden park yard backyard courtyard square plaza street road lane alley avenue
highway sidewalk crosswalk town village city cities skyline skyscraper building tower structure architecture room
interior exterior kitchen bedroom bathroom library office studio hall corridor attic basement cellar balcony
terrace porch patio cafe café coffeehouse restaurant bar pub shop store bookshop bookstore bakery cottage table
desk counter countertop shelf shelves plate tray bowl basket vase pot fireplace hearth windowsill sill fence reef
seabed rainbow cloud aurora galaxy galaxies nebula comet meteor meteorite world planet crater universe shadow
reflection silhouette light lantern lamppost streetlight lamp spotlight neon sign hair beard moustache mustache
eyebrow fur feathers wing tail mane horn paw claw beak eye ear nose mouth lips face head hand arm leg foot feet
finger body skin shoulder back lap freckles tooth teeth scale fin clothes clothing outfit costume suit shirt
t-shirt jacket coat sweater hoodie jumper blouse dress skirt gown robe uniform trousers pants jeans shorts cape
cloak scarf hat cap hood helmet gloves boots shoes socks belt tie armor armour apron kimono sunglasses spectacles
bikini swimsuit raincoat jewelry jewellery necklace earrings wetsuit spacesuit wood timber metal steel iron bronze
brass copper gold silver glass crystal marble concrete brick ceramic porcelain clay paper cardboard leather velvet
silk satin cotton wool denim fabric cloth canvas plastic rubber wax ink oil pastel chalk charcoal pencil crayon
paint watercolor watercolour acrylic gouache felt lace thread yarn dust mud sugar cream butter chocolate syrup
sauce icing frosting glitter confetti sparkles bokeh particle bubble smoke steam mist fog haze fire flame spark
ember campfire bonfire firework food meal breakfast lunch dinner dessert snack drink home house school university
college weather harvest strap buckle collar sleeve button pocket handle lid rim runway catwalk hallway finish waterhole
card postcard banner invitation invite flyer rug carpet doormat cave cavern grotto greenhouse conservatory stage theatre theater veranda
lab harbor harbour jetty wharf marina quay boardwalk playground`
    .split(/\s+/)
    .concat('finish line', 'cutting board', 'chopping board'),
);
/** About the image itself, its shapes and moods, or said for want of words: an image without any thing is what was asked for. */
const ABOUT = new Set(
  `pan tilt zoom dolly gimbal tripod drone steadicam handheld timelapse time-lapse hyperlapse footage reel trailer montage
cut transition fade crossfade flight glide sweep orbit tracking opening closing ending intro outro flyover fly-through parallax colour color burst riot explosion touch hint front background foreground middle center centre edge side top bottom end view angle perspective distance closeup
shot photo photograph photography snapshot picture image painting drawing illustration artwork art sketch render
rendering print poster wallpaper icon logo sticker emoji clipart graphic cartoon comic anime manga mural collage
diorama miniature toy still life portrait scene style detail texture pattern shape line circle square triangle
cube sphere spiral dot stripe grid border frame lens camera film movie video footage clip animation loop gif
shutter focus exposure format resolution quality masterpiece composition design concept vintage retro modern
classic antique baroque gothic impressionist expressionist surrealist realist cubist minimalist minimal native
giant midget dwarf blonde blond brunette redhead thing something anything everything nothing someone somebody
somewhere element object item piece part bit kind type sort way place spot area space product subject model
character being human crowd group friend inspiration fantasy dream magic miracle feeling feel vibe mood atmosphere
ambience breeze wind storm rain raindrop snowflake snowfall drizzle thunder lightning sunset sunrise dawn dusk
night evening morning afternoon day weather song sound christmas halloween easter holiday birthday summer winter
spring autumn fall tropics paradise heaven hell innovation passage progress
prompt foo bar baz abc xyz asdf qwerty lorem ipsum dolor sit amet random`.split(/\s+/),
);

/** What is drawn for words that mean many things, and for some whose meaning WordNet has elsewhere. */
const NEAREST: Readonly<Record<string, string>> = {
  pupil: 'child',
  schoolchild: 'child',
  schoolboy: 'child',
  schoolgirl: 'child',
  infant: 'child',
  newborn: 'child',
  grandchild: 'child',
  devil: 'person',
  spy: 'person',
  mime: 'person',
  commuter: 'person',
  queen: 'woman',
  princess: 'woman',
  nun: 'woman',
  bride: 'woman',
  animal: 'deer',
  wildlife: 'deer',
  pet: 'dog',
  creature: 'dragon',
  monster: 'dragon',
  insect: 'butterfly',
  vehicle: 'car',
  plant: 'potted plant',
  toy: 'teddy bear',
  ball: 'football',
  baby: 'child',
  santa: 'man',
  'santa claus': 'man',
  cardinal: 'bird',
  robin: 'bird',
  swallow: 'bird',
  labradoodle: 'dog',
  goldendoodle: 'dog',
  cockapoo: 'dog',
  'lone wolf': 'wolf',
  'notre dame': 'church',
  groom: 'man',
  bridegroom: 'man',
  barista: 'person',
  viking: 'man',
  streamer: 'person',
  clown: 'person',
  dracula: 'man',
  judge: 'person',
  fireman: 'man',
  lumberjack: 'man',
  rapper: 'person',
  mage: 'person',
  butcher: 'person',
  climber: 'person',
  builder: 'person',
  cashier: 'person',
  barber: 'man',
  tailor: 'person',
  team: 'people',
  crew: 'people',
  choir: 'people',
  audience: 'people',
  grandma: 'woman',
  grandpa: 'man',
  mom: 'woman',
  sister: 'woman',
  wife: 'woman',
  girlfriend: 'woman',
  aunt: 'woman',
  brother: 'man',
  husband: 'man',
  boyfriend: 'man',
  uncle: 'man',
  mum: 'woman',
  dad: 'man',
  latte: 'coffee',
  tesla: 'car',
  bmw: 'car',
  audi: 'car',
  porsche: 'car',
  ferrari: 'car',
  lamborghini: 'car',
  mercedes: 'car',
  volkswagen: 'car',
  cadillac: 'car',
  chevrolet: 'car',
  chevy: 'car',
  corvette: 'car',
  bentley: 'car',
  'rolls-royce': 'car',
  bugatti: 'car',
  honda: 'car',
  nissan: 'car',
  fiat: 'car',
  limousine: 'car',
  dough: 'bread',
  meatball: 'falafel',
  crib: 'bed',
  cot: 'bed',
  cradle: 'bed',
  metro: 'train station',
  subway: 'train station',
  monitor: 'desktop computer',
  toyota: 'car',
  'harley davidson': 'motorcycle',
  'harley-davidson': 'motorcycle',
  ducati: 'motorcycle',
  vespa: 'scooter',
  boeing: 'airplane',
  airbus: 'airplane',
  iphone: 'smartphone',
  smartphone: 'smartphone',
  macbook: 'laptop',
  playstation: 'game controller',
  xbox: 'game controller',
  'coca-cola': 'soda',
  coke: 'soda',
  pepsi: 'soda',
  heineken: 'beer',
  budweiser: 'beer',
  guinness: 'beer',
  gamer: 'person',
  youtuber: 'person',
  influencer: 'person',
  vlogger: 'person',
  blogger: 'person',
  podcaster: 'person',
  tiktoker: 'person',
  freelancer: 'person',
  cosplayer: 'person',
  zeus: 'man',
  thor: 'man',
  odin: 'man',
  hercules: 'man',
  pegasus: 'unicorn',
  orc: 'person',
  batman: 'superhero',
  superman: 'superhero',
  'spider-man': 'superhero',
  spiderman: 'superhero',
  hero: 'superhero',
  heroine: 'superhero',
  teacup: 'cup',
  treehouse: 'house',
  rover: '',
  'phone booth': '',
  'telephone booth': '',
  'phone box': '',
  throne: 'chair',
  carriage: '',
  seahorse: '',
  pouch: '',
};

const TABLES = [PLACES, TIMES, WEATHERS, SEASONS, MOODS, STYLES] as const;
/** What the sky may have. */
const IN_SKY = /^(?:rainbows?|suns?|moons?|stars?|clouds?|aurora|comets?)$/;

/** A word that ends what came before it: nothing behind it is described by what stands before. */
const SMALL = new Set(
  `a an the this that these those my your his her its our their some any no every each all both one two three four five six
seven eight nine ten eleven twelve many several few more most other another such and or but nor so yet if when while where
who whom whose which what as than then too very of in on at by for from to into onto with without within over under above
below between among through across along around about after before behind beside besides near off out up down upon against
toward towards during inside outside beneath beyond next like is are was were be been being am do does did has have had can
could will would shall should may might must not it he she they them him us we i you me there here just only also even
called named titled made full set lit based`.split(/\s+/),
);

/** A word that no thing's name is made of, or punctuation. */
export const isSmall = (token: string): boolean => SMALL.has(token) || !/\p{L}/u.test(token);

let known: Map<string, string> | undefined;
let abstracts: Set<string> = new Set();
let otherNouns: Set<string> = new Set();
const named = new Map<string, Place | ''>();

/** Read at first need: 50 000 words, 0.2 MB packed. Empty: no thing that can be drawn is near. */
function thingWords(): Map<string, string> {
  if (known) return known;
  const packed = readFileSync(built('src/engines/embedded/renderer/graphics/thing-words.json.br'));
  const {
    '-': abstract = '',
    '+': others = '',
    ...things
  } = JSON.parse(brotliDecompressSync(packed).toString()) as Record<string, string>;
  abstracts = new Set(abstract.split(','));
  otherNouns = new Set(others.split(','));
  const rows = Object.entries(things).map(([near, words]) => [near, words.split(',')] as const);
  known = new Map(rows.flatMap(([near, words]) => (near.startsWith('@') ? [] : words.map((word) => [word, near]))));
  for (const [place, names] of rows)
    if (place.startsWith('@')) for (const name of names) named.set(name, place.slice(1) as Place | '');
  for (const [word, near] of Object.entries(NEAREST)) known.set(word, near);
  return known;
}

/** Nouns that name nothing to be seen: "time", "silence". */
function abstractWords(): ReadonlySet<string> {
  thingWords();
  return abstracts;
}

/** Where a city, a lake or a land of that name is; '' for a name that stands for no place of ours. */
export function placeCalled(name: string): Place | '' | undefined {
  thingWords();
  return named.get(name);
}

/** The word as the list has it, and whether it stood in the plural. */
function listed(word: string): { near: string; isPlural: boolean } | undefined {
  const things = thingWords();
  const near = things.get(word) ?? (isCalling(word) ? 'person' : undefined);
  if (near !== undefined) return { near, isPlural: false };
  const singulars = [
    IRREGULAR_PLURALS.get(word) ?? '',
    word.replace(/ves$/, 'f'),
    word.replace(/ves$/, 'fe'),
    word.replace(/s$/, ''),
    word.replace(/es$/, ''),
    word.replace(/ies$/, 'y'),
    word.replace(/men$/, 'man'),
  ];
  for (const one of singulars) {
    const found = one !== word && plural(one).length >= word.length - 1 ? things.get(one) : undefined;
    if (found !== undefined) return { near: found, isPlural: true };
  }
  const [, first = '', last = ''] = COMPOUND.exec(word) ?? [];
  if (first && !otherNouns.has(word) && (LEXICON.has(first) || things.has(first) || isNoThing(first)))
    return { near: last.replace(/s$/, ''), isPlural: /s$/.test(last) };
  return undefined;
}

/** Put together of two, and in no dictionary: a kind of what its end means ("campervan"). */
const COMPOUND =
  /^(\p{L}{3,12}?)((?:van|truck|boat|ship|book|bottle|lantern|bike|house|hut|chair|lamp|hat|cake|tree|flower|fish|bird|dog)s?)$/u;

const isIn = (words: ReadonlySet<string>, word: string) => words.has(word) || words.has(word.replace(/s$/, ''));

/** True for what is no thing of its own: a mood, a material, a part of every place, a word about the image. */
const isNoThing = (word: string): boolean => isIn(PARTS, word) || isUnseen(word);

/** True for a word that asks for no thing at all: an image of it may show none. */
export const isUnseen = (word: string): boolean =>
  isIn(ABOUT, word) ||
  COLOUR_WORDS.has(word.replace(/s$/, '')) ||
  abstractWords().has(word) ||
  IN_SKY.test(word) ||
  ABSTRACT.test(word) ||
  TABLES.some((rows) => rows.some(([, words]) => words.test(word)));

/** What a noun may be described by is itself a noun: "kitchen" in "a kitchen table". */
const isNoun = (tokens: readonly string[], at: number): boolean => {
  const word = tokens[at];
  if (word === undefined || isSmall(word) || isVerb(word)) return false;
  return isThing(word);
};

/** True for a word that names something in English, drawn or not. */
export const isThing = (word: string): boolean => LEXICON.has(word) || isNoThing(word) || listed(word) !== undefined;

/** Words of which names are made: "santa", "claus". */
const IN_NAMES = new Set(Object.keys(NEAREST).flatMap((name) => name.split(/[ -]/)));

const isKnown = (word: string): boolean =>
  isThing(word) || IN_NAMES.has(word) || isUnseen(word) || otherNouns.has(word) || placeCalled(word) !== undefined;
/** Ends of words that are put together of two: "streetlamp". */
const SHORTEST = 4;
const LONGEST = 24;

/** True for an English noun or a known name, drawn or not; else it is another name, a slip of the pen, or no noun. */
export function isHeardOf(word: string): boolean {
  const singular = word
    .replace(/'s$/, '')
    .replace(/ies$/, 'y')
    .replace(/([sxz]|[cs]h)es$/, '$1')
    .replace(/s$/, '');
  if (isKnown(word) || isKnown(singular)) return true;
  const parts = word.split('-');
  if (parts.length > 1) return parts.every((part) => part.length < 3 || isSmall(part) || isHeardOf(part));
  if (singular.length > LONGEST) return false;
  for (let cut = 3; cut <= singular.length - SHORTEST; cut++)
    if (isKnown(singular.slice(0, cut)) && isKnown(singular.slice(cut))) return true;
  return /(?:scape|core|wave)s?$/.test(word);
}

/** Verbs in -ing say what a person does and name no thing: "landing", "casting". */
const isVerb = (word: string): boolean =>
  /(?:\p{L}{4}|bak|mak|rid|tak|giv|hid|liv|rac|sav|fac|bik|hik|us|eat)ing$/u.test(word) &&
  !/^(pudding|dumpling|duckling|starling|sapling|railing|herring|gosling|earring|stocking|hatchling)$/.test(word);

/** A thing that a text names and no noun lists. */
export interface Thing {
  /** The word as it is in the text. */
  word: string;
  /** How many tokens of the text it takes. */
  length: number;
  isPlural: boolean;
  /** A word of the noun list; empty: nothing near it can be drawn. */
  near: string;
}

/** What was done to something says how it is. */
const DONE_TO = /\p{L}{3}(?:ed|en)$/u;

/** The unlisted thing that tokens name at a place; undefined where they name none. Punctuation is a token of its own. */
export function thingAt(tokens: readonly string[], at: number): Thing | undefined {
  for (let length = Math.min(3, tokens.length - at); length > 0; length--) {
    const words = tokens.slice(at, at + length);
    if (length === 1 && isVerb(words[0] as string)) return undefined;
    if (words.some((word) => SMALL.has(word) || isNoThing(word)) || isNoThing(words.join(' '))) continue;
    const found = listed(words.join(' '));
    // "A boiled egg" is an egg, where the two are no thing that can be drawn.
    if (found?.near === '' && length > 1 && DONE_TO.test(words[0] as string) && LEXICON.has(words.at(-1) as string))
      continue;
    if (!found || isNoun(tokens, at + length)) continue;
    return { word: words.join(' '), length, ...found };
  }
  return undefined;
}
