/** Names in a prompt: whose portrait it is, what an animal is called, and who does something in a scene. */
import { LEXICON } from './nouns.ts';
import { NAMES } from './portrait/lexicon.ts';
import { isHeardOf, isSmall } from './thing-words.ts';

/** Whose portrait it is: a person called Daisy is no flower. */
const SITTER = /^([Pp]ortrait of)(?: (?:(?:Mr|Mrs|Ms|Mx|Dr|Prof|St)\.|\p{Lu}[\p{L}'-]*))+(?=[.,]|$)/u;

/** Who it is, before what it is: "Max the dog". */
const CALLED = /^(?:\p{Lu}\p{L}+)(?= the (\p{L}+))/u;

/** One name, before what only a person does, wears or is with: "Zuri dancing in the rain", "Emma and Liam at the beach". */
const SOMEBODY =
  /(?<![\p{L}'’-]|(?:sign|poster|called|named|of|says?|saying) ["“]?)(\p{Lu}\p{Ll}+)(?= (?:(?:is |are )?(?<does>\p{L}+ing)\b|wearing|(?:in|on|with) (?:an?|his|her) |at (?:an?|the) |and (?<other>\p{Lu}\p{Ll}+)\b))/gu;
const HUMAN =
  /^(?:dancing|walking|singing|reading|cooking|baking|running|playing|smiling|laughing|sitting|standing|wearing|drinking|eating|working|painting|writing|riding|cycling|swimming|waving|hiking|jogging|shopping|talking|teaching|gardening|studying|posing|sleeping|driving|dressed|climbing|skiing|surfing|fishing|celebrating|meditating|holding|looking|watching)$/;
/** Known to all by what they look like: no other person is drawn for them. */
const CHARACTERS =
  /^(?:pikachu|elsa|shrek|mario|luigi|sonic|snoopy|garfield|godzilla|yoda|naruto|goku|spongebob|simba|nemo|dumbo|bambi|totoro|minion|gandalf|frodo|hulk|joker|barbie|moana|mulan|pinocchio)$/i;

/** True for one that all know by sight. @param word lower case */
export const isCharacter = (word: string): boolean => CHARACTERS.test(word);

/** Whom a name is read as: a woman, a man or a person; undefined where it is a word for something else. */
function somebody(name: string, does: string | undefined, isPaired: boolean): string | undefined {
  const word = name.toLowerCase();
  const gender = NAMES.get(word);
  const isActing = does !== undefined && HUMAN.test(does);
  if (CHARACTERS.test(word) || isSmall(word)) return undefined;
  if (LEXICON.has(word) && !(gender && isActing && does !== 'standing')) return undefined;
  if (!gender && (isHeardOf(word) || !(isPaired || isActing))) return undefined;
  return gender === 'female' ? 'a woman' : gender === 'male' ? 'a man' : 'a person';
}

/** The prompt without names that mean no thing; who has one in a scene is a person. */
export function withoutNames(prompt: string): string {
  const text = prompt
    .replace(SITTER, '$1 ')
    .replace(CALLED, (name: string, what: string) =>
      LEXICON.has(what.toLowerCase()) && !isSmall(name.toLowerCase()) ? '' : name,
    );
  if (/^portrait\b/i.test(prompt)) return text;
  const pairs = [
    ...text.matchAll(/(\p{Lu}\p{Ll}+) and (\p{Lu}\p{Ll}+)(?= (?:\p{L}+ing|are|in|at|on|with)\b)/gu),
  ].filter(([, one = '', other = '']) => [one, other].every((name) => NAMES.has(name.toLowerCase())));
  const paired = pairs.reduce(
    (read, [pair, one = '', other = '']) =>
      read.replace(pair, `${somebody(one, undefined, true) ?? one} and ${somebody(other, undefined, true) ?? other}`),
    text,
  );
  return paired.replace(SOMEBODY, (name: string, ...rest) => {
    const { does, other } = rest.at(-1) as { does?: string; other?: string };
    return other ? name : (somebody(name, does, false) ?? name);
  });
}
