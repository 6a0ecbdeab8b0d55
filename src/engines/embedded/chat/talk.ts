/** What is known when a reply is made: the prompt read back and put in order. It holds; it does not speak. */

import { asSpeakerSaid, type ParsedPersona, plainEnglish, type StatedFact, statedFacts } from '../../ports/chat.ts';
import { type Character, readCharacter } from './character.ts';
import { theyToI, youToI } from './person.ts';
import { Voice } from './voice.ts';

/** Everything that writing one reply needs. */
export interface Talk {
  input: ParsedPersona;
  character: Character;
  voice: Voice;
  /** What the speaker said before, oldest first. */
  userLines: string[];
  /** What stands before the question in the message that is answered. */
  led?: string;
  /** The avatar's replies, oldest first, chunks put together. */
  replies: string[];
  /** What the speaker stated about themself, here or remembered: newest first. */
  facts: StatedFact[];
  /** The speaker's statements in the first person, newest first. */
  statements: string[];
  /** Memories that are not the speaker's, first person where they are the avatar's own. */
  recalled: string[];
  /** Those of them that are of no speaker and not of the avatar. */
  ofWorld: string[];
  now: () => Date;
}

export function openTalk(given: ParsedPersona, now: () => Date): Talk {
  const character = readCharacter(given.name, given.personalityPrompt);
  // What the persona says of the world is known like a page it was trained on.
  const ofPersona = character.facts.length > 0 ? [{ id: 'p', text: character.facts.join(' ') }] : [];
  const input = { ...given, knowledge: [...given.knowledge, ...ofPersona] };
  const userLines = input.history.filter((row) => row.role === 'user').map((row) => row.text);
  const replies = joinedReplies(input);
  const { own, others, ofWorld } = splitMemories(input);
  const said = [...userLines, input.userText].reverse();
  const statements = [...said.flatMap(statementsOf), ...own];
  const told = [...said.flatMap((line) => statedFacts(line).reverse()), ...own.flatMap((line) => statedFacts(line))];
  // What was said and is remembered is one fact.
  const facts = told.filter(({ sentence }, at) => told.findIndex((fact) => fact.sentence === sentence) === at);
  const speaker = input.speakerName?.trim() || told.find((fact) => fact.kind === 'name')?.value;
  const salt = `${input.history.length}|${input.userText
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`;
  const voice = new Voice(character, salt, replies.join(' '), { speaker });
  return { input, character, voice, userLines, replies, facts, statements, recalled: others, ofWorld, now };
}

function joinedReplies(input: ParsedPersona): string[] {
  const replies: string[] = [];
  let open = false;
  for (const row of input.history) {
    if (row.role === 'avatar' && open) replies[replies.length - 1] += ` ${row.text}`;
    else if (row.role === 'avatar') replies.push(row.text);
    open = row.role === 'avatar';
  }
  return replies;
}

/** The speaker's own memories as they would say them, and all others as the avatar would. */
function splitMemories(input: ParsedPersona): Record<'own' | 'others' | 'ofWorld', string[]> {
  const own: string[] = [];
  const ofWorld: string[] = [];
  const others: string[] = [];
  for (const memory of input.memories) {
    const mine = memory.speakerName === undefined || memory.speakerName === input.speakerName;
    const said = asSpeakerSaid(memory.text);
    if (said && mine) own.push(said);
    else if (mine && memory.speakerName && /^(?:I|my)\b/i.test(memory.text)) own.push(plainEnglish(memory.text));
    else if (memory.speakerName) others.push(memory.text.replace(/^the speaker\b/i, memory.speakerName));
    else if (/^(?:you|your)\b/i.test(memory.text)) others.push(youToI(memory.text));
    else if (input.name && memory.text.includes(input.name)) others.push(theyToI(memory.text, input.name));
    else ofWorld.push(memory.text);
  }
  return { own, others: [...others, ...ofWorld], ofWorld };
}

/** Sentences about oneself that state something. */
function statementsOf(line: string): string[] {
  return plainEnglish(line)
    .split(/(?<=[.!?])\s+|\n+|,?\s+(?:and|but)\s+(?=(?:I|my)\s)/i)
    .map((part) => part.replace(/^(?:hi|hello|hey|well|so|oh|yes|no|ok|and|but|also|actually)\b[\s,!.]*/i, '').trim())
    .filter(
      (part) =>
        /\b(?:I|my|we|our)\b/i.test(part) &&
        !/\?$/.test(part) &&
        !/^(?:what|who|where|when|how|why|do|did|can|could|tell|is|are|am|(?:please )?(?:forget|delete|erase))\b/i.test(
          part,
        ),
    )
    .reverse();
}
