/** The vocabulary of portraits: which words mean which trait. Tables only; `reading.ts` applies them. */
import type {
  Age,
  Background,
  Beard,
  Clothes,
  Extra,
  Gender,
  Glasses,
  HairStyle,
  Hat,
  Mood,
  Species,
} from './traits.ts';

const table = <T>(rows: readonly (readonly [T, string])[]): Map<string, T> =>
  new Map(rows.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)));

/** Phrases read as one word. Longest first. */
export const PHRASES: readonly (readonly [RegExp, string])[] = (
  [
    // What was, and what others look like, is not seen; whose teacher the sitter is, is no other.
    [
      'used to have (?:[\\p{L}-]+ ){0,4}(?:beard|mo[u]?stache|goatee)(?:[^.;!?\\n]*? (?:shaved|cut) it (?:all )?off)?',
      'cleanshaven',
    ],
    ['used to have (?:[\\p{L}-]+ ){0,4}hair[^.;!?\\n]*? shaved it (?:all )?off', 'shaved head'],
    ['(?:used to (?:have|wear|be)|once (?:had|wore)|no longer (?:has|have|wears?|is|are)) [^.,;!?\\n]*', ''],
    [
      "(?<!\\b(?:am|are|is|be|as) |'(?:m|re|s) )(his|her|their|its|your|my) (?:[\\p{L}-]+ ){0,2}(?:husband|wife|spouse|partner|boyfriend|girlfriend|mother|father|mum|mom|dad|parents|brother|sister|son|daughter|twin|child|children|kids|baby|grandmother|grandfather|grandma|grandpa|uncle|aunt|boss|friends?|best friend|rival|teacher|students?|dog|cat|horse|parrot|neighbou?r) (?:has|had|have|is|was|are|were|wears?|wore|with) [^.;!?\\n]*?(?=[.;!?\\n]|,? (?:and|but|while) (?:s?he|they|you|i)\\b|$)",
      '$1',
    ],
    // An age without a word for years.
    ["(?<=(?: is| are| am|'s|'re|'m| aged?|,) )(\\d{1,2})(?=[,.;]| and | who )", '$1 year'],
    ['middle[- ]aged?', 'middleaged'],
    ['in (?:his|her|their) (?:twenties|20s|thirties|30s)', 'adultage'],
    ['in (?:his|her|their) (?:forties|40s|fifties|50s)', 'middleaged'],
    ['in (?:his|her|their) (?:sixties|60s|seventies|70s|eighties|80s)', 'elderly'],
    [
      '(?:software|sound|audio|recording|data|computer|network|web|ai|machine learning|devops|security|systems?|prompt) engineer',
      'programmer',
    ],
    ["(?:clerical|roman|priest(?:'s)?) collar", 'priest'],
    ['(?:white|blue|pink)[- ]collar|(?:shirt|popped|high|lace|fur|open|starched) collar', ''],
    ['receding hair ?line', 'balding hair'],
    ['thinning(?= (?:\\p{L}+ )?hair)', 'balding'],
    ['head[- ]?wrap|gele', 'turban'],
    [
      'jade(?:[- ]green)?(?= (?:qipao|cheongsam|dress|robe|kimono|gown|eyes|jacket|coat|shirt|scarf))|jade[- ]green',
      'emerald',
    ],
    ['hard[- ]hat', 'hardhat'],
    ['top[- ]hat', 'tophat'],
    ['cowboy hat', 'cowboyhat'],
    ["wizard(?:'s)? hat", 'wizardhat'],
    ["witch(?:'s)? hat", 'wizardhat'],
    ['(?:pointed|pointy|conical|magic(?:al)?) hat', 'wizardhat'],
    ["(?:captain|sailor|skipper|admiral|police)(?:'s)? (?:hat|cap)", 'cap'],
    ['(?:peaked|flat|trucker) cap', 'cap'],
    ['(?:straw|sun) hat', 'beige strawhat'],
    ['(?:horned|viking) helmet', 'hornedhelmet'],
    ['bow[- ]?tie', 'bowtie'],
    [
      '(?:flower|rose|daisy|lily|hibiscus|orchid)s? (?:in|behind) (?:(?:his|her|their) )?(?:long |short |\\w+ )?(?:hair|ear)',
      'hairflower',
    ],
    ['(?:bow|ribbon) (?:in|on) (?:his|her|their|its) (?:hair|head)|hair bow', 'hairbow'],
    ['nose (?:ring|stud|piercing)|septum(?: ring| piercing)?', 'nosering'],
    ['beauty (?:mark|spot)', 'mole'],
    ['two different(?:ly)?[- ]colou?red eyes|odd eyes|heterochromia', 'heterochromia'],
    ['(?:three|third|3)[- ]eye[sd]?', 'thirdeye'],
    ['(?:fedora|panama) hat', 'fedora'],
    ['(?:bush|ranger|wide[- ]brimmed) hat', 'strawhat'],
    ['(?:bowler|derby) hat', 'tophat'],
    ['(?:knit(?:ted)?|wool(?:l?en|ly)?|bobble|winter) (?:hat|cap)', 'beanie'],
    ['rain[- ]?coat', 'coat'],
    ['pirate hat', 'piratehat'],
    ["chef(?:'s)? hat", 'chefhat'],
    ['santa hat', 'santahat'],
    ['baseball cap', 'cap'],
    ['flower crown', 'flowercrown'],
    ['space ?suit', 'spacesuit'],
    ['lab[- ]coat', 'labcoat'],
    ['(?:k-?)?(?:pop|rock|film|movie)[- ]?(?:star|idol)', 'popstar'],
    ['(?:tour|travel|mountain|museum|city) guide', 'tourguide'],
    ['space marine|super ?soldier', 'paladin'],
    ['keffiyeh|ghutra', 'turban'],
    ['santa claus|father christmas|saint nicholas', 'santa'],
    ['(?:with )?(?:(his|her|their|its|the) )?(helmet|hat|cap|glasses|mask) (?:off|removed|taken off)', '$1 no $2'],
    ['(?:tube|tank|crop) top', 'top'],
    ['t[- ]shirt', 'tshirt'],
    ['v[- ]neck', 'vneck'],
    ['polo[- ]neck', 'turtleneck'],
    ['roll[- ]neck', 'turtleneck'],
    ['eye[- ]patch', 'eyepatch'],
    ['(?:sun[- ]?|(?:dark|tinted|mirrored) )(?:glasses|spectacles)', 'sunglasses'],
    ['pony[- ]tail', 'ponytail'],
    ['pig[- ]?tails?', 'pigtails'],
    ['(?:two|double|space|twin) buns|(?:hair )?in (?:two |double |twin |space )?buns|buns', 'spacebuns'],
    ['(?:cat|kitty|neko|fox|wolf|dog|bear|mouse) ears', 'animalears'],
    ['(?:bunny|rabbit) ears', 'bunnyears'],
    [
      '(?<!(?:red|brown|tan|white|blue|green|pink|purple|yellow|orange|grey|gray|beige|navy|golden|silver|dark) )(?:leather|biker|motorcycle) jacket',
      'black jacket',
    ],
    ['undercut|(?:skin |high |low |taper )?fade|mullet', 'quiff hair'],
    ['dread[- ]?locks', 'braids'],
    ['crew[- ]cut', 'buzzcut'],
    ['buzz[- ]cut', 'buzzcut'],
    ['head[- ]?scarf', 'headscarf'],
    ['mo[u]?stache', 'moustache'],
    ['make[- ]up', 'makeup'],
    ['clean[- ]shaven', 'cleanshaven'],
    ['dark[- ]skinned', 'darkskin'],
    ['dark skin', 'darkskin'],
    ['black skin', 'darkskin'],
    ['brown skin', 'brownskin'],
    ['brown[- ]skinned', 'brownskin'],
    ['light[- ]skinned', 'lightskin'],
    ['light skin', 'lightskin'],
    ['fair skin', 'lightskin'],
    ['pale skin', 'paleskin'],
    ['white skin', 'paleskin'],
    ['olive skin', 'oliveskin'],
    ['tan(?:ned)? skin', 'oliveskin'],
    ['long[- ]haired', 'long hair'],
    ['short[- ]haired', 'short hair'],
    ['baby blue', 'skyblue'],
    ['(?<=^ (?:portrait of )?(?:an? )?(?:[a-z]+ ){0,2})baby', 'toddler'],
    ['powdered wig', 'powderedwig'],
    ['wigs?', 'hair'],
    ['dark blue', 'navy'],
    ['light blue', 'skyblue'],
    ['sky blue', 'skyblue'],
    ['dark green', 'darkgreen'],
    ['dark brown', 'darkbrown'],
    ['light brown', 'lightbrown'],
    ['dark red', 'maroon'],
    ['hair bun', 'bun'],
    ['police officer', 'police'],
    // Where people come from, as the origins of `SKINS`.
    [
      '(?:from|born in|raised in) (?:africa|nigeria|kenya|ghana|jamaica|haiti|senegal|ethiopia|somalia|uganda|tanzania|accra|lagos|nairobi|kingston|dakar|addis ababa|kampala)',
      'african',
    ],
    [
      '(?:from|born in|raised in) (?:india|mexico|peru|colombia|cuba|egypt|morocco|lebanon|iran|pakistan|bangladesh|the philippines|hawaii|cairo|mumbai|delhi|bangalore|kolkata|chennai|oaxaca|mexico city|bogot[aá]|lima|havana|marrakech|beirut|tehran|karachi|dhaka|manila)',
      'indian',
    ],
    [
      '(?:from|born in|raised in) (?:china|japan|korea|south korea|vietnam|thailand|taiwan|mongolia|tokyo|kyoto|osaka|beijing|shanghai|hangzhou|hong kong|seoul|hanoi|bangkok)',
      'asian',
    ],
    ['business ?(?:man)', 'man executive'],
    ['business ?(?:woman)', 'woman executive'],
  ] as const
).map(([pattern, word]) => [new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'giu'), word]);

/** Words of colours, as '#rrggbb'. */
export const COLOURS = new Map<string, string>([
  ['red', '#b8302c'],
  ['crimson', '#a01c30'],
  ['maroon', '#6e1c26'],
  ['burgundy', '#6a1a2c'],
  ['scarlet', '#c8281e'],
  ['orange', '#d97a28'],
  ['yellow', '#e2b93b'],
  ['gold', '#c99a3a'],
  ['golden', '#d8ab4e'],
  ['green', '#3b8a50'],
  ['darkgreen', '#1f5136'],
  ['emerald', '#1f8a5c'],
  ['olive', '#6b7038'],
  ['mint', '#94d0b0'],
  ['teal', '#1e7f84'],
  ['turquoise', '#36b0ac'],
  ['cyan', '#3bb4cc'],
  ['blue', '#2f5fb4'],
  ['skyblue', '#7db4e4'],
  ['navy', '#20305c'],
  ['purple', '#6b3fa0'],
  ['violet', '#7a4cb8'],
  ['lavender', '#a898d8'],
  ['lilac', '#b8a0d8'],
  ['pink', '#e07aa6'],
  ['magenta', '#c02a86'],
  ['brown', '#6e4428'],
  ['darkbrown', '#452a1a'],
  ['lightbrown', '#9a6c42'],
  ['beige', '#cdb892'],
  ['cream', '#ece2c8'],
  ['tan', '#b89468'],
  ['khaki', '#a39a6a'],
  ['black', '#26242a'],
  ['white', '#eef0f2'],
  ['grey', '#888c94'],
  ['gray', '#888c94'],
  ['silver', '#bcc2ca'],
  ['charcoal', '#3c4048'],
  ['rainbow', '#c0508c'],
  ['hazel', '#8a6a34'],
  ['amber', '#b47a28'],
  ['blonde', '#d2a85c'],
  ['blond', '#d2a85c'],
  ['ginger', '#b85a22'],
  ['auburn', '#7c3420'],
  ['copper', '#ac5424'],
  ['chestnut', '#6a3a22'],
  ['brunette', '#4c2e1e'],
]);

/** The same word names other pigments on hair and in eyes. */
export const HAIR_COLOURS = new Map<string, string>([
  ['red', '#a03e1c'],
  ['orange', '#c0601e'],
  ['yellow', '#e0b656'],
  ['golden', '#d0a04a'],
  ['gold', '#d0a04a'],
  ['brown', '#5a3822'],
  ['lightbrown', '#8a6038'],
  ['darkbrown', '#3a2418'],
  ['black', '#1e1a1c'],
  ['white', '#e6e4e0'],
  ['grey', '#98989c'],
  ['gray', '#98989c'],
  ['silver', '#c2c4c8'],
  ['dark', '#2c2020'],
  ['fair', '#cda660'],
  ['blue', '#3a6cc8'],
  ['green', '#3f9a62'],
]);
/** Words of eye colours, as '#rrggbb'. */
export const EYE_COLOURS = new Map<string, string>([
  ['blue', '#4a86c4'],
  ['green', '#4f8f5a'],
  ['brown', '#5e3a20'],
  ['grey', '#7c8c9a'],
  ['gray', '#7c8c9a'],
  ['black', '#2a1c16'],
  ['dark', '#3a2416'],
  ['hazel', '#8a6a38'],
  ['red', '#b02a2a'],
  ['skyblue', '#76b4dc'],
]);
/** Words that are hair by themselves. */
export const HAIR_NOUNS = new Map<string, string>([
  ['blonde', 'blonde'],
  ['blond', 'blond'],
  ['brunette', 'brunette'],
  ['redhead', 'red'],
  ['ginger', 'ginger'],
  ['redheaded', 'red'],
  ['auburn', 'auburn'],
]);

/** Words of each gender. */
export const GENDERS = table<Gender>([
  [
    'female',
    'woman women girl lady female bride she her hers mother mom mum grandmother grandma granny aunt sister queen princess witch actress waitress businesswoman duchess goddess heroine wife girlfriend fiancee bridesmaid daughter nun ballerina mermaid empress sorceress feminine mrs ms miss lass gal cleopatra widow fairy hostess shieldmaiden maiden medusa gorgon aphrodite athena venus stewardess seamstress cowgirl schoolgirl policewoman firewoman geisha hijabi frida countess viscountess baroness marchioness priestess abbess heiress huntress enchantress',
  ],
  [
    'male',
    'boyfriend fiance groom bridegroom man men boy guy gentleman male he him his father dad grandfather grandpa uncle brother king prince wizard actor waiter businessman duke husband son monk bloke sorcerer emperor masculine mr sir dude bro lad pharaoh santa god thor zeus odin apollo poseidon hercules policeman fireman fisherman salesman handyman einstein lincoln sherlock pope abbot friar baron viscount leprechaun',
  ],
]);
/** What is mostly, not always, of one: any other word goes before. */
export const USUAL_GENDERS = table<Gender>([['male', 'lumberjack cowboy viking gladiator']]);
/** Words of each age. */
export const AGES = table<Age>([
  ['child', 'child kid boy girl toddler newborn infant schoolboy schoolgirl'],
  ['young', 'young teen teenage teenager youthful student twenties youth'],
  ['adult', 'adultage'],
  ['middle', 'middleaged mature'],
  [
    'old',
    'old elderly aged senior grandmother grandma granny grandfather grandpa ancient wrinkled retired pensioner elder',
  ],
]);
/** Words of each hair style. */
export const STYLES = table<HairStyle>([
  ['bald', 'bald hairless'],
  ['balding', 'balding'],
  ['buzz', 'buzzcut buzzed shaved'],
  ['short', 'short'],
  ['quiff', 'quiff spiky pompadour tousled'],
  ['pixie', 'pixie'],
  ['bob', 'bob bobbed'],
  ['wavy', 'wavy waves'],
  ['straight', 'straight'],
  ['curly', 'curly curls curlyhaired ringlets'],
  ['afro', 'afro'],
  ['ponytail', 'ponytail'],
  ['bun', 'bun updo'],
  ['braids', 'braids braided plaits braid cornrows'],
  ['pigtails', 'pigtails'],
  ['buns', 'spacebuns'],
  ['mohawk', 'mohawk punk'],
]);
/** Words of each beard. */
export const BEARDS = table<Beard>([
  ['stubble', 'stubble unshaven stubbly'],
  ['moustache', 'moustache'],
  ['goatee', 'goatee'],
  ['full', 'beard bearded'],
  ['none', 'cleanshaven shaven beardless'],
]);
/** Words of each kind of glasses. */
export const GLASSES = table<Glasses>([
  ['square', 'glasses spectacles eyeglasses bespectacled'],
  ['sun', 'sunglasses shades'],
  ['patch', 'eyepatch'],
  ['aviator', 'aviators'],
  ['monocle', 'monocle'],
  ['goggles', 'goggles'],
]);
/** Words of each hat. */
export const HATS = table<Hat>([
  ['wizard', 'wizardhat'],
  ['cap', 'cap'],
  ['beanie', 'beanie toque'],
  ['crown', 'crown crowned'],
  ['tiara', 'tiara diadem'],
  ['tophat', 'tophat'],
  ['cowboy', 'cowboyhat stetson'],
  ['fedora', 'fedora'],
  ['straw', 'strawhat'],
  ['sombrero', 'sombrero'],
  ['horned', 'hornedhelmet'],
  ['skullcap', 'skullcap kippah kippa yarmulke zucchetto'],
  ['graduation', 'mortarboard'],
  ['halo', 'halo'],
  ['horns', 'horns'],
  ['chef', 'chefhat toque'],
  ['hardhat', 'hardhat'],
  ['helmet', 'helmet'],
  ['pirate', 'piratehat tricorn'],
  ['beret', 'beret'],
  ['hijab', 'hijab hijabi headscarf veil niqab'],
  ['turban', 'turban'],
  ['wig', 'wig powderedwig'],
  ['cowl', 'cowl balaclava'],
  ['nemes', 'nemes'],
  ['santa', 'santahat'],
  ['headphones', 'headphones headset'],
  ['flowers', 'flowercrown wreath garland'],
  ['beanie', 'hat'],
]);
/** Words of each kind of clothes. */
export const CLOTHES = table<Clothes>([
  ['tshirt', 'tshirt tee'],
  ['vneck', 'vneck top scrubs leotard'],
  ['shirt', 'shirt blouse polo'],
  ['suit', 'suit blazer tie necktie'],
  ['tuxedo', 'tuxedo'],
  ['overalls', 'overalls dungarees'],
  ['hoodie', 'hoodie hoody sweatshirt'],
  ['sweater', 'sweater jumper pullover cardigan knitwear'],
  ['turtleneck', 'turtleneck'],
  ['dress', 'dress gown sundress sari saree tutu'],
  ['labcoat', 'labcoat'],
  ['robe', 'robe robes cloak cape toga poncho'],
  ['armour', 'armour armor chainmail'],
  ['kimono', 'kimono yukata'],
  ['changshan', 'qipao cheongsam changshan'],
  ['spacesuit', 'spacesuit'],
  ['jacket', 'jacket coat overcoat peacoat parka raincoat anorak windbreaker trenchcoat mackintosh'],
  ['chef', 'apron'],
]);
/** Words of what is worn besides, and of marks of a skin. */
export const EXTRAS = table<Extra>([
  ['hair-flower', 'hairflower'],
  ['hair-bow', 'hairbow bow'],
  ['bow-tie', 'bowtie'],
  ['collar', 'collar'],
  ['chain', 'chain chains'],
  ['necklace', 'necklace pearls pendant choker'],
  ['scarf', 'scarf'],
  ['whistle', 'whistle'],
  ['vitiligo', 'vitiligo'],
  ['bindi', 'bindi'],
  ['nose-ring', 'nosering'],
  ['scar', 'scar scars scarred'],
  ['mole', 'mole'],
  ['pipe', 'pipe'],
  ['animal-ears', 'animalears'],
  ['bunny-ears', 'bunnyears'],
]);
/** Words of each mood. */
export const MOODS = table<Mood>([
  ['smile', 'smiling smile smiles friendly kind warm gentle happy pleasant welcoming caring sweet content'],
  ['cheerful', 'cheerful joyful laughing grinning jolly excited bubbly energetic playful funny enthusiastic merry'],
  ['serious', 'serious stern solemn strict professional determined focused confident stoic calm wise mysterious'],
  ['sad', 'sad melancholic gloomy lonely crying weeping tearful heartbroken unhappy depressed melancholy sorrowful'],
  ['angry', 'angry furious grumpy mad evil fierce menacing'],
]);
/** Words of each background. */
export const BACKGROUNDS = table<Background>([
  ['studio', 'studio plain'],
  ['bokeh', 'bokeh'],
  ['warm', 'sunset candlelight fireplace cosy cozy golden-hour'],
  ['night', 'night midnight moonlight neon dark-background'],
  ['office', 'office workplace'],
  ['outdoors', 'outdoors outside park forest garden nature woods meadow field jungle'],
  ['sea', 'sea beach ocean seaside coast ship'],
  ['city', 'city street urban downtown'],
  ['library', 'library books bookshelf classroom study'],
  ['space', 'space stars galaxy cosmos'],
  ['kitchen', 'kitchen restaurant cafe'],
]);
/** '#rrggbb' of lit skin by the words that name it or an origin. */
export const SKINS = table<string>([
  [
    '#6b4430',
    'darkskin african ebony nigerian kenyan ghanaian rastafarian rasta jamaican haitian maasai masai zulu senegalese ethiopian somali congolese ugandan tanzanian sudanese',
  ],
  ['#8f5f42', 'brownskin'],
  [
    '#b57f58',
    'oliveskin indian sikh hindu latina latino hispanic mexican brazilian arab arabic persian pakistani egyptian moroccan turkish lebanese bengali tamil peruvian colombian cuban filipino filipina hawaiian polynesian maori samoan',
  ],
  ['#e0b48c', 'asian japanese chinese korean vietnamese thai mongolian taiwanese tibetan indonesian malaysian'],
  ['#ecc4a2', 'lightskin caucasian european bavarian austrian dutch polish ukrainian russian swiss welsh british'],
  ['#f2d6c0', 'paleskin pale albino scandinavian irish nordic scottish swedish norwegian danish finnish icelandic'],
]);
/** Who is no human, by word. */
export const SPECIES = table<Species>([
  ['robot', 'robot android cyborg droid'],
  ['elf', 'elf elven elvish fairy'],
  ['alien', 'alien extraterrestrial martian'],
  ['clown', 'clown jester'],
  ['vampire', 'vampire dracula'],
  ['mermaid', 'mermaid merman siren'],
  ['demon', 'demon devil imp satyr'],
  ['ghost', 'ghost spectre phantom'],
]);
/** Words for a person: a skin word before one of them is about skin ("a black woman"). */
export const PEOPLE = new Set(
  'woman man girl boy lady guy person gentleman male female child kid women men teenager teen'.split(' '),
);

const FEMALE =
  'emma olivia ava sophia isabella mia charlotte amelia harper evelyn abigail emily ella elizabeth camila luna sofia mila aria scarlett victoria grace chloe zoe nora lily hannah lucy anna maria sarah sara laura julia alice clara rose eva jane kate mary linda barbara susan jessica karen nancy lisa betty margaret sandra ashley kimberly donna michelle carol amanda melissa deborah stephanie rebecca sharon cynthia kathleen amy angela anne ruth fatima aisha yuki sakura mei priya ananya leila layla nina elena ingrid astrid freya helga marie claire sophie camille ines lucia carmen rosa juana olga natasha irina katya amara zara nadia yasmin samira ada luna stella bella zelda molly hazel katie jenny wendy tina gina heidi greta anya svetlana hana aurora zuri winnie priyanka noor fiona edith ethel martha harriet gertrude beatrice josephine';
const MALE =
  'liam noah oliver james elijah william henry lucas benjamin theodore mateo jack daniel michael alexander owen ethan samuel jacob david joseph john luke gabriel anthony isaac thomas charles christopher joshua andrew nathan ryan adam robert richard paul mark george kevin brian edward ronald timothy jason jeffrey gary eric stephen larry justin scott brandon frank gregory raymond patrick peter harry carlos juan pedro luis jose diego miguel antonio marco luca giovanni hans klaus jan lars erik sven ivan dmitri sergei boris ahmed ali omar hassan mohammed yusuf hiroshi kenji takeshi wei jin raj arjun vikram kofi kwame merlin gandalf bob bill tom max leo oscar felix hugo arthur albert mike joe steve dave matt nick ben sam tony andy pete phil ken ron jim tim alan martin simon stefan pierre jacques louis francois pablo fernando otto fritz bruno finn marcus giuseppe pavel igor vlad hank walter stanley ravi sanjay jamal tyrone tariq kai ethan galahad lancelot dmitry';
/** The gender that first names show as a rule. */
export const NAMES = table<Gender>([
  ['female', FEMALE],
  ['male', MALE],
]);
