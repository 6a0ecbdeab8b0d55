/**
 * Reads how a prompt wants its video to move: the camera's way, its pace, and how lively the scene is. Whole words
 * only; a prompt that says nothing gets a slow push with a little drift, chosen by the seed.
 */
import { between, seeded } from '../graphics/random.ts';

/** Moves of the camera that a prompt asks for. */
export interface CameraMoves {
  /** -1 to 1: the camera goes left or right, up or down; 0 stays. */
  pan: number;
  tilt: number;
  /** 1 in, -1 out, 0 neither. */
  zoom: number;
  /** Share of the frame that the camera travels to either side of its middle. */
  reach: number;
  /** How much closer it comes, as a share of the size. */
  closer: number;
  /** Pace of what lives in the scene; 1 is usual. */
  pace: number;
  /** Unsteady hand, 0 to 1. */
  shake: number;
  /** True when the prompt names a camera movement. */
  isNamed: boolean;
}

/** From this length on the camera uses all its reach. */
const CALM_S = 4;

const FAST = /\b(fast|quick(ly)?|rapid(ly)?|swift(ly)?|racing|rush(es|ing)?|speeding|energetic|dynamic|action)\b/;
const SLOW = /\b(slow(ly)?|calm(ly)?|gentl[ey]|peaceful(ly)?|serene|quiet|tranquil|slow[- ]motion|dreamy|lazy|still)\b/;
const STATIC =
  /\b((static|fixed|locked|still|motionless) (shot|camera|frame)|(camera|tripod) (is |stays |remains )?(still|static|fixed)|no camera (move|movement|motion)|tripod)\b/;
const LAPSE = /\b(time[- ]?lapse|hyper[- ]?lapse)\b/;
const SHAKE = /\b(hand[- ]?held|shaky|documentary style|found footage)\b/;

/** Where the camera goes: pattern, then what it sets. */
const WAYS: readonly [RegExp, Partial<CameraMoves>][] = [
  [
    /\b(pan(s|ning)?|truck(s|ing)?|track(s|ing)?|slid(e|es|ing)|mov(e|es|ing)|drift(s|ing)?|camera)( slowly| gently| quickly)?( to(wards?)?)?( the)? left\b/,
    { pan: -1 },
  ],
  [
    /\b(pan(s|ning)?|truck(s|ing)?|track(s|ing)?|slid(e|es|ing)|mov(e|es|ing)|drift(s|ing)?|camera)( slowly| gently| quickly)?( to(wards?)?)?( the)? right\b/,
    { pan: 1 },
  ],
  [/\b(right to left)\b/, { pan: -1 }],
  [/\b(left to right)\b/, { pan: 1 }],
  [
    /\b(tilt(s|ing)?|pan(s|ning)?|ris(es|ing)|crane|camera|boom)( slowly)? up(wards?)?\b|\bcamera (rises|lifts|ascends)\b/,
    { tilt: -1 },
  ],
  [
    /\b(tilt(s|ing)?|pan(s|ning)?|crane|camera|boom)( slowly)? down(wards?)?\b|\bcamera (descends|lowers)\b/,
    { tilt: 1 },
  ],
  [
    /\b(zoom(s|ing)?|doll(y|ies|ying)|push(es|ing)?|mov(e|es|ing)|camera|fl(y|ies|ying))( slowly| gently| quickly)?[- ](in|closer|forwards?)\b|\b(approach(es|ing)|close in|into the distance|push-in|fly[- ]?through)\b/,
    { zoom: 1 },
  ],
  [
    /\b(zoom(s|ing)?|doll(y|ies|ying)|pull(s|ing)?|mov(e|es|ing)|camera)( slowly| gently| quickly)?[- ](out|back|backwards?|away)\b|\b(reveal(s|ing)?|pull-?back)\b/,
    { zoom: -1 },
  ],
  [/\b(aerial|drone|bird'?s[- ]eye|fly[- ]?over|flying over|from above|overhead|helicopter)\b/, { zoom: 1, tilt: 0.6 }],
  [
    /\b(orbit(s|ing)?|arc(s|ing)? around|circl(es|ing)|rotat(es|ing)|revolv(es|ing)|pan(s|ning)?|panoram(a|ic)|sweeping|tracking shot)\b/,
    { pan: 1 },
  ],
  [/\bzoom(s|ing)?\b/, { zoom: 1 }],
];

/** @param seconds length of the video: in a short one the camera goes less far, so that it does not rush */
export function readCameraMoves(prompt: string, seed: number, seconds = CALM_S): CameraMoves {
  const text = prompt.toLowerCase().replace(/[’`]/g, "'");
  const random = seeded(seed, 'camera');
  const isFast = FAST.test(text);
  const isSlow = !isFast && SLOW.test(text);
  const pace = (isFast ? 1.6 : isSlow ? 0.6 : 1) * (LAPSE.test(text) ? 6 : 1);
  const shake = SHAKE.test(text) ? 1 : 0;
  const still: CameraMoves = { pan: 0, tilt: 0, zoom: 0, reach: 0.06, closer: 0, pace, shake, isNamed: false };
  if (STATIC.test(text)) return { ...still, isNamed: true };
  const ways = WAYS.filter(([pattern]) => pattern.test(text)).map(([, way]) => way);
  // Earlier rows are more exact, so they are laid over the later ones.
  const named: Partial<CameraMoves> = Object.assign({}, ...ways.reverse());
  const isNamed = Object.keys(named).length > 0;
  const speed = (isFast ? 1.5 : isSlow ? 0.65 : 1) * Math.min(1, Math.max(0.3, seconds / CALM_S));
  if (!isNamed) {
    const pan = (random() < 0.5 ? -1 : 1) * between(random, 0.45, 0.9);
    return { ...still, pan, zoom: random() < 0.7 ? 1 : -1, reach: 0.055 * speed, closer: 0.085 * speed };
  }
  return {
    ...still,
    ...named,
    reach: (named.pan ? 0.13 : named.tilt ? 0.1 : 0.05) * speed,
    closer: named.zoom ? 0.24 * speed : 0,
    isNamed,
  };
}

/** Where the camera is: -1 to 1 of its reach aside and down, and 0 to 1 of its way closer. */
export interface Pose {
  x: number;
  y: number;
  near: number;
}

/** The camera at share `p` of the video and second `t`; starts and stops softly, goes evenly between. */
export function poseAt(moves: CameraMoves, p: number, t: number): Pose {
  const way = p + 0.45 * (p * p * (3 - 2 * p) - p);
  const wobble = (a: number, b: number) => moves.shake * 0.12 * (Math.sin(t * a) + 0.6 * Math.sin(t * b + 1));
  return {
    x: clamp(moves.pan * (2 * way - 1) + wobble(3.1, 7.3)),
    y: clamp(moves.tilt * (2 * way - 1) + wobble(3.7, 6.1)),
    near: moves.zoom > 0 ? way : moves.zoom < 0 ? 1 - way : 0,
  };
}

const clamp = (value: number): number => Math.min(1, Math.max(-1, value));
