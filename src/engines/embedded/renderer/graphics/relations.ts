/** What carries what: how a thing that a text names is on, in, worn or held by another. */
import type { Act } from './art/index.ts';
import type { Role } from './nouns.ts';

/** Where something is of what it is close to. */
export type Side = 'under' | 'over' | 'behind' | 'before' | 'between';

/** Something that a text names and that is drawn. `height` is in metres. */
export interface Subject {
  /** The word of the prompt. */
  word: string;
  sprite: string;
  role: Role;
  height: number;
  /** How many of it, 1 to 12. */
  count: number;
  /** '#rrggbb' when the prompt colours it. */
  colour?: string;
  /** "colourful balloons": each of another colour. */
  isVaried?: boolean;
  size?: 'big' | 'small';
  /** Of a person: the words about it. */
  phrase?: string;
  /** Of a person in a scene. */
  act?: Act;
  /** "a cat on a horse": index of the subject it stands on or in, or that holds it. */
  on?: number;
  /** How: on its back or seat, looking out of it, behind it as at a table, in its hand or before it, or below it. Default: on it. */
  how?: 'on' | 'in' | 'at' | 'held' | 'worn' | 'hung';
  /** "A man repairing a car": the sprite of what it is close to. */
  by?: string;
  /** What else it is between. */
  and?: string;
  /** Where it is of that; default: beside it. */
  side?: Side;
  /** Of a being, what else it does. */
  pose?: 'asleep' | 'jumping';
  /** Before a window of a room. */
  isOnSill?: true;
  /** Taken out of an image since: it keeps its place, and is not seen. */
  isGone?: true;
  /** What stands on it, looks out of it or is held by it, once that is known (`loaded`). */
  load?: Subject[];
}

/** Those that are wanted; what stood on, or was held by, one that is not stands by itself. */
export function only(subjects: Subject[], isWanted: (subject: Subject) => boolean): Subject[] {
  const kept = subjects.filter(isWanted);
  return kept.map(({ on, how, ...rest }) => {
    const host = on === undefined ? -1 : kept.indexOf(subjects[on] as Subject);
    return host < 0 ? rest : { ...rest, on: host, ...(how ? { how } : {}) };
  });
}

/** What stands or lies by itself, each with what it carries. */
export const loaded = (subjects: Subject[]): Subject[] =>
  subjects.flatMap((subject, i) => {
    if (subject.on !== undefined && subjects[subject.on]) return [];
    return [withLoad(subjects, i)];
  });

/** A subject with what it carries, and what that carries. */
function withLoad(subjects: Subject[], at: number, above: readonly number[] = []): Subject {
  const subject = subjects[at] as Subject;
  const load = subjects.flatMap(({ on }, i) =>
    on === at && !above.includes(i) ? [withLoad(subjects, i, [...above, at])] : [],
  );
  return load.length > 0 ? { ...subject, load } : subject;
}

const LIVING = /^(?:animal|person|flyer|swimmer)$/;
/** Words up to the noun: no other preposition is among them ("on a plate with a lemon"), nor what is done with it. */
const UP_TO = (most: number): string =>
  `(?: (?!(?:in|on|at|by|with|from|to|into|under|over|for|of|beside|near|behind|between|above|below|reading|holding|playing|eating|drinking|carrying|wearing|watching)\\b)\\p{L}[\\p{L}'-]*){0,${most}}$`;
const ON = new RegExp(`\\b(?:on top of|on|onto|atop|riding|rides|aboard)${UP_TO(4)}`, 'u');
const IN = new RegExp(`\\b(?:in|inside)${UP_TO(3)}`, 'u');
const FROM = new RegExp(`\\bfrom${UP_TO(3)}`, 'u');
/** "A chef tossing a pizza": what is done with hands is done to what they hold, but for these. */
const NOT_HELD =
  '(?:kick|chas|hunt|watch|look|star|gaz|fly|pass|approach|guard|fight|follow|jump|leav|enter|push|pull|sniff|smell|climb|build|repair|fix|wash|clean|water|feed|milk|groom|pet|visit|fac|cross|rid|driv|walk|stirr|hid|wear|kiss|hunt|attack|protect|rescu|sav|catch|meet|paint|explor|find|plough|plow|sit|stand|sleep|ly|lean|runn|danc|rest)';
const HELD = new RegExp(
  `\\b(?:holds|hugs|carries|with|drinks|eats|reads|plays|tosses|throws|juggles|steals|bites|chews|licks|shares|mends|delivers|takes|uses|wears|having|wearing|(?!${NOT_HELD}ing\\b)\\p{L}{2,}ing)(?: (?:an?|the|some|his|her|their|its) (?:cup|glass|mug|bottle|bowl|plate|slice|piece|bunch) of)?${UP_TO(3)}`,
  'u',
);

/**
 * Notes that a thing stands on, in or is held by another: "a mouse on an elephant", "a girl with an umbrella".
 * @param gap what stands between it and the thing before it
 * @param joined those that "and" joins to the one before: an apple and a pear in a basket are both in it
 */
export function relate(found: Subject[], subject: Subject, gap: string[], joined: ReadonlySet<Subject>): void {
  const at = found.length - 1;
  const previous = found[at];
  // "On a pile of books" is on the books.
  const text = gap.join(' ').replace(MEASURE, '').replace(PART, 'on top').trim();
  // "A cat between a dog and a horse".
  const middle = found.at(-2);
  if (middle?.side === 'between' && middle.by === previous?.sprite && /^and(?: an?| the)?(?: \p{L}+)?$/u.test(text)) {
    middle.and = subject.sprite;
    return;
  }
  // "A sword and a shield": in the same hands; "a hat and a broom": on the same head, or in its hands.
  const isBorne = previous?.how === 'held' || previous?.how === 'worn';
  // "A man with a hat under a tree": the man is under it.
  if (previous) bringClose(isBorne ? (found[previous.on as number] as Subject) : previous, subject, text);
  if (isBorne && isLightEnough(subject) && /^(?:,|, and|and)(?: an?| the)?(?: \p{L}+)?$/u.test(text)) {
    Object.assign(subject, { on: previous.on, how: WORN_ON_HEAD.has(subject.sprite) ? 'worn' : 'held' });
    return;
  }
  const isShaded = subject.sprite === 'umbrella' && /\bunder\b/.test(text);
  if (!previous || /[,.;]|\b(?:and|between|behind|beside|near|next)\b/.test(text)) return;
  const { sprite, role } = subject;
  const isFlat = FLAT.has(previous.sprite) || (HEAVY.has(previous.sprite) && !VESSELS.has(previous.sprite));
  if (isFullOf(previous, text) && FILLS.test(role) && sprite !== previous.sprite) {
    Object.assign(subject, { on: at, how: isFlat ? 'on' : 'in' });
    delete subject.by;
    return;
  }
  if (sideIn(text) && !isShaded) return;
  if (HANGS.test(text) && previous.on === undefined && previous.role !== 'building') {
    Object.assign(previous, { on: at + 1, how: 'hung' });
    return;
  }
  if (previous.role === 'building' && RAISED.test(text) && !/^(?:building|person)$/.test(role) && !LIGHT.has(sprite)) {
    Object.assign(previous, { on: at + 1, how: 'on' });
    subject.size = 'big';
    return;
  }
  const wears = /\bwear(?:ing|s)\b/.test(text) || (isHolder(previous) && /\b(?:with|in)\b/.test(text));
  if (WORN_ON_HEAD.has(sprite) && wears && (isHolder(previous) || !HEAVY.has(previous.sprite))) {
    Object.assign(subject, { on: at, how: 'worn' });
    return;
  }
  // "A king with a crown holding a cup": the king holds it.
  const own = isBorne ? (previous.on as number) : at;
  // "A woman in a dress holding a bouquet": what is named between is worn.
  const holder = !isHolder(previous) && HOLDS.test(text) ? found.findLastIndex(isHolder) : own;
  // "A man with a hat fishing from a boat": the man is in it.
  const movesAt = isBorne && (subject.role === 'boat' || HEAVY.has(sprite) || RIDEABLE.has(sprite)) ? own : at;
  const mover = found[movesAt] as Subject;
  const isFree =
    mover.on === undefined &&
    (LIVING.test(mover.role) || isHolder(mover) || (mover.role === 'thing' && !HEAVY.has(mover.sprite)));
  if (sprite === 'own:table' && AT.test(text) && isFree && (LIVING.test(mover.role) || isHolder(mover))) {
    Object.assign(mover, { on: at + 1, how: 'at' });
    for (const one of found)
      if (one.on === movesAt && one.how === 'held' && mover.role !== 'person')
        Object.assign(one, { on: at + 1, how: 'on' });
  } else if (FLAT.has(previous.sprite) && /\bwith\b/.test(text) && isLightEnough(subject))
    Object.assign(subject, { on: at, how: 'on' });
  else if (sprite === 'own:puddle' && isFree && (IN.test(text) || ON.test(text)))
    Object.assign(mover, { on: at + 1, how: 'on' });
  else if (sprite === 'own:picnic' && isFree && LIVING.test(mover.role))
    Object.assign(mover, { on: at + 1, how: 'on' });
  else if ((sprite === 'own:flag' || sprite === 'fire') && /\bwith\b/.test(text) && BUILT.test(previous.role))
    Object.assign(subject, { on: at, how: 'on' });
  else if (sprite === 'own:bridge' && previous.on === undefined && isCrosser(previous) && CROSSES.test(text))
    Object.assign(previous, { on: at + 1, how: 'on' });
  else if ((BOARDS.has(sprite) || sprite === 'broom') && ON.test(text) && isHolder(previous))
    Object.assign(subject, { on: at, how: 'held' });
  else if (sprite === 'umbrella' && /\bunder\b/.test(text) && isHolder(mover))
    Object.assign(subject, { on: movesAt, how: 'held' });
  else if (isFree && role === 'boat' && FROM.test(text)) Object.assign(mover, { on: at + 1, how: 'on' });
  else if (isFree && ON.test(text) && canCarry(subject, mover)) Object.assign(mover, { on: at + 1, how: 'on' });
  else if (isBorne && IN.test(text) && VESSELS.has(sprite)) {
    // "Brewing a potion in a cauldron": who does it is beside it.
    Object.assign(previous, { on: at + 1, how: 'in' });
    Object.assign(mover, { by: sprite });
  } else if ((isFree || (mover.role === 'plant' && mover.on === undefined)) && IN.test(text) && VESSELS.has(sprite))
    Object.assign(mover, { on: at + 1, how: 'in' });
  else if (isFree && IN.test(text) && RIDEABLE.has(sprite) && role !== 'animal')
    Object.assign(mover, { on: at + 1, how: 'on' });
  else if (isFree && mover.role !== 'person' && IN_TREE.test(text) && role === 'plant' && subject.height > 2)
    Object.assign(mover, { on: at + 1, how: 'on' });
  else if (isFree && IN.test(text) && (role === 'thing' || role === 'vehicle') && isHollow(subject, mover))
    Object.assign(mover, { on: at + 1, how: 'in' });
  else if (role === 'animal' && subject.height <= 1 && IN_ARMS.test(text) && previous.role === 'person')
    Object.assign(subject, { on: at, how: 'held' });
  else if (HELD.test(text) && isLightEnough(subject) && found[holder] && isHolder(found[holder]))
    hold(found, holder, subject);
  // What carries it, or is carried by it, is not beside it as well.
  const bearer = subject.on === undefined ? undefined : found[subject.on];
  if (bearer?.by === sprite) delete bearer.by;
  if (mover.on === at + 1 && mover.by === sprite) delete mover.by;
  if (mover.on === at + 1) joinWith(found, movesAt, joined);
}

/** What an animal at a table has is on the table. */
function hold(found: Subject[], at: number, thing: Subject): void {
  const { how, on, role } = found[at] as Subject;
  Object.assign(thing, how === 'at' && role !== 'person' ? { on, how: 'on' } : { on: at, how: 'held' });
}

/** Those that are named with it are where it is. */
function joinWith(found: Subject[], at: number, joined: ReadonlySet<Subject>): void {
  const { on, how, role } = found[at] as Subject;
  for (let i = at; i > 0 && joined.has(found[i] as Subject); i--) {
    const other = found[i - 1] as Subject;
    const isAlike = LIVING.test(role) === LIVING.test(other.role) && (LIVING.test(role) || isLightEnough(other));
    if (other.on !== undefined || !isAlike) return;
    delete other.by;
    Object.assign(other, { on, ...(how ? { how } : {}) });
  }
}

/** "A mechanic repairing a car", "a dog under a table": the one that moves is there, seen from the other. */
function bringClose(previous: Subject, subject: Subject, text: string): void {
  if (/[.;]/.test(text)) return;
  const side = sideIn(text);
  if (!side && !CLOSE.test(text) && !DOES_TO.test(text)) return;
  const goes = (one: Subject): boolean => (side ? one.role !== 'building' : GOES.test(one.role) || isHolder(one));
  if (goes(previous) && (side || !HEAVY.has(previous.sprite)))
    Object.assign(previous, { by: subject.sprite, ...(side ? { side } : {}) });
  else if (goes(subject))
    Object.assign(subject, { by: previous.sprite, ...(side ? { side: SEEN_FROM[side] ?? side } : {}) });
}
const GOES = /^(?:animal|person|flyer|swimmer|thing)$/;
/** Where the second is, where the first is so of it. */
const SEEN_FROM: Partial<Record<Side, Side>> = { under: 'over', over: 'under', behind: 'before', before: 'behind' };

/** What a text says of where one is of the next. The first that matches wins. */
const SIDES: readonly (readonly [Side, RegExp])[] = (
  [
    ['between', 'between'],
    ['behind', '(?:looking|peek(?:ing|s)|peering|peers) over|behind'],
    ['before', 'in front of|before|lean(?:ing|s|t)? (?:on|against)|against'],
    ['under', 'under(?:neath)?|beneath|below'],
    ['over', 'over|above'],
  ] as const
).map(([side, words]) => [side, new RegExp(`\\b(?:${words})${UP_TO(3)}`, 'u')]);
const sideIn = (text: string): Side | undefined => SIDES.find(([, words]) => words.test(text))?.[0];

/** "On the back of a turtle" is on it. */
const PART = /\bon the (?:back|top|tip|head|lid|roof|ridge) of\b/u;
const MEASURE = /\b(?:pile|stack|heap|mountain|pair|couple) of\b(?=(?: \p{L}+)?$)/u;
const HANGS = new RegExp(
  `\\b(?:hang(?:s|ing)|swing(?:s|ing)|dangl(?:es|ing)|suspended|hung)(?: upside down)? (?:from|on|off)${UP_TO(3)}`,
  'u',
);
/** "A house on a mushroom", "a castle on a turtle's back": on what is no ground. */
const RAISED = new RegExp(`^(?:built |standing |sitting |perched |balanced )?(?:on top of|on|atop)${UP_TO(3)}`, 'u');
const AT = new RegExp(`\\b(?:at|behind|around)${UP_TO(3)}`, 'u');
/** What is done to a thing is done beside it, unless a hand holds it. */
const DOES_TO = /^(?:is |are )?(?!with|hav|wear|includ)\p{L}{2,}ing (?:an?|the|his|her|its|their)(?: \p{L}+){0,2}$/u;
const CLOSE = new RegExp(
  `\\b(?:looking (?:through|into|at)|peering (?:through|into)|repair(?:ing|s)|fix(?:ing|es)|wash(?:ing|es)|clean(?:ing|s)|paint(?:ing|s)|build(?:ing|s)|writ(?:ing|es) on|drawing on|point(?:ing|s) at|push(?:ing|es)|pull(?:ing|s)|water(?:ing|s)|feed(?:ing|s)|pet(?:ting|s)?|milk(?:ing|s)|groom(?:ing|s)|walk(?:ing|s)|kick(?:ing|s)|chas(?:ing|es)|sniff(?:ing|s)|eat(?:ing|s)|kiss(?:ing|es)|talk(?:ing|s) (?:to|with)|propos(?:ing|es) to|danc(?:ing|es) with|play(?:ing|s)(?: with)?|operat(?:ing|es)|driv(?:ing|es)|cooking (?:at|on)|(?:standing|sitting|waiting|working|parked) (?:by|at|near)|next to|beside|near|close to|around|(?<!\\bwith )at|by)${UP_TO(3)}`,
  'u',
);
const HOLDS = /\b(?:holding|holds|carrying|carries|planting|waving|drinking|eating|reading|playing)\b/;
/** "A chest full of coins", "a bowl of red cherries". */
const isFullOf = ({ sprite, role }: Subject, text: string): boolean =>
  role === 'thing' &&
  (FULL_OF.test(text) ||
    ((VESSELS.has(sprite) || FLAT.has(sprite)) && /^of(?: \p{L}+){0,2}$/u.test(text)) ||
    (VESSELS.has(sprite) && sprite !== 'bathtub' && sprite !== 'bouquet' && HAS_IN.test(text)));
/** "A vase with seven tulips". */
const HAS_IN = /^(?:\p{L}+ )?(?:with|holding|containing)(?: (?!(?:on|in|beside|next|on|behind)\b)\p{L}+){0,3}$/u;
const FULL_OF = new RegExp(`\\b(?:full of|filled with|overflowing with|packed with)${UP_TO(3)}`, 'u');
const FILLS = /^(?:plant|thing|animal|swimmer)$/;
const IN_TREE = new RegExp(`\\b(?:in|inside|from|up|on)${UP_TO(3)}`, 'u');
/** Whether the other is in it, rather than wearing it. */
const isHollow = ({ sprite, word, role }: Subject, mover: Subject): boolean =>
  mover.sprite !== sprite &&
  !LIGHT.has(sprite) &&
  !WORN_WORDS.test(word) &&
  (role === 'thing' || mover.role !== 'vehicle');
const BUILT = /^(?:building|boat|vehicle)$/;
const CROSSES = /\b(?:cross(?:ing|es)|over|on|across)(?: \p{L}+){0,3}$/u;
const isCrosser = ({ role, sprite }: Subject): boolean =>
  LIVING.test(role) || role === 'vehicle' || sprite === 'bicycle';
const IN_ARMS = /\b(?:holding|holds|hugging|hugs|cuddling|carrying|carries)(?: \p{L}+){0,3}$/u;

/** Whether a hand holds it. */
export const isLightEnough = ({ role, sprite }: Subject): boolean =>
  (role === 'thing' && !HEAVY.has(sprite)) || sprite === 'balloon' || sprite === 'fish';
/** Who can hold and wear things. */
export const isHolder = ({ role, sprite }: Subject): boolean =>
  LIVING.test(role) || /^own:(?:robot|astronaut|alien)$/.test(sprite);

/** Whether something stands on it rather than beside it. */
const canCarry = ({ sprite, role, colour }: Subject, rider: Subject): boolean =>
  (sprite !== rider.sprite || colour !== rider.colour) &&
  (RIDEABLE.has(sprite) ||
    (role === 'building' && rider.role === 'animal' && !HIGH.has(sprite)) ||
    (/^(?:animal|vehicle|boat)$/.test(role) &&
      LIVING.test(rider.role) &&
      !(rider.role === 'person' && TAKEN_ALONG.has(sprite))) ||
    ((role === 'plant' || sprite === 'fallen-leaf') &&
      /^(?:butterfly|honeybee|lady-beetle|bug|snail)$/.test(rider.sprite)) ||
    (sprite === 'lotus' && rider.sprite === 'own:frog') ||
    (role === 'thing' && !LIGHT.has(sprite)));

/** Too tall for what stands on them to be seen. */
const HIGH = new Set(['tokyo-tower', 'office-building', 'own:fuji', 'volcano', 'own:waterfall', 'statue-of-liberty']);

/** Stood on: who is on one holds it, under the feet. */
export const BOARDS: ReadonlySet<string> = new Set(['own:skateboard', 'kick-scooter']);
/** What figures ride is part of them. */
const TAKEN_ALONG = new Set(['bicycle', 'own:skateboard', 'kick-scooter', 'own:surfboard']);
/** Flat or small: nothing stands on it. */
const LIGHT = new Set([
  'coin',
  'fallen-leaf',
  'maple-leaf',
  'guitar',
  'violin',
  'microphone',
  'umbrella',
  'broom',
  'mobile-phone',
  'own:flag',
  'own:surfboard',
  'own:blackboard',
  'own:net',
]);
/** What is full of something has it on it. */
const FLAT = new Set(['own:plate', 'own:tray', 'own:table', 'own:shelf', 'own:blanket', 'own:picnic']);
/** Things that are worn. */
export const WORN_WORDS =
  /^(crown|tiara|t-shirt|tshirt|tee shirt|shirt|blouse|jean|shorts?|sock|glove|hat|top hat|cap|helmet|headphones?|glasses|sunglasses|spectacles|scarf|dress|gown|suit|jacket|coat|kimono|necklace|bracelet|earrings?|ring|watch|wristwatch|tie|necktie|bow|ribbon|mask|backpack|safety vest|life jacket|life vest|beard|moustache)(?:e?s)?$/;
/** What is open above. */
const VESSELS = new Set([
  'own:box',
  'basket',
  'bucket',
  'amphora',
  'bathtub',
  'hot-beverage',
  'shopping-cart',
  'nest-with-eggs',
  'own:bottle',
  'bouquet',
  'own:bowl',
  'own:glass',
  'own:jug',
  'own:cage',
  'own:cauldron',
  'jar',
  'wastebasket',
  'treasure-chest',
  'own:flowerpot',
]);
/** Drawn on the head or about the neck. */
export const WORN_ON_HEAD: ReadonlySet<string> = new Set([
  'top-hat',
  'crown',
  'womans-hat',
  'graduation-cap',
  'rescue-workers-helmet',
  'military-helmet',
  'glasses',
  'goggles',
  'sunglasses',
  'billed-cap',
  'scarf',
  'necktie',
  'own:bow-tie',
]);
/** Too heavy to hold. */
const HEAVY = new Set(
  'own:shelf own:cabinet own:easel own:hydrant own:hoop door shower own:bush own:birdhouse manual-wheelchair own:wheelbarrow own:cauldron building-construction chess-pawn fire own:branch own:beehive own:blackboard rock wood own:picnic own:scarecrow own:trampoline own:grill own:wall own:brick-wall own:fridge own:stove own:washer own:armchair own:rocking-chair own:lamppost own:table own:bench own:fence own:swing own:campfire own:sandcastle own:stroller tornado bus-stop umbrella-on-ground bed person-in-bed couch-and-lamp chair bathtub toilet musical-keyboard television desktop-computer file-cabinet slot-machine shopping-cart treasure-chest coffin headstone own:lamp own:robot printer harp ladder oil-drum fuel-pump mirror goal-net playground-slide closed-mailbox-with-raised-flag postbox telescope microscope wastebasket'.split(
    ' ',
  ),
);
const RIDEABLE = new Set([
  'horse',
  'own:unicorn',
  'elephant',
  'camel',
  'sailboat',
  'canoe',
  'dragon',
  'ship',
  'chair',
  'couch-and-lamp',
  'own:armchair',
  'own:rocking-chair',
  'sled',
  'manual-wheelchair',
]);
