/** A thread of recorded speakers: says one clause at a time. */
import { serve } from '../../ports/serve.ts';
import { loadFlite, type SpeakerTuning } from './flite.ts';

/** One clause for a recorded speaker. */
export interface RecordedTask {
  /** Plain ASCII. */
  text: string;
  speaker: SpeakerTuning;
  /** Samples per second of the audio that is wanted. */
  rate: number;
}

let loaded: ReturnType<typeof loadFlite> | undefined;

serve<RecordedTask>(async ({ text, speaker, rate }) => {
  loaded ??= loadFlite();
  return (await loaded).speak(text, speaker, rate);
});
