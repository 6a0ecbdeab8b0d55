/**
 * Words for which others are read before a prompt's things are looked for: several things in one word, who plays with what is
 * played, shops, occasions, trades. Tables only, and what applies them.
 */
import { LEXICON, plural } from './nouns.ts';
import { readThings } from './subjects.ts';

const SHOP =
  '(?:caf[eé]|coffee shop|(?:flower|book|toy|candy|antique|coffee|corner) (?:shop|store)|shop|store|bakery|bar|pub|restaurant|diner|bookshop|bookstore|supermarket|pharmacy|boutique|pizzeria|deli)';

/** Animals' colours, for those who are dressed as one. */
const COATS: Readonly<Record<string, string>> = {
  dinosaur: 'green',
  't-rex': 'green',
  dragon: 'green',
  frog: 'green',
  crocodile: 'green',
  turtle: 'green',
  lion: 'golden',
  tiger: 'orange',
  fox: 'orange',
  bear: 'brown',
  monkey: 'brown',
  unicorn: 'pink',
  pig: 'pink',
  flamingo: 'pink',
  bee: 'yellow',
  duck: 'yellow',
  chicken: 'yellow',
  shark: 'grey',
  elephant: 'grey',
  mouse: 'grey',
  bat: 'black',
  penguin: 'black',
};
const costume = (all: string, animal: string): string => {
  const isAnimal = /^(?:animal|flyer|swimmer)$/.test(LEXICON.get(animal)?.noun.role ?? '');
  return isAnimal ? `in a ${COATS[animal] ?? 'white'} hoodie, a costume` : all;
};
/** Words for what grows. */
const PLANTS = [...LEXICON]
  .flatMap(([word, { noun }]) => (noun.role === 'plant' ? [word] : []))
  .concat('plants?')
  .join('|');
const GROWN: Readonly<Record<string, string>> = {
  duckling: 'a large duck',
  gosling: 'a large goose',
  kitten: 'a large cat',
  puppy: 'a large dog',
  puppie: 'a large dog',
  chick: 'a hen',
  piglet: 'a large pig',
  lamb: 'a large sheep',
  foal: 'a large horse',
  fawn: 'a large deer',
};
/** Words for several things at once, as what is seen of them. */
const ASSORTMENTS: readonly (readonly [RegExp, string | ((...groups: string[]) => string)])[] = [
  [
    /\b(?:an? |the )?crowds?(?: of people| of fans|(?= (?:at|in|on|cheering|dancing|watching|waiting)\b))/g,
    'many persons',
  ],
  [/\b(tesla|bmw|audi|mercedes|toyota|porsche|ford) (?:model )?(?:\p{L}?\d\p{L}*|[a-z])(?!\p{L})/gu, '$1'],
  [/\bskateboarding\b/g, 'on a skateboard'],
  // Who plays is seen with what is played.
  [
    /\b(?:rock|pop|folk|indie|metal|live)(?: music)? bands?(?= (?:performing|playing|performs|plays|on|at)\b)/g,
    'a man playing a guitar, a woman holding a microphone and a man playing a drum',
  ],
  [
    /\bjazz bands?(?= (?:performing|playing|performs|plays|on|at)\b)/g,
    'a man playing a saxophone, a woman holding a microphone and a man playing a trumpet',
  ],
  // "A parrot on a pirate's shoulder" shows the pirate, "a man's hair" the man.
  [
    /\b((?:an?|the) (?:\p{L}+ )?\p{L}+)(?: sitting| perched| resting| riding)? on ((?:an?|the|his|her|its) (?:\p{L}+ )?\p{L}+)'s (shoulders?|arm|hand|head|lap|back)\b/gu,
    '$2 with $1 on the $3',
  ],
  [/\b((?:an?|the|his|her) \p{L}+)'s hair\b/gu, '$1'],
  [/\b((?:putting out|fighting|extinguishing|battling) (?:an?|the) )(?:\p{L}+ )?fires?\b/gu, '$1blaze'],
  [/\b(house|building|car|barn|truck|ship|castle|forest) on fire\b/g, '$1 with a blaze'],
  [/\bburning (house|building|car|barn|truck|ship|castle|forest|city|village|skyscraper)\b/g, '$1 with a blaze'],
  [/(?<=\b(?:sitting|sits|sat|perched|standing|walking|lying|sleeping) on (?:an?|the) )wall\b/g, 'stone wall'],
  [
    new RegExp(
      `(?<=\\b(?:${PLANTS}) (?:growing |planted |standing )?in (?:an?|the|its|his|her) (?:\\p{L}+ ){0,2})pots?\\b`,
      'gu',
    ),
    'flowerpot',
  ],
  [
    /(?<=\b(?:stadium|arena|concert|match|game|team|football|soccer|cheering|screaming|sports?)\b.*)\bfans\b|\bfans\b(?=.*\b(?:stadium|arena|concert|cheering|cheer|team)\b)/g,
    'many persons',
  ],
  [
    /\b(\p{L}+|t-rex) skeletons?\b/gu,
    (all: string, animal: string) => (LEXICON.get(animal)?.noun.role === 'animal' ? `ivory ${animal}` : all),
  ],
  [/(?<=\bkitchen\b.*)\bislands?\b|\b(?:kitchen|cooking) islands?\b/g, 'counter'],
  [/\b(?:in|with) (?:\p{L}+ ){0,4}letters\b(?! (?:to|from|on)\b)/gu, ''],
  [/\bsnow ?globes?\b/g, 'crystal ball'],
  [/(?<=\bchess\b.*)\b(?:king|queen|knight|bishop|rook)\b/g, 'chess pawn'],
  [/\b(mushroom|toadstool) (house|cottage|home)\b/g, '$2 on a $1'],
  [/\b(?:\p{L}+ )?\p{L}+ (?:sitting |meditating )?in (?:an? |the )?lotus (?:position|pose)\b/gu, 'yoga'],
  // What has more of a shape than its name: dough is what it will be, syrup is on what it is poured over.
  [/\b(pizza|bread|cookie|pie) dough\b/g, '$1'],
  [/\b(?:maple|chocolate|caramel|strawberry) (?:syrup|sauce)\b/g, 'syrup'],
  [/\blatte art\b/g, 'latte'],
  [/\b(perfume|lotion|shampoo|soda|ketchup|whisk(?:e)?y) bottles?\b/g, '$1'],
  [
    /(?<=\b(?:of|serving|holding|having|carrying|mixing|making|with) (?:the |some |two |three )?)drinks?\b/g,
    'a cocktail',
  ],
  [
    /(?<!\b(?:train|railway|subway|metro|space|gas|police|fire|bus|petrol|power|weather|radio) )\bstation\b(?=.*\b(?:train|locomotive)\b)|(?<=\b(?:train|locomotive)\b.*)(?<!\b(?:train|railway|space|subway|metro|gas|police|fire|bus|petrol|power|weather|radio) )\bstation\b/g,
    'train station',
  ],
  [/(?<=\b(?:spaghetti|pasta|noodles) )(?:and|with) meat ?balls\b/g, ''],
  [/\b(snowm[ae]n) with (?:an? )?carrot noses?(?: and|,)/g, '$1 with'],
  [
    /\b(?:red|hanging|festive|glowing|floating|silk) lanterns?\b|(?<=\b(?:chinese|lunar) new year\b.*)\blanterns?\b/g,
    'paper lanterns',
  ],
  [/\b(?:gaming|office|desk|home office|streaming|pc) setups?(?= with\b)/g, 'desk'],
  [/\b(?:gaming|office|desk|home office|streaming|pc) setups?\b/g, 'desktop computer on a desk'],
  [
    /\b(?:an? |the |my )?(?:\p{L}+ )?(?:bab(?:y|ies)|child|kid|toddler|boy|girl|man|woman|person|grandm\p{L}+|grandp\p{L}+|patient)(?: (?:is )?(?:sleeping|lying|asleep|resting))? in (?:an?|the|his|her|its|my) (?:\p{L}+ )?(?:bed|crib|cot|cradle)\b/gu,
    'someone in bed in a bedroom',
  ],
  [/(?<=\b(?:on|onto|from) (?:an?|the|its|his|her) (?:(?!tree )\p{L}+ )?)(?:tree )?branch(?:es)?\b/gu, 'tree branch'],
  [/(?<=\b(?:ballerina|dancer)s?\b.*) (?:in|wearing) an? (?:\p{L}+ )?tutu\b/gu, ''],
  [/\bice rinks?\b/g, 'frozen lake'],
  [
    /\b(ice[- ]skating|figure skating|ice skates)\b(?!.*\b(?:lake|pond)\b)(?<!\b(?:lake|pond)\b.*)/g,
    '$1 on a frozen lake',
  ],
  [/\bby candle ?light\b/g, 'and a candle at night'],
  [
    /\b(?:phone |desktop |mobile |lock ?screen |iphone )*(?:wallpaper|lock ?screen|screensaver) (?:of|with|showing|featuring)(?= (?!abstract|geometric|gradients?|patterns?))/g,
    '',
  ],
  [/\bdiwali\b(?!.*\b(?:lamp|diya|candle|lantern)s?\b)/g, 'diwali with five diyas'],
  [/(?<=\bdiwali\b.*)(?<!\boil )\blamps\b|\b(?:oil|clay) lamps\b/g, 'diyas'],
  // Who is dressed as an animal is no animal: their clothes have its colour.
  [
    /\b(?:in|wearing) an? (?:\p{L}+ )?(\p{L}+|t-rex) (?:costume|onesie|suit|pyjamas|pajamas)\b|\bdressed(?: up)? (?:as|like) an? (\p{L}+|t-rex)\b/gu,
    (all: string, one = '', other = '') => costume(all, one || other),
  ],
  [/\bsuperhero (?=(?:cape|costume|suit|outfit|mask)s?\b)/g, 'red '],
  [
    /\b(?:gold)?fish (?:swimming )?in (?:an?|the|its) (?:\p{L}+ )?(?:bowl|tank|aquarium)\b|\b(?:gold)?fish ?bowl\b/gu,
    'a goldfish bowl',
  ],
  [/(?<!american )\b(?:soccer|football) player(s?)\b(?!.*\bball)/g, 'person$1 with a football in a meadow'],
  [/\b(two|three|four) (?:computer )?screens\b/g, '$1 monitors'],
  [/\bbirthday part(?:y|ies)\b(?!.*\bcake)(?=.*\bballoons?\b)/g, 'a birthday cake and a gift'],
  // Hair and callings that are named by a thing.
  [
    /(?<!\b(?:burger|hamburger|cheeseburger|sandwich|sausage|hot dog)s?\b.*)\b(?:with|in) (?:an? (?:\p{L}+ ){0,2}?bun|(?:two |double |space |twin )+buns)(?=[,.]|$| (?:and|with|wearing|in|at|holding)\b)/gu,
    'with hair',
  ],
  [
    /\b(?:news|tv|television|sports|radio|weather) (?:anchor|presenter|host|reader|reporter)(s?)\b|\b(?:newscaster|newsreader|anchor(?:wo)?man)(s?)\b/g,
    'presenter$1$2',
  ],
  [/\b(?:an? )?twin (?:pair of )?(?=(?:sister|brother|boy|girl|daughter|son)s\b)/g, 'two '],
  [
    /(?<=\b(?:tutor|teacher|coach|doctor|dentist|therapist|trainer|guide|nurse|instructor)) for (?:the |my |your |small |young )?(?:kids|children|students|beginners|seniors|adults|teens|teenagers)\b/g,
    '',
  ],
  [/\b(\p{L}+)'s (?:head|face)\b(?! (?:on|above|over)\b)/gu, '$1'],
  [/\bgolden retriever(s?)\b/g, 'golden dog$1'],
  // The young are of the kind that their mother is.
  [
    /(?<=\b(duckling|gosling|kitten|pupp(?:y|ie)|chick|piglet|lamb|foal|fawn|(?:polar bear|bear|lion|tiger|wolf|fox|panda) cub|baby (?:\p{L}+))s?\b.*)\b(?:its|their|his|her) (?:mother|mom|mum|mama|father|dad|parent)(?:'s (?:back|head|side|shoulders)|s)?(?![\p{L}'])/gu,
    (_all: string, young: string) => GROWN[young] ?? `a large ${young.replace(/^baby | cub$/g, '')}`,
  ],
  [
    /\b(?:hot dog|taco|food|coffee|ice cream|fruit|juice|flower|pretzel|kebab|newspaper|burger) (?=(?:stand|cart|kiosk|booth|stall)s?\b)/g,
    'market ',
  ],
  [/\bmarket (?:stand|cart|kiosk|booth)(?=s?\b)/g, 'market stall'],
  [/\b(?:food|ice cream|taco|coffee) (?=(?:truck|van)s?\b)/g, ''],
  [/\b(?:pianist)(?=s?\b(?! with))/g, 'musician and a piano'],
  [/(?<=\b(?:selling|holding|carrying|bringing|receiving|giving (?:him|her)) )(?:\p{L}+ )?flowers\b/gu, 'a bouquet'],
  [/\b(piles?|heaps?|mountain) of gold\b/g, 'pile of coins'],
  [/\bcamel (?:caravan|train)s?\b/g, 'four camels'],
  [/\b(?:an? )?(?:\p{L}+ )?traffic jams?\b/gu, 'many cars on a street'],
  [/(?<=\b(?:directing|stopping|controlling|in) )(?:the )?(?:\p{L}+ )?traffic\b(?! lights?)/gu, 'two cars on a street'],
  [/\btoys\b/g, 'a teddy bear and a football'],
  [/\bsoap bubbles?\b/g, 'bubbles'],
  [/(?<=\bavocado |\bbuttered |\bfrench |\bslices? of |\bon (?:\p{L}+ )?)toast\b/gu, 'bread'],
  [
    /(?<=\b(?:an?|the|old|stone|village|garden) )well(?= (?:in|on|at|with|near|by|beside|and|behind)\b|[.,;]|$)/g,
    'stone well',
  ],
  [
    /(?<=\b(?:on|onto|atop|behind|beside|near|against) (?:an?|the|two|some) (?:\p{L}+ )?)(?:rock|boulder)(?=s?\b(?! (?:bands?|concerts?|stars?)))/gu,
    'boulder',
  ],
  [/(?<=\b(?:on|over|onto) (?:an?|the) (?:\p{L}+ )?)log\b/gu, 'tree log'],
  [
    /(?:\ban? |\bthe )?\bslides?\b(?=.*\bswings?\b)|(?<=\b(?:playground|swings?)\b.*)(?:\ban? |\bthe )?\bslides?\b/g,
    'a playground slide',
  ],
  [/\bplaygrounds?\b(?! slide)(?!.*\b(?:slide|swing)s?\b)/g, 'park with a playground slide and a swing'],
  [/\bplaygrounds?\b(?! slide)/g, 'park'],
  [
    /\b(?:an? |the )?(?:[\p{L}']+ )?markets?(?= (?:in|on|at|with|full|during)\b|[.,;]|$)(?!.*\bstalls?\b)/gu,
    'three stalls on a street',
  ],
  // Seen from outside, by what its windows and awning look like.
  [
    new RegExp(
      `(?<=\\b(?:in front of|outside(?: of)?|across from|next to|beside|past|near) (?:an?|the|my|our|their) )(?:\\p{L}+ ){0,2}?${SHOP}\\b(?! (?:windows?|counters?|signs?))`,
      'gu',
    ),
    'shopfront',
  ],
  [
    new RegExp(
      `(?<=^ *(?:an?|the|my) )((?:\\p{L}+ ){0,2}?)(?:(?:flower|book|coffee|corner|toy|candy|antique) )?${SHOP}(?= (?:on|in|at|by|during)\\b|$)`,
      'gu',
    ),
    '$1shopfront',
  ],
  [
    /\bbaby (?=(?:elephant|giraffe|hippo|rhino|penguin|dragon|dinosaur|turtle|owl|whale|dolphin|monkey|panda|bear|fox|deer|goat|unicorn|zebra|koala|kangaroo|otter|seal|sloth)s?\b)/g,
    'small ',
  ],
  [/\bwatering hole\b/g, 'waterhole'],
  [/\b(?:an? )?beds? (?=of \p{L}+s\b)/gu, 'many '],
  [
    /\b(two|three|four|five|six|seven|eight) ((?:(?!friends)\p{L}+ )?)(?:people|friends)\b(?! shaking hands)/gu,
    '$1 $2persons',
  ],
  [/(?<!\bare (?:the )?(?:best |good |close )?)\bfriends\b/g, 'persons'],
  [/\b(?:best |good |close |old )?(?:friend|neighbou?r|colleague)\b(?! (?:of|to)\b)/g, 'person'],
  [/(?<=\b(?:and|with|of) )(?:me|myself)\b|\b(?:me|i)(?= (?:and|at|in|on|with|as)\b)/g, 'a person'],
  [/\b(?:\p{L}+ )?(?:team|crew|choir|band members|audience)\b(?! (?:logo|name|spirit|building))/gu, 'many persons'],
  [/\bmodel(?=s? (?:walking|posing|strutting|standing|sitting|wearing)\b)/g, 'person'],
  [
    /\b(?:woman|girl|lady|person|someone|people|women) (?:(?:doing|practi[cs]ing|teaching) yoga|in a yoga pose)\b/g,
    'yoga',
  ],
  [/\b(?:man|boy|guy) (?:(?:doing|practi[cs]ing|teaching) yoga|in a yoga pose)\b/g, 'yogi'],
  [/(?:\b(?:two |a pair of )?(?:people|men|women|persons|businessmen|hands) |^ *)shaking hands\b/g, 'a handshake'],
  [/\b(?:(?:a |the )?bowls? of )?(?:fresh )?fruits?\b/g, 'an apple, a pear, grapes and a banana'],
  [/\b(?:fresh )?(?:vegetables|veggies)\b/g, 'a carrot, a tomato, a broccoli and corn'],
];

/** What is seen of an occasion, where nothing else is named. */
const OCCASIONS: readonly (readonly [RegExp, string])[] = [
  [/\bbreakfast in bed\b/g, 'someone in bed, a small coffee and a small croissant in a bedroom'],
  [
    /\bjazz(?: music)? (?:festivals?|concerts?|nights?|clubs?|bands?|gigs?|sessions?|trios?|quartets?)\b/g,
    'a saxophone, a trumpet and a drum',
  ],
  [
    /\b(?:rock|pop|music|folk|indie|metal)(?: music)? (?:festivals?|concerts?|nights?|bands?|gigs?)\b/g,
    'a guitar, a drum and a microphone',
  ],
  [/\b(?:classical|chamber)(?: music)? (?:festivals?|concerts?|evenings?)\b/g, 'a violin, a piano and a trumpet'],
  [/\b(?:film|movie) (?:festivals?|nights?|premieres?)\b/g, 'a movie camera and popcorn'],
  [/\bbirthday (?:part(?:y|ies)|celebrations?)\b/g, 'a birthday cake, a gift and three colourful balloons'],
  [/\b(?:graduation(?: day| part(?:y|ies)| ceremon(?:y|ies))?)\b/g, 'a graduation cap and a book'],
];
/** Occasions that nothing stands for: the words before them say which. */
export const OCCASION =
  /(?:^|[^\p{L}])((?:(?!(?:an?|the|for|of|at|from|my|our|your)\b)\p{L}[\p{L}'-]* ){0,2}(?:festivals?|concerts?|part(?:y|ies)|gigs?|vacations?|holidays?|meetings?|conferences?|tournaments?|championships?|ceremon(?:y|ies)|parades?|carnivals?|exhibitions?|celebrations?|reunions?|interviews?|lectures?|workshops?|auctions?|funerals?|elections?|protests?|competitions?|breakfasts?|brunch(?:es)?|lunch(?:es)?|dinners?|suppers?|picnics?|recitals?|musicals?|operas?))(?!\p{L})/u;

/** What stands for a trade on its logo, flyer or card. */
const TRADES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:baker(?:y|ies)|pastry shop|patisserie)\b/g, 'a croissant and a bread'],
  [/\b(?:barber(?: ?shop)?|hair(?:dresser| salon))s?\b/g, 'scissors'],
  [/\b(?:florists?|flower shops?)\b/g, 'a bouquet'],
  [/\b(?:book ?(?:shop|store)s?|library|reading club|book club)\b/g, 'books'],
  [/\bpizzerias?\b/g, 'a pizza'],
  [/\b(?:restaurants?|bistros?|diners?|catering)\b/g, 'cutlery'],
  [/\b(?:cooking (?:channel|class|course|school|show)|food blog)\b/g, 'a stew'],
  [/\b(?:barbecues?|bbq|steak ?house)\b/g, 'a steak'],
  [/\btravel (?:agency|blog|company)\b/g, 'a globe'],
  [/\b(?:law (?:firm|office)|lawyers?)\b/g, 'a balance scale'],
  [/\b(?:garages?|car repair|repair shop|workshop)\b/g, 'a wrench'],
  [/\b(?:dentists?|dental (?:clinic|practice))\b/g, 'a toothbrush'],
  [/\b(?:photographers?|photo studio|photography)\b/g, 'a camera'],
  [/\b(?:sales?|boutique|fashion (?:store|shop|brand))\b/g, 'a shopping bag'],
  [/\b(?:music school|orchestra)\b/g, 'a violin'],
  [/\b(?:software|tech|it) (?:company|startup|firm)\b/g, 'a laptop'],
];
const PRINTED =
  /\b(?:logos?|posters?|flyers?|banners?|cards?|thumbnails?|icons?|menus?|invitations?|brochures?|covers?|labels?|stickers?|emblems?)\b/;

/** What stands for an occasion or, on something printed, for a trade, where a text names nothing else to be seen. */
export const seenOf = (text: string): string => {
  const standing = PRINTED.test(text) ? [...OCCASIONS, ...TRADES] : OCCASIONS;
  return readThings(text).subjects.length > 0
    ? text
    : standing.reduce((read, [pattern, things]) => read.replace(pattern, things), text);
};

const GROUPS: Readonly<Record<string, string>> = {
  family: 'four',
  couple: 'two',
  pair: 'two',
  herd: 'five',
  flock: 'seven',
  pack: 'four',
};
/** "A penguin family" is several penguins. */
const inGroups = (text: string): string =>
  text.replace(
    /\b(?:an? |the )?(\p{L}+) (family|couple|pair|herd|flock|pack)\b/gu,
    (all: string, word: string, group: string) =>
      /^(?:animal|swimmer)$/.test(LEXICON.get(word)?.noun.role ?? '') ? `${GROUPS[group]} ${plural(word)}` : all,
  );

/** A text whose assortments are named one by one. @param text lower case */
export function inSingle(text: string): string {
  return ASSORTMENTS.reduce((read, [pattern, things]) => read.replace(pattern, things as string), inGroups(text));
}
