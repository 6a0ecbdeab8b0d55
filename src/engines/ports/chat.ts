/**
 * What a chat engine shares with the platform beside the AI SDK's interface: the form of the prompt that it is sent, and the
 * rules of reading that hold before and behind it, so that an avatar answers from what its brain found, quotes nothing
 * that the brain keeps back, and repeats what was stored of a speaker as it was stored.
 */
export { estimateTokens } from '../../persona/budget.ts';
export { type ParsedPersona, parsePersonaPrompt, REWRITE_MAX_CHARS } from '../../persona/prompt.ts';
export { MONTH, RELATIONS } from '../../persona/stated-fact-words.ts';
export {
  asSpeakerSaid,
  bare,
  type FactKind,
  foreignFacts,
  plainEnglish,
  type StatedFact,
  statedFacts,
} from '../../persona/stated-facts.ts';
export { disclosable } from '../../text/confidential.ts';
export { lowerFirst, upperFirst } from '../../text/letters.ts';
export { sentences } from '../../text/sentences.ts';
export { termOf, terms, words } from '../../text/terms.ts';
export { IRREGULAR, STOPWORDS } from '../../text/words.ts';
