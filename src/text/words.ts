/**
 * The word lists of text analysis: function words of English that carry no content, and irregular forms that no
 * suffix rule can reach. They are general grammar, chosen without looking at any data set.
 */

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Function words of English: articles, pronouns, auxiliaries, prepositions, conjunctions, question words. */
export const STOPWORDS = set(`
a an the this that these those
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
herself it its itself they them their theirs themselves one ones
am is are was were be been being do does did doing done have has had having will would shall should can could might
must ought cannot let lets get gets got
not no nor none never yes
and or but if then else than so as because while though although unless until whether
of at by for with about against between into through during before after above below to from up down in out on off
over under onto upon within without toward towards per via
again further once here there now just only own same too very also even still yet ever already
all any both each few more most other another such some many much several every either neither
what which who whom whose when where why how
etc im ive id youre youve theyre dont didnt doesnt isnt wasnt arent werent cant couldnt wouldnt shouldnt wont
hasnt havent hadnt thats whats theres
anything something nothing everything anyone someone everyone nobody somebody anybody
oh hey hi hello wow yeah ok okay well really
`);

/** The base form and what becomes it, parted by bars. Forms that are as often another word (rose) are left out. */
const FORMS = `
arise arose arisen|awake awoke awoken|beat beaten|become became|begin began begun|bend bent|bet bets|bite bit bitten
bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought
catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found
flee fled|fling flung|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven
freeze froze frozen|give gave given|go went gone goes|grow grew grown|hang hung|hear heard|hide hid hidden|hold held
keep kept|kneel knelt|know knew known|lead led|lean leant|leap leapt|learn learnt|leave left|lend lent|light lit
lose lost|make made|mean meant|meet met|mistake mistook mistaken|overcome overcame|pay paid|prove proven
ride rode ridden
ring rang rung|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken|shine shone
shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|smell smelt
speak spoke spoken|speed sped|spell spelt|spend spent|spill spilt|spin spun|spit spat|spoil spoilt|spring sprang sprung
stand stood|steal stole stolen|stick stuck|sting stung|stink stank stunk|strike struck stricken|strive strove striven
swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn
tell told|think thought|throw threw thrown|understand understood|undertake undertook undertaken|wake woke woken
wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn|write wrote written|rise risen
rebuild rebuilt|rewrite rewrote rewritten|undergo underwent undergone|foresee foresaw foreseen|lay laid|lie lain
child children|man men|woman women|person people persons|foot feet|tooth teeth|goose geese|mouse mice|ox oxen|louse lice
wife wives|knife knives|shelf shelves|half halves|wolf wolves|thief thieves|loaf loaves
scarf scarves|calf calves|hoof hooves|elf elves|self selves|datum data|criterion criteria|phenomenon phenomena
medium media|index indices|analysis analyses|crisis crises|thesis theses|cactus cacti|fungus fungi|alumnus alumni
good better best|bad worse worst|far farther further farthest furthest
mother mom mum mommy mummy|father dad daddy|grandmother grandma granny|grandfather grandpa
television tv|photograph photo photos|bicycle bike bikes|telephone phone phones
refrigerator fridge|examination exam exams
`;

/** Irregular form -> base form. "lives" and "leaves" are left out: far more often they are what someone does. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split(/[|\n]/)
    .flatMap((line) => {
      const [base = '', ...forms] = line.split(' ');
      return forms.map((form) => [form, base] as const);
    }),
);
