/** The word tables behind `stated-facts.ts`: which nouns last, which openings are not names, how verbs take their -s. */

/** What a fact is about. */
export type FactKind =
  | 'name'
  | 'age'
  | 'home'
  | 'origin'
  | 'job'
  | 'birthday'
  | 'like'
  | 'dislike'
  | 'favourite'
  | 'named'
  | 'has'
  | 'is'
  | 'attribute'
  | 'habit';

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** People and animals one speaks of as "my ...". */
export const RELATIONS = set(`
mother father mom mum mam dad mama papa parent parents brother brothers sister sisters sibling siblings twin twins son
sons daughter daughters child children kid kids baby wife husband spouse partner fiance fiancé fiancee fiancée girlfriend
boyfriend friend friends uncle aunt auntie cousin cousins nephew nephews niece nieces grandmother grandfather grandma
grandpa gran granddad nan grandson granddaughter grandchild grandchildren grandkids stepson stepdaughter stepmother
stepfather boss manager colleague teacher coach mentor neighbour neighbor roommate flatmate housemate therapist doctor
dentist dog dogs cat cats puppy kitten horse horses pony parrot budgie hamster rabbit bunny tortoise turtle snake fish
goldfish pet pets bird chicken chickens hens goat goats ferret lizard gecko
`);

/** Things one owns for long. */
export const OWNED = set(`
car cars bike bikes bicycle motorbike motorcycle scooter van truck boat yacht house houses flat apartment cottage cabin
farm garden greenhouse allotment vineyard shop store company business startup bakery restaurant cafe studio piano guitar
guitars violin cello drum drums flute saxophone trumpet ukulele harp degree phd doctorate masters tattoo tattoos allergy
diabetes asthma epilepsy adhd autism dyslexia arthritis podcast blog channel band website telescope camera collection
`);

/** What belongs to a person as a fact: "my hometown is Lyon". */
export const ATTRIBUTES = set(`
job profession occupation hometown nationality hobby hobbies birthplace religion nickname surname school university
college major team band instrument sport language dream goal ambition height star-sign zodiac diet specialty
`);

/** After "my name is" or "I am": no name. */
export const NOT_NAMES = set(`
a an the not no on in at too very so really quite hard difficult long short weird important none unknown secret nothing
common rare funny irrelevant that this it what who from here there back ready done home sure sorry fine good great ok
okay well happy sad tired bored angry hungry thirsty sick ill busy late lost free alone lonely glad afraid scared
excited nervous confused curious interested just also still always never now going trying looking thinking feeling
serious kidding joking wondering asking talking speaking only pretty all both your you my his her their our maybe
spelled pronounced written different similar hidden misspelled wrong right being getting having doing
later back soon tomorrow crazy anytime again please when if old young new big small tall
`);

/** "I am ..." that lasts. Nationalities are found by `DEMONYM`. */
export const STATES = set(`
vegetarian vegan pescatarian married single divorced widowed engaged retired unemployed self-employed left-handed
right-handed colour-blind color-blind deaf blind diabetic autistic dyslexic asthmatic bilingual jewish muslim christian
catholic protestant buddhist hindu sikh atheist agnostic gay lesbian bisexual trans nonbinary pregnant
`);

/** A nationality in lower case, whole: what "I am ..." says for good. */
export const DEMONYM =
  /^(?:american|british|english|scottish|welsh|irish|french|german|italian|spanish|portuguese|dutch|belgian|swiss|austrian|swedish|norwegian|danish|finnish|polish|czech|slovak|hungarian|romanian|bulgarian|greek|turkish|russian|ukrainian|serbian|croatian|slovenian|canadian|mexican|brazilian|argentinian|argentine|chilean|colombian|peruvian|cuban|chinese|japanese|korean|taiwanese|vietnamese|thai|indonesian|malaysian|filipino|indian|pakistani|bangladeshi|nepali|iranian|persian|iraqi|israeli|palestinian|lebanese|syrian|egyptian|moroccan|algerian|tunisian|nigerian|ghanaian|kenyan|ethiopian|somali|south african|australian|icelandic|estonian|latvian|lithuanian|european|african|asian)$/;

/** "I am a ..." that says nothing lasting. */
export const PASSING = set(`
bit little lot mess wreck idiot fool genius god ghost stranger loser failure person human man woman boy girl guy few
tad touch disaster bot robot computer test
`);

/** Months, for birthdays. */
export const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** Verbs whose present tense states a habit worth remembering. */
export const HABITS =
  'live|work|study|play|speak|teach|collect|own|run|drive|grow|paint|write|cook|bake|eat|drink|coach|volunteer|train|keep|breed|sing|dance|ride|practise|practice|follow|support|have|eat|smoke|design|build|make|sell|read|do';
