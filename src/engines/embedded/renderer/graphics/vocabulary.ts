/** The words that set a scene: places, hours, weather, seasons, moods and styles of lettering, as tables. */

/** Where a scene is. */
export type Place =
  | 'mountains'
  | 'sea'
  | 'beach'
  | 'city'
  | 'forest'
  | 'desert'
  | 'field'
  | 'meadow'
  | 'space'
  | 'lake'
  | 'village'
  | 'street'
  | 'room'
  | 'snow'
  | 'garden'
  | 'jungle'
  | 'river'
  | 'sky'
  | 'underwater'
  | 'stage'
  | 'cave'
  | 'greenhouse'
  | 'studio';
/** What is stood on, from which a place is seen. */
export type Platform = 'balcony' | 'porch' | 'roof' | 'pier';
/** The first row that matches wins. */
export const PLATFORMS: Rows<Platform> = [
  [
    'pier',
    /\b(?:at|in|on|by|near) (?:an?|the) (?:\w+ )?(?:harbou?r|port|pier|docks?|jetty|wharf|marina|quay|boardwalk)\b/,
  ],
  ['balcony', /\b(?:on|from|of) (?:an?|the|my|our|his|her|their) (?:[\w-]+ ){0,2}(?:balcony|(?:roof ?)?terrace)\b/],
  ['porch', /\b(?:on|from|of) (?:an?|the|my|our|his|her|their) (?:[\w-]+ ){0,2}(?:porch|veranda|patio)\b/],
  [
    'roof',
    /\b(?:on|from|atop|across) (?:an?|the|my|our|his|her|their|top of (?:an?|the)) (?:[\w-]+ ){0,2}roof(?: ?top)?s?\b(?! of\b)/,
  ],
];

/** The hour of a scene; `golden` is late afternoon and sunset. */
export type Time = 'dawn' | 'day' | 'golden' | 'dusk' | 'night';
/** The weather of a scene. */
export type Weather = 'clear' | 'clouds' | 'rain' | 'snow' | 'fog' | 'storm';
/** The season of a scene. */
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';

type Rows<T> = readonly (readonly [T, RegExp])[];

/** The first row that matches wins, so narrower places come first. */
export const PLACES: Rows<Place> = [
  [
    'underwater',
    /\b(underwater|under the (sea|ocean|water)|coral reefs?|reef|ocean floor|sea ?bed|aquarium|deep sea|(?:bottom|floor|depths) of the (?:sea|ocean|lake)|sunken|scuba)\b/,
  ],
  ['cave', /\b(?:in|inside|into|of|from) (?:an? |the )?(?:\w+ )?(?:caves?|caverns?|grotto)\b/],
  ['greenhouse', /\b(?:green ?houses?|glass ?houses?|conservatory)\b/],
  [
    'stage',
    /\b(?:on (?:an? |the )?(?:\w+ )?stage(?! of\b)|(?:at|in) (?:an?|the) (?:\w+ )?(?:concert|gig|theat(?:re|er)|talent show|concert hall|opera(?: house)?))\b/,
  ],
  [
    'space',
    /\b(outer space|in space|space ?station|galax(y|ies)|nebulae?|cosmos|cosmic|universe|solar system|on mars|lunar|orbit|milky way|starfield|deep space|moon landing|on the moon)\b/,
  ],
  // A road through mountains, desert or woods shows that land; without such words it is a street with houses.
  [
    'mountains',
    /\b(mountain (roads?|pass(es)?|highways?|streets?|paths?|trails?|tracks?)|(roads?|highways?) (in|through|over|across|up|into) (the )?(\w+ )?(mountains?|alps|peaks|hills))\b/,
  ],
  ['desert', /\b(desert (roads?|highways?|streets?)|(roads?|highways?) (in|through|across) (the |a )?(\w+ )?desert)\b/],
  [
    'forest',
    /\b(forest (roads?|paths?|trails?)|(roads?|highways?) (in|through|across) (the |a )?(\w+ )?(forest|woods))\b/,
  ],
  ['field', /\b((country|rural|dirt|gravel) (roads?|lanes?))\b/],
  ['village', /\b(villages?|hamlet|country ?side town|small town|townscape|farms?|farmyard)\b/],
  [
    'street',
    /\b((in front of|outside) (of )?(an?|the|my) (\w+ )?(caf[eé]|shop|store|bakery|bar|pub|restaurant|bookshop|hotel)(?!\w)|streets?|alley(way)?|avenue|road|boulevard|sidewalk|crossroads?|market ?place|highway|shop ?front|storefront)\b/,
  ],
  [
    'city',
    /\b(cit(y|ies)|cityscape|skylines?|skyscrapers?|canals?|downtown|metropolis|buildings?(?! (?:an?|the|some|sand ?castles?|snow ?m[ae]n)\b)|manhattan|times square|new york|tokyo|london|urban|cyberpunk|rooftops?)\b/,
  ],
  ['beach', /\b(beach(es)?|seaside|sea ?shore|shore|coast(line)?|tropical island|island|lagoon|bay)\b/],
  ['river', /\b(rivers?|streams?|brook|creek|riverside|river ?bank)\b/],
  ['lake', /\b(lakes?|ponds?|water ?hole|lakeside|loch|fjord)\b/],
  // Where a lighthouse stands on a cliff there is a sea below; a person who waves needs none.
  [
    'sea',
    /\b(lighthouse[^.]*\bcliffs?|cliffs?[^.]*\blighthouse|sea|seas|oceans?|(?<!\b(?:(?:wo)?m[ae]n|girls?|boys?|lady|child|children|kids?|person|people|friends?|family|teacher|doctor|robot|astronaut|grandm\w+|grandf\w+|mother|father|who|s?he|they|and) )waves?(?! (?:hello|hi|goodbye|(?:at|to) (?:us|me|you|the (?:viewer|camera)|every\w+|people)|(?:her|his|its|their|a|the) (?:hands?|arms?|flags?)))|harbou?r|pier|docks|jetty|wharf|marina|quay|boardwalk|(?:fishing |sea ?)?ports?(?! of )|sailing|seascape|regatta|surf(ing|ers?)?)\b/,
  ],
  ['jungle', /\b(jungles?|rain ?forest|tropics|tropical)\b/],
  ['forest', /\b(forests?|woods|woodland|grove|birch(es)?|in the trees|redwoods)\b/],
  ['desert', /\b(deserts?|dunes?|sahara|oasis|savanna(h)?|canyon|badlands)\b/],
  ['mountains', /\b(mountains?|peaks?|alps|alpine|himalayas?|cliffs?|ridge|valley|summit|volcano|everest|highlands)\b/],
  [
    'snow',
    /\b(snowy|snow ?scape|snow-?covered|covered (?:in|with|by) (?:\w+ )?snow|snow field|arctic|antarctic|antarctica|tundra|north pole|glacier|alaska|siberia|lapland|winter wonderland|in the snow|ski(ing|ers?)?|ski (slope|resort|lift|run)|snowboard(ing|ers?)?)\b/,
  ],
  ['garden', /\b(gardens?|orchard|flower ?bed|park|backyard|back yard)\b/],
  ['meadow', /\b(meadows?|wildflowers?|flower field|pastures?|lawn|grass(land)?|glade|clearing)\b/],
  [
    'field',
    /\b((?:corn|wheat|rice)? ?fields?|hills?|prairie|plains?|wheat|countryside|farmland|landscape|scenery|vineyards?|hillsides?|outdoors)\b/,
  ],
  [
    'room',
    /\b(rooms?|interior|indoors?|living ?room|bedroom|kitchen|office|caf[eé]|library|studio apartment|cabin interior|hall|window ?sill|by the window|classroom|restaurants?|diner|pub|tavern|(?:in|at) (?:an?|the|my|our) (?:\w+ )?bar|(?:in|at) (?:the )?(?:hospital|school)|at (?:a|the) party|ceilings?|(?:in class|classrooms?)|bak(?:es|ing)|cook(?:s|ing)|knit(?:s|ting)|ironing|bathroom|attic|corridor|lobby|laborator(y|ies)|(?:in|inside|at) (?:an?|the|my|his|her|their) (?:\w+ )?lab|workshop|(?:in|inside) (?:an?|the|my|our|his|her|their) (?:\w+ )?(?:hospital|clinic|school|museum|church|bank|factory|hotel|castle|palace|house|cottage)|presentation|fireplace|hearth|book ?shel(f|ves)|book ?cases?|book ?shops?|book ?stores?|study)\b/,
  ],
  [
    'sky',
    /^\W*(?:[\w-]+ ){0,3}clouds\b|\b(in the sky|skies|above the clouds|cloudscape|sky|flying through the clouds|(?:flying|floating|hovering|suspended|soaring|high) (?:up )?in the air|heavens?)\b/,
  ],
];

/** The first row that matches wins, so "starry evening" is dusk and "noon" comes last. */
export const TIMES: Rows<Time> = [
  [
    'golden',
    /\b(golden hour|sunsets?|sun ?down|setting sun|late afternoon|evening light|at sunset|evening sun|[67] ?pm)\b/,
  ],
  ['dawn', /\b(dawn|sun ?rise|daybreak|early morning|first light|rising sun|misty morning|morning|[4-7] ?am)\b/],
  ['dusk', /\b(dusk|twilight|blue hour|evening|nightfall|gloaming)\b/],
  [
    'night',
    /\b(nights?|midnight|moonlit|moonlight|starry|stars|(?:full|crescent|half|new) moon|(?:at|under|beneath|below|by|before|against|in front of) (?:the|a) (?:\w+ )?moon|moon (?:over|above)|nocturnal|northern lights|aurora|at night|neon|fireflies|milky way|under the moon|cyberpunk|haunted|fireworks|candle ?lit|diwali|(?:1[01]|[89]) ?pm|12 ?am|[1-3] ?am)\b/,
  ],
  ['day', /\b(day|daytime|noon|midday|sunny|afternoon|blue sky|bright sun)\b/],
];

/** The first row that matches wins: a storm before the rain that it brings. */
export const WEATHERS: Rows<Weather> = [
  ['storm', /\b(storms?|stormy|thunder(storm)?|lightning|tempest|hurricane)\b/],
  ['rain', /\b(rain|rainy|raining|drizzle|downpour|wet street|showers)\b/],
  [
    'snow',
    /\b(snowing|snow ?fall|snow ?flakes?|falling snow|heavy snow|snow (?:is )?falling|blizzard|in a snow ?storm)\b/,
  ],
  ['fog', /\b(fog|foggy|mist|misty|haze|hazy)\b/],
  ['clouds', /\b(cloudy|clouds?|overcast)\b/],
  ['clear', /\b(clear|cloudless|sunny)\b/],
];

/** The first row that matches wins. */
export const SEASONS: Rows<Season> = [
  ['autumn', /\b(autumn(al)?|fall (colou?rs|leaves|foliage|day)|in the fall|october|harvest)\b/],
  [
    'winter',
    /\b(winter|snowm[ae]n|igloos?|ski(ing|ers?)?|snowboard(ing|ers?)?|wintry|christmas|icy|frozen|frosty|snow-?covered|covered (?:in|with|by) (?:\w+ )?snow)\b/,
  ],
  ['spring', /\b(spring(time)?|blossoms?|cherry blossom|april|easter)\b/],
  ['summer', /\b(summer|july|sunny)\b/],
];

/** The first row that matches wins. A mood drains or fills the colours of the sky. */
export const MOODS: Rows<string> = [
  ['gloomy', /\b(gloomy|dark|sad|melanchol\w+|eerie|spooky|haunted|ominous|moody)\b/],
  ['cheerful', /\b(cheerful|happy|happiness|joyful|joy|hope|bright|playful|cute|fun|vibrant|colou?rful)\b/],
  ['calm', /\b(calm|peaceful|serene|quiet|tranquil|soft|gentle|dreamy|cozy|cosy)\b/],
  ['dramatic', /\b(dramatic|epic|majestic|intense|cinematic|powerful)\b/],
];

/** How words are to be painted in. The first that matches wins. */
export type Lettering =
  | 'neon'
  | 'chalk'
  | 'wedding'
  | 'logo'
  | 'poster'
  | 'book'
  | 'banner'
  | 'sign'
  | 'handwritten'
  | 'caption';
/** The first row that matches wins, so that a "neon sign" is neon. */
export const LETTERINGS: Rows<Lettering> = [
  ['neon', /\bneon\b/],
  ['chalk', /\b(chalk|chalkboard|blackboard)\b/],
  [
    'wedding',
    /\b(wedding|invitation|invite|save the date|elegant card|greeting card|birthday card|thank you card|card|certificate)\b/,
  ],
  ['logo', /\b(logo|emblem|brand mark|wordmark)\b/],
  ['book', /\b(book cover|album cover|magazine cover|cover of)\b/],
  ['poster', /\b(posters?|flyer|movie title|film title|billboard|album|title card)\b/],
  ['banner', /\b(banner|ribbon|flag)\b/],
  [
    'sign',
    /\b(signs?|signpost|sign ?board|shop ?front|store ?front|plaque|placard|board|label(l?ed)?|notice|nameplate|street sign|holding a)\b/,
  ],
  ['handwritten', /\b(hand-?written|handwriting|note|letter|diary|signature|scribbled|cursive|script)\b/],
];

/** Manners of painting that the illustrator can honour as a finish over the image. */
export const STYLES: Rows<string> = [
  ['watercolour', /\b(water-?colou?rs?)\b/],
  ['pencil', /\b(pencil|sketch|charcoal drawing|line drawing)\b/],
  [
    'noir',
    /\bblack[- ]and[- ]white(?= (?:photo\w*|pictures?|images?|drawings?|films?|styles?|portraits?|sketch\w*|illustrations?|paintings?|still|shot|movie|street photo\w*|comic)\b)|(?:,|\bin) black[- ]and[- ]white\b|^black[- ]and[- ]white\b(?! (?:\w+ )?(?:cow|cal(?:f|ve)|cat|kitten|dog|pupp(?:y|ie)|husky|dalmatian|panda|penguin|zebra|horse|pon(?:y|ie)|rabbit|bunn(?:y|ie)|pig|goat|sheep|bird|magpie|orca|butterfl(?:y|ie)|ball|football|flag|dress|shirt|tile|checker\w*|chess\w*)s?\b)|\b(?:monochrome|noir|grayscale|greyscale)\b/,
  ],
  [
    'vintage',
    /\b(?:vintage|retro)(?= (?:photo\w*|pictures?|style|look|film|postcard|poster|travel|illustration|painting|print|effect|filter|aesthetic|advert\w*)\b)|(?:,|\bin(?: an?)?) (?:vintage|retro)\b|\bsepia\b|\bold photo(?:graph)?\b/,
  ],
  ['pixel', /\b(pixel[- ]art|8-?bit|16-?bit)\b/],
];

/** Words of images that show no thing. */
export const ABSTRACT =
  /\b(abstract|gradients?|patterns?|geometric|fractals?|wallpaper|flow field|swirl(s|ing)?|marbl(ed|ing)|marble texture|texture|generative|psychedelic|fluid)\b/;

/** The first row whose pattern occurs in lower-case text. */
export function firstMatch<T>(rows: Rows<T>, text: string): T | undefined {
  return rows.find(([, pattern]) => pattern.test(text))?.[0];
}
