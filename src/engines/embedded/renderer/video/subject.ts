/**
 * What a prompt shows, apart from how it is rendered: camera directions and the names of featured avatars are not drawn,
 * nor is twice what drifts through the air.
 */
import { type ImagePlan, readPrompt } from '../graphics/prompt.ts';
import { only } from '../graphics/relations.ts';

/** Words about the video itself; "camera" would else stand on the shore. */
const DIRECTIONS = [
  /\b(the |a )?((static|fixed|locked|still|slow|moving|steady|hand-?held|shaky|aerial|tracking|drone|no) )?cameras? ?(work|movements?|motion|shake|angle|is|stays|remains|slowly|gently|quickly|moves?|moving|pans?|panning|tilts?|tilting|zooms?|zooming|doll(y|ies)|pushes|pulls|rises|descends|lifts|lowers|circles|orbits|follows|flies|tracks|drifts|glides)\b/gi,
  /\b(static|fixed|locked|still|slow|moving|steady|hand-?held|shaky|aerial|tracking|drone|no) cameras?\b/gi,
  /\b(drone|helicopter|bird'?s[- ]eye|aerial|tracking|tripod|crane|wide|close-?up|establishing|slow[- ]motion|time-?lapse) (shots?|views?|footage|videos?|clips?)\b/gi,
  /\b(video|film|movie|clip|footage|animation) of\b/gi,
];
/** Subjects that are particles in a video. */
const AIRBORNE =
  /^(stars?|snow ?flakes?|fallen leaf|leaf|leaves|petals?|bubbles?|rain ?drops?|shooting stars?|falling stars?|meteors?|lightning|fireflies|confetti)$/;

/** Reads what is to be shown. @param names of references, which are seen on their cards */
export function readSubject(prompt: string, names: readonly string[]): ImagePlan {
  let text = DIRECTIONS.reduce((rest, pattern) => rest.replace(pattern, ' '), prompt);
  for (const name of names) if (name.trim()) text = text.split(name.trim()).join(' ');
  const image = readPrompt(text);
  return { ...image, subjects: only(image.subjects, ({ word }) => !AIRBORNE.test(word)) };
}
