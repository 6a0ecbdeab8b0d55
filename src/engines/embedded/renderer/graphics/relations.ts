/** What carries what: how a thing that a text names is on, in, worn or held by another. */
import type { Act } from './art/index.ts';
import type { Role } from './nouns.ts';

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
  /** How: on its back or seat, looking out of it, behind it as at a table, in its hand or before it. Default: on it. */
  how?: 'on' | 'in' | 'at' | 'held' | 'worn';
  /** "A man repairing a car": the sprite of what it is close to. */
  by?: string;
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
  `(?: (?!(?:in|on|at|by|with|from|to|into|under|over|for|of|reading|holding|playing|eating|drinking|carrying|wearing|watching)\\b)\\p{L}[\\p{L}'-]*){0,${most}}$`;
const ON = new RegExp(`\\b(?:on top of|on|onto|atop|riding|rides|aboard)${UP_TO(4)}`, 'u');
const IN = new RegExp(`\\b(?:in|inside)${UP_TO(3)}`, 'u');
const FROM = new RegExp(`\\bfrom${UP_TO(3)}`, 'u');
const HELD = new RegExp(
  `\\b(?:holding|holds|hug(?:ging|s)?|cuddling|carry(?:ing)?|carries|with|drink(?:ing|s)?|eat(?:ing|s)?|read(?:ing|s)?|play(?:ing|s)?|using|selling|wielding|having|waving|swinging|making|serving|offering|brewing|pouring|toss(?:ing|es)|throw(?:ing|s)|juggl(?:ing|es)|steal(?:ing|s)|bit(?:ing|es)|chew(?:ing|s)|lick(?:ing|s)|shar(?:ing|es)|mend(?:ing|s)|deliver(?:ing|s)|tak(?:ing|es)|us(?:ing|es)|planting|wearing|wears)(?: (?:an?|the|some) (?:cup|glass|mug|bottle|bowl|plate|slice|piece|bunch) of)?${UP_TO(3)}`,
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
  const text = gap.join(' ').replace(MEASURE, '').trim();
  if (previous) bringClose(previous, subject, text);
  // "A sword and a shield": in the same hands; "a hat and a broom": on the same head, or in its hands.
  const isBorne = previous?.how === 'held' || previous?.how === 'worn';
  if (isBorne && isLightEnough(subject) && /^(?:,|, and|and)(?: an?| the)?(?: \p{L}+)?$/u.test(text)) {
    Object.assign(subject, { on: previous.on, how: WORN_ON_HEAD.has(subject.sprite) ? 'worn' : 'held' });
    return;
  }
  const isShaded = subject.sprite === 'umbrella' && /\bunder\b/.test(text);
  if (!previous || /[,.;]|\b(?:and|between|behind|beside|near|next)\b/.test(text)) return;
  if (/\bunder\b/.test(text) && !isShaded) return;
  const { sprite, role } = subject;
  if (text === 'of' && VESSELS.has(previous.sprite) && /^(?:plant|thing)$/.test(role)) {
    Object.assign(subject, { on: at, how: 'in' });
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
  } else if (
    previous.sprite === 'own:table' &&
    previous.on === undefined &&
    /\bwith\b/.test(text) &&
    isLightEnough(subject)
  )
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
  else if ((isFree || (mover.role === 'plant' && mover.on === undefined)) && IN.test(text) && VESSELS.has(sprite))
    Object.assign(mover, { on: at + 1, how: 'in' });
  else if (isFree && IN.test(text) && RIDEABLE.has(sprite) && role !== 'animal')
    Object.assign(mover, { on: at + 1, how: 'on' });
  else if (role === 'animal' && subject.height <= 1 && IN_ARMS.test(text) && previous.role === 'person')
    Object.assign(subject, { on: at, how: 'held' });
  else if (HELD.test(text) && isLightEnough(subject) && found[holder] && isHolder(found[holder]))
    hold(found, holder, subject);
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

/** "A mechanic repairing a car", "a dog next to its kennel": the one that moves stands beside the other. */
function bringClose(previous: Subject, subject: Subject, text: string): void {
  if (!CLOSE.test(text) || /[.;]/.test(text)) return;
  const goes = (one: Subject): boolean => LIVING.test(one.role) || isHolder(one) || one.role === 'thing';
  if (goes(previous) && !HEAVY.has(previous.sprite)) previous.by = subject.sprite;
  else if (goes(subject)) subject.by = previous.sprite;
}

const MEASURE = /\b(?:pile|stack|heap|mountain|pair|couple) of\b(?=(?: \p{L}+)?$)/u;
const AT = new RegExp(`\\b(?:at|behind|around)${UP_TO(3)}`, 'u');
const CLOSE = new RegExp(
  `\\b(?:looking (?:through|into|at)|peering (?:through|into)|repair(?:ing|s)|fix(?:ing|es)|wash(?:ing|es)|clean(?:ing|s)|paint(?:ing|s)|build(?:ing|s)|writ(?:ing|es) on|drawing on|point(?:ing|s) at|lean(?:ing|s) (?:on|against)|push(?:ing|es)|pull(?:ing|s)|water(?:ing|s)|feed(?:ing|s)|pet(?:ting|s)?|milk(?:ing|s)|groom(?:ing|s)|walk(?:ing|s)|kick(?:ing|s)|chas(?:ing|es)|sniff(?:ing|s)|eat(?:ing|s)|kiss(?:ing|es)|talk(?:ing|s) (?:to|with)|propos(?:ing|es) to|danc(?:ing|es) with|play(?:ing|s)(?: with)?|operat(?:ing|es)|driv(?:ing|es)|cooking (?:at|on)|(?:standing|sitting|waiting|working|parked) (?:by|at|near)|next to|beside|close to|(?<!\\bwith )at|by)${UP_TO(3)}`,
  'u',
);
const HOLDS = /\b(?:holding|holds|carrying|carries|planting|waving|drinking|eating|reading|playing)\b/;
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
const canCarry = ({ sprite, role }: Subject, rider: Subject): boolean =>
  sprite !== rider.sprite &&
  (RIDEABLE.has(sprite) ||
    (/^(?:animal|vehicle|boat)$/.test(role) &&
      LIVING.test(rider.role) &&
      !(rider.role === 'person' && TAKEN_ALONG.has(sprite))) ||
    ((role === 'plant' || sprite === 'fallen-leaf') &&
      /^(?:butterfly|honeybee|lady-beetle|bug|snail)$/.test(rider.sprite)) ||
    (sprite === 'lotus' && rider.sprite === 'own:frog') ||
    (role === 'thing' && !LIGHT.has(sprite)));

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
]);
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
  'chess-pawn fire own:branch own:beehive own:blackboard rock wood own:picnic own:scarecrow own:trampoline own:grill own:wall own:brick-wall own:fridge own:stove own:washer own:armchair own:rocking-chair own:lamppost own:table own:bench own:fence own:swing own:campfire own:sandcastle own:stroller tornado bus-stop umbrella-on-ground bed person-in-bed couch-and-lamp chair bathtub toilet musical-keyboard television desktop-computer file-cabinet slot-machine shopping-cart treasure-chest coffin headstone own:lamp own:robot printer harp ladder oil-drum fuel-pump mirror goal-net playground-slide closed-mailbox-with-raised-flag postbox telescope microscope wastebasket'.split(
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
]);
