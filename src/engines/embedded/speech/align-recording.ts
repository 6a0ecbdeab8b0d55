/**
 * Puts the sounds that a recorded speaker made beside those that eSpeak would make of the same text, so that each
 * sound and word of the recording knows its place in the text. Both read nearly alike; the cheapest alignment bridges
 * the rest ("thirty four" and "thirty-four", a dropped schwa). It takes times from the recording alone.
 */
import type { Phone } from './flite.ts';
import type { SpeechEvent } from './word-marks.ts';

/** Flite's ARPAbet in IPA. */
const IPA: Record<string, string> = {
  aa: 'ɑː',
  ae: 'æ',
  ah: 'ʌ',
  ao: 'ɔː',
  aw: 'aʊ',
  ax: 'ə',
  axr: 'ɚ',
  ay: 'aɪ',
  b: 'b',
  ch: 'tʃ',
  d: 'd',
  dh: 'ð',
  dx: 'ɾ',
  eh: 'ɛ',
  el: 'l',
  em: 'm',
  en: 'n',
  er: 'ɚ',
  ey: 'eɪ',
  f: 'f',
  g: 'ɡ',
  hh: 'h',
  hv: 'h',
  ih: 'ɪ',
  iy: 'iː',
  jh: 'dʒ',
  k: 'k',
  l: 'l',
  m: 'm',
  n: 'n',
  ng: 'ŋ',
  nx: 'n',
  ow: 'oʊ',
  oy: 'ɔɪ',
  p: 'p',
  r: 'ɹ',
  s: 's',
  sh: 'ʃ',
  t: 't',
  th: 'θ',
  uh: 'ʊ',
  uw: 'uː',
  v: 'v',
  w: 'w',
  y: 'j',
  z: 'z',
  zh: 'ʒ',
};

const VOWEL = /^[aeiouæɑɐɒɔəɛɜɚɪʊʌʉɨyøœ]/u;
const STRESS = /^[ˈˌ]/u;
const GAP = 0.7;
const OTHER_VOWEL = 0.4;
const OTHER_CONSONANT = 0.9;
const OTHER_KIND = 1.6;

/**
 * @param expected eSpeak's words and sounds of the text. @param phones the recording's.
 * @returns the words and sounds of the recording with eSpeak's positions and stress, in order of time.
 */
export function alignSounds(expected: SpeechEvent[], phones: Phone[]): SpeechEvent[] {
  const sounds = expected.filter(({ kind, ipa }) => kind === 'phoneme' && ipa);
  const said = phones.filter(({ name }) => name !== 'pau');
  const partner = partners(
    sounds.map(({ ipa = '' }) => ipa.replace(STRESS, '')),
    said.map(({ name }) => IPA[name] ?? 'ə'),
  );
  const begins = wordStarts(expected, partner, said.length);
  const events: SpeechEvent[] = [];
  let position = expected[0]?.position ?? 0;
  let index = 0;
  for (const { name, startMs: ms } of phones) {
    if (name === 'pau') {
      events.push({ ms, kind: 'phoneme', position, ipa: '' });
      continue;
    }
    for (const word of begins.get(index) ?? []) events.push({ ms, kind: 'word', position: word.position });
    const like = partner.saidToSound[index];
    const sound = like === undefined ? undefined : sounds[like];
    position = Math.max(position, sound?.position ?? position);
    const stress = sound?.ipa?.match(STRESS)?.[0] ?? '';
    events.push({ ms, kind: 'phoneme', position, ipa: stress + (IPA[name] ?? 'ə') });
    index++;
  }
  events.push({ ms: phones.at(-1)?.endMs ?? 0, kind: 'phoneme', position, ipa: '' });
  return events;
}

/** The words that begin with each sound of the recording: a word begins with the first of its sounds that was said. */
function wordStarts(expected: SpeechEvent[], { soundToSaid }: Partners, length: number): Map<number, SpeechEvent[]> {
  const begins = new Map<number, SpeechEvent[]>();
  let sound = 0;
  for (const event of expected) {
    if (event.kind === 'phoneme' && event.ipa) sound++;
    if (event.kind !== 'word') continue;
    const start = Math.min(soundToSaid.slice(sound).find((at) => at !== undefined) ?? length - 1, length - 1);
    begins.set(start, [...(begins.get(start) ?? []), event]);
  }
  return begins;
}

interface Partners {
  saidToSound: (number | undefined)[];
  soundToSaid: (number | undefined)[];
}

/** The cheapest alignment of two sequences, by dynamic programming; what has no partner is undefined. */
function partners(sounds: string[], said: string[]): Partners {
  const width = said.length + 1;
  const cost = new Float64Array((sounds.length + 1) * width);
  const at = (i: number, j: number) => cost[i * width + j] ?? 0;
  const match = (i: number, j: number) => at(i - 1, j - 1) + distance(sounds[i - 1] ?? '', said[j - 1] ?? '');
  for (let i = 0; i <= sounds.length; i++) {
    for (let j = 0; j <= said.length; j++) {
      const skipped = Math.min(i > 0 ? at(i - 1, j) + GAP : Infinity, j > 0 ? at(i, j - 1) + GAP : Infinity);
      const best = i > 0 && j > 0 ? Math.min(skipped, match(i, j)) : skipped;
      cost[i * width + j] = best === Infinity ? 0 : best;
    }
  }
  const found: Partners = { saidToSound: said.map(() => undefined), soundToSaid: sounds.map(() => undefined) };
  let i = sounds.length;
  let j = said.length;
  while (i > 0 && j > 0) {
    if (at(i, j) === match(i, j)) {
      i--;
      j--;
      found.saidToSound[j] = i;
      found.soundToSaid[i] = j;
    } else if (at(i, j) === at(i - 1, j) + GAP) i--;
    else j--;
  }
  return found;
}

function distance(a: string, b: string): number {
  if (a === b || a.replace('ː', '') === b.replace('ː', '')) return 0;
  const vowels = Number(VOWEL.test(a)) + Number(VOWEL.test(b));
  if (vowels === 1) return OTHER_KIND;
  if (a[0] === b[0]) return 0.1;
  return vowels === 2 ? OTHER_VOWEL : OTHER_CONSONANT;
}
