/** Detecting speech by the loudness of the microphone. */
import { expect, test } from '@jest/globals';
import { VoiceActivity } from '../../src/pages/client/talk/voice-activity.ts';

const STEP_MS = 50;
const ROOM = 0.002;
const FAN = 0.02;
const VOICE = 0.1;

/** Stretches of a loudness for so many milliseconds, and what was heard to begin and end, by the time it was reported. */
const CASES: [string, [level: number, ms: number][], [string, number][]][] = [
  ['a quiet room is silent', [[ROOM, 5_000]], []],
  [
    'a sentence',
    [
      [ROOM, 1_000],
      [VOICE, 2_000],
      [ROOM, 2_000],
    ],
    [
      ['begins', 1_150],
      ['ends', 3_900],
    ],
  ],
  [
    'a cough is no sentence',
    [
      [ROOM, 1_000],
      [VOICE, 100],
      [ROOM, 2_000],
    ],
    [],
  ],
  [
    'a pause within a sentence does not end it',
    [
      [ROOM, 1_000],
      [VOICE, 1_000],
      [ROOM, 600],
      [VOICE, 1_000],
      [ROOM, 1_500],
    ],
    [
      ['begins', 1_150],
      ['ends', 4_500],
    ],
  ],
  [
    'a fan is learnt, and a voice is heard above it',
    [
      [FAN, 10_000],
      [VOICE, 1_000],
      [FAN, 2_000],
    ],
    [
      ['begins', 150],
      ['ends', 2_900],
      ['begins', 10_150],
      ['ends', 11_900],
    ],
  ],
];

test.each(CASES)('%s', (_name, stretches, expected) => {
  const activity = new VoiceActivity();
  const heard: [string, number][] = [];
  let nowMs = 0;
  for (const [level, ms] of stretches) {
    for (const end = nowMs + ms; nowMs < end; nowMs += STEP_MS) {
      const change = activity.push(level, nowMs);
      if (change) heard.push([change, nowMs]);
    }
  }
  expect(heard).toEqual(expected);
});
