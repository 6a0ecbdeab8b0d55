/**
 * What people and animals do, beyond where they are: the tool of what is done or of a calling, sleep and jumps. A table
 * and what applies it; what a prompt names itself goes before.
 */
import { LEXICON } from './nouns.ts';
import { isHolder, isLightEnough, type Subject } from './relations.ts';

/** What is done, or by whom, and a listed word for what it is done with. The first that matches wins. */
const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:knit|crochet)\w*/, 'ball of yarn'],
  [/\b(?:drummer|drumming)s?\b/, 'drum'],
  [/\b(?:violinist|fiddler|cellist)s?\b/, 'violin'],
  [/\bguitarists?\b/, 'guitar'],
  [/\bsaxophonists?\b/, 'saxophone'],
  [/\btrumpeters?\b/, 'trumpet'],
  [/\b(?:basketball|dunk(?:s|ing)?|dribbl(?:es|ing))\b/, 'basketball'],
  [/\btennis\b/, 'tennis racket'],
  [/\bbaseball\b/, 'baseball bat'],
  [/\bhockey\b/, 'hockey stick'],
  [/\b(?:boxer|boxing)s?\b/, 'boxing glove'],
  [/\b(?:archers?|archery)\b/, 'longbow'],
  [/\b(?:lumberjacks?|chopping wood|vikings?)\b/, 'axe'],
  [/\b(?:carpenters?|blacksmiths?|hammering)\b/, 'hammer'],
  [/\b(?:plumbers?|mechanics?|repairing|fixing)\b/, 'wrench'],
  [/\b(?:presentation|teachers?|professors?|teaching|lecturing)\b/, 'blackboard'],
  [/\b(?:painters?|artists?|painting)\b/, 'paint palette'],
  [/\b(?:gardeners?|gardening|watering)\b/, 'watering can'],
  [/\b(?:angler|fishing|fisher(?:man|men|woman))s?\b/, 'fishing rod'],
  [/\b(?:photograph\w*|filming)\b/, 'camera'],
  [/\b(?:chefs?|cooks?|cooking|frying)\b/, 'frying pan'],
  [/\b(?:bakers?|baking|bakes)\b/, 'bread'],
  [/\b(?:waiters?|waitress(?:es)?|butlers?)\b/, 'tray'],
  [/\bbaristas?\b/, 'coffee'],
  [/\bbartenders?\b/, 'cocktail'],
  [/\b(?:scientists?|chemists?)\b/, 'test tube'],
  [/\b(?:magicians?|wizards?|sorcerers?|sorceress|mages?|fairy|fairies)\b/, 'magic wand'],
  [/\bdetectives?\b/, 'magnifying glass'],
  [/\b(?:singers?|singing|sings|rappers?|karaoke)\b/, 'microphone'],
  [/\b(?:reading|reads|studying|studies|librarians?)\b/, 'book'],
  [/\b(?:writers?|writing|poets?|authors?)\b/, 'pen'],
  [/\b(?:sweep(?:s|ing)|mop(?:s|ping)|janitors?|cleaners?)\b/, 'broom'],
  [/\b(?:shoppers?|shopping)\b/, 'shopping bag'],
  [/\b(?:hikers?|hiking|backpackers?)\b/, 'backpack'],
  [/\b(?:tourists?|travell?ers?)\b/, 'suitcase'],
  [/\b(?:business ?(?:man|woman|men|women))\b/, 'briefcase'],
  [/\b(?:mailman|postman|couriers?|delivery (?:man|woman|person|boy|girl))\b/, 'parcel'],
  [/\b(?:knights?|gladiators?)\b/, 'sword'],
  [/\b(?:programmers?|coding|typing|hackers?)\b/, 'laptop'],
];
/** How many things an image has at most. */
const MOST = 6;

/**
 * People with what they do it with, where nothing else is said to be in their hands or done by them.
 * @param isInRoom where furniture stands
 */
export function withTools(subjects: Subject[], isInRoom: boolean): Subject[] {
  const all = [...subjects];
  for (const [i, person] of subjects.entries()) {
    const host = subjects[person.on ?? i] as Subject;
    const isTaken =
      host.role === 'animal' ||
      person.by !== undefined ||
      subjects.some((one) => one.on === i || (person.how === 'at' && one.role === 'thing' && one !== host));
    if (person.role !== 'person' || isTaken || all.length >= MOST) continue;
    const word = TOOLS.find(([said]) => said.test(person.phrase ?? person.word))?.[1];
    const noun = word === undefined ? undefined : LEXICON.get(word)?.noun;
    if (!word || !noun || all.some(({ sprite }) => sprite === noun.sprite)) continue;
    const tool: Subject = { word, sprite: noun.sprite, role: noun.role, height: noun.height, count: 1 };
    if (isLightEnough(tool)) all.push({ ...tool, on: i, how: 'held' });
    else if (isInRoom) {
      all.push(tool);
      all[i] = { ...person, by: tool.sprite };
    }
  }
  return all;
}

const ASLEEP =
  /^(?:(?:is|are|lying|curled up|fast|sound|and) )*(?:sleep(?:s|ing)|asleep|napping|dozing|snoozing|curled up)\b/;
const JUMPS = /^(?:is |are )?(?:jump(?:s|ing)|leap(?:s|ing)|hopp?(?:s|ing)|dunk(?:s|ing)|bouncing)\b/;
const ON_SILL = /^(?:\p{L}+ ){0,2}on (?:an?|the|my|our|his|her) (?:\p{L}+ )?window ?sill\b/u;

/** True for what is said to be on a window sill. */
export const isOnSill = (behind: string): boolean => ON_SILL.test(behind);

/** What a being does, by the words next to it. @param last the word before it */
export function poseOf(subject: Subject, last: string, behind: string): Subject['pose'] {
  if (!isHolder(subject)) return undefined;
  if (ASLEEP.test(behind) || /^(?:sleeping|napping)$/.test(last)) return 'asleep';
  return JUMPS.test(behind) || last === 'jumping' ? 'jumping' : undefined;
}
