/** The mouth's timeline: what each sound asks of the lips, frame by frame, before any pixel is drawn. */
import { describe, expect, test } from '@jest/globals';
import { mouthTimeline } from '../../../../src/engines/embedded/renderer/talking-head/index.ts';
import { motionTimeline } from '../../../../src/engines/embedded/renderer/talking-head/motion.ts';
import { shapesOf } from '../../../../src/engines/embedded/renderer/talking-head/phonemes.ts';
import type { Mark } from '../../../../src/engines/ports/index.ts';
import { phonemeMarks, rate, voice } from './still.ts';

const fps = 25;
const timeline = (marks: Mark[], seconds: number, pcm = voice(seconds)) =>
  mouthTimeline({ pcm, rate, marks, fps, frames: Math.round(seconds * fps) });
const frameOf = (ms: number) => Math.round((ms * fps) / 1000);

describe('phonemes', () => {
  test.each(['p', 'b', 'm'])('%s presses the lips', (ipa) => {
    expect(shapesOf(ipa)).toMatchObject([{ shape: { open: 0, press: 1 } }]);
  });
  test.each(['uː', 'w', 'oʊ', 'ʃ', 'ˈyː'])('%s rounds them', (ipa) => {
    expect(shapesOf(ipa)[0]?.shape.wide).toBeLessThan(-0.5);
  });
  test.each(['f', 'v'])('%s bites the lower lip', (ipa) => expect(shapesOf(ipa)[0]?.shape.bite).toBe(1));
  test('a diphthong has two shapes, a pause none, a letter outside the IPA a neutral one', () => {
    expect(shapesOf('aɪ')).toHaveLength(2);
    expect(shapesOf('')).toEqual([]);
    expect(shapesOf('ʲ')).toEqual([]);
    expect(shapesOf('字')).toMatchObject([{ shape: { press: 0 } }]);
  });
  test('decomposed and precomposed letters look alike', () => expect(shapesOf('ɔ̃')).toEqual(shapesOf('ɔ')));
});

describe('the timeline', () => {
  test.each([25, 24, 30])(
    'closes on every p, b and m at %i frames a second, however short its neighbours',
    (rateOfFrames) => {
      const marks = Array.from({ length: 60 }, (_, i): Mark => {
        return {
          ms: 200 + i * 67,
          kind: 'phoneme',
          at: 0,
          len: 0,
          ipa: i % 2 ? 'ɑ' : (['p', 'b', 'm'][(i / 2) % 3] ?? 'p'),
        };
      });
      const pcm = voice(5);
      const { open } = mouthTimeline({ pcm, rate, marks, fps: rateOfFrames, frames: 5 * rateOfFrames });
      const widest = Math.max(...open);
      for (const mark of marks.filter(({ ipa }) => ipa !== 'ɑ')) {
        expect(open[Math.round((mark.ms * rateOfFrames) / 1000)]).toBeLessThanOrEqual(0.05 * widest);
      }
      expect(widest).toBeGreaterThan(0.2);
    },
  );

  test.each(['f', 'v'])('smiles on at %s, and not at m', (ipa) => {
    const { kept } = timeline(phonemeMarks(`ɑ ${ipa} ɑ m ɑ`), 1.5);
    expect(kept[frameOf(400)]).toBeGreaterThan(0.5);
    expect(kept[frameOf(740)]).toBe(0);
  });

  test.each(['f', 'v'])('closes on m right behind %s, whose lip is at the teeth', (before) => {
    const { open, bite } = timeline(phonemeMarks(`ɑ ${before} m ɑ`), 1.2);
    expect([open[frameOf(560)], bite[frameOf(560)]]).toEqual([0, 0]);
    expect(Math.max(...bite)).toBe(1);
  });

  test('rounds on oo, spreads on ee, and rounds ahead of the sound', () => {
    const { wide } = timeline(phonemeMarks('t iː t uː t'), 1.4);
    expect(wide[frameOf(400 + 80)]).toBeGreaterThan(0.3);
    expect(wide[frameOf(720 + 80)]).toBeLessThan(-0.5);
    expect(wide[frameOf(720 - 40)]).toBeLessThan(0);
  });

  test('is neutral in the first and last frame and rests in pauses', () => {
    const marks: Mark[] = [
      { ms: 0, kind: 'phoneme', at: 0, len: 0, ipa: 'a' },
      { ms: 300, kind: 'phoneme', at: 0, len: 0, ipa: '' },
      { ms: 1500, kind: 'phoneme', at: 0, len: 0, ipa: 'a' },
    ];
    const { open } = timeline(marks, 1.9);
    expect(open[0]).toBe(0);
    expect(open.at(-1)).toBe(0);
    expect(open[frameOf(160)]).toBeGreaterThan(0.4);
    expect(open[frameOf(900)]).toBe(0);
  });

  test("keeps all of the still's own mouth at the ends and in pauses, some of it at vowels, none where lips close or round", () => {
    const { kept } = timeline(
      [...phonemeMarks('m ɑ m ɑ u v'), { ms: 1300, kind: 'phoneme', at: 0, len: 0, ipa: '' }],
      3,
    );
    expect([kept[0], kept.at(-1), kept[frameOf(2400)]]).toEqual([1, 1, 1]);
    expect(kept[frameOf(560)]).toBe(0);
    expect(kept[frameOf(440)]).toBeGreaterThan(0.5);
    expect(kept[frameOf(440)]).toBeLessThan(0.8);
    expect(kept[frameOf(960)]).toBeLessThan(0.15);
  });

  test('opens less when the voice is softer', () => {
    const pcm = voice(2);
    for (let i = pcm.length / 2; i < pcm.length; i++) pcm[i] = Math.round((pcm[i] ?? 0) / 12);
    const { open } = timeline(
      [
        { ms: 200, kind: 'phoneme', at: 0, len: 0, ipa: 'a' },
        { ms: 1300, kind: 'phoneme', at: 0, len: 0, ipa: 'a' },
      ],
      2,
      pcm,
    );
    expect(open[frameOf(1480)]).toBeLessThan(0.9 * (open[frameOf(380)] ?? 0));
  });

  test('follows the loudness where there are no marks, and stays shut in silence', () => {
    expect(Math.max(...timeline([], 2).open)).toBeGreaterThan(0.4);
    expect(Math.max(...timeline([], 2, new Int16Array(2 * rate)).open)).toBe(0);
  });
});

describe('the rest of the face', () => {
  const minute = voice(60);
  const motion = (seed: number) => motionTimeline({ pcm: minute, rate, fps, frames: 60 * fps, seed });

  test('blinks every two to six seconds, each time shut for at least a frame', () => {
    const { lids } = motion(7);
    const starts = [...lids].flatMap((lid, i) => (lid > 0 && lids[i - 1] === 0 ? [i / fps] : []));
    const gaps = starts.slice(1).map((at, i) => at - (starts[i] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(1.8);
    expect(Math.max(...gaps)).toBeLessThan(6);
    expect(new Set(gaps.map((gap) => gap.toFixed(1))).size).toBeGreaterThan(gaps.length / 2);
    for (const at of starts) expect(Math.max(...lids.slice(at * fps, at * fps + 6))).toBe(1);
  });

  test('nods less while the lips are pressed, as far as ever elsewhere, and never jumps', () => {
    const press = new Float32Array(60 * fps);
    for (let second = 1; second < 59; second++) press.fill(1, second * fps, second * fps + 3);
    const { pitch } = motion(7);
    const { pitch: calm } = motionTimeline({ pcm: minute, rate, fps, frames: 60 * fps, seed: 7, press });
    const mean = (nods: Float32Array, counts: (frame: number) => boolean) => {
      const sizes = [...nods].filter((_, frame) => counts(frame)).map(Math.abs);
      return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    };
    const pressed = (frame: number) => press[frame] === 1;
    const between = (frame: number) => frame % fps >= 10 && frame % fps < 18;
    expect(mean(calm, pressed)).toBeLessThan(mean(pitch, pressed) * 0.6);
    // The few widest nods are elsewhere than lips are pressed; all others are as they were.
    const elsewhere = [...pitch.keys()].filter(between);
    const changed = elsewhere.filter((frame) => Math.abs((calm[frame] ?? 0) - (pitch[frame] ?? 0)) > 1e-5);
    expect(changed.length).toBeLessThan(elsewhere.length * 0.2);
    expect(mean(calm, between)).toBeGreaterThan(mean(pitch, between) - 0.01);
    const step = (nods: Float32Array) =>
      nods.reduce((most, nod, i) => Math.max(most, Math.abs(nod - (nods[i - 1] ?? nod))), 0);
    expect(step(calm)).toBeLessThanOrEqual(step(pitch) * 1.05);
  });

  test('nods widely up and down twice a minute, and little most of the time', () => {
    for (const seed of [1, 2, 3, 4]) {
      const { pitch } = motion(seed);
      for (const half of [pitch.slice(0, 30 * fps), pitch.slice(30 * fps)]) {
        expect(Math.max(...half)).toBeGreaterThan(1.2);
        expect(Math.min(...half)).toBeLessThan(-1.4);
      }
      const sizes = pitch.map(Math.abs).sort();
      expect(sizes[sizes.length >> 1]).toBeLessThan(0.4);
    }
  });

  test('leans to both sides, and glances so far that it is seen', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { roll, gazeX } = motionTimeline({ pcm: voice(20), rate, fps, frames: 20 * fps, seed });
      // A lean of 1 is 2.4 degrees.
      expect(Math.min(Math.max(...roll), -Math.min(...roll))).toBeGreaterThan(0.83);
      const settled = [...gazeX].filter(
        (at, frame) => frame > fps && frame < 19 * fps && Math.abs(at - gazeX[frame - 1]!) < 0.005,
      );
      const glances = settled.map(Math.abs).filter((width) => width > 0.02);
      expect(glances.length).toBeGreaterThan(0);
      expect(Math.min(...glances)).toBeGreaterThan(0.25);
    }
  });

  test('is at rest in the first and last frame, and the same for the same seed', () => {
    const [one, other, another] = [motion(1), motion(1), motion(2)];
    expect(one).toEqual(other);
    expect(one.yaw).not.toEqual(another.yaw);
    for (const values of Object.values(one) as Float32Array[])
      expect([Math.abs(values[0] ?? 1), Math.abs(values.at(-1) ?? 1)]).toEqual([0, 0]);
  });
});
