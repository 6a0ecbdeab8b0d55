/** Credit prices of the documented API, in micro-credits. The only place where a price is written. */

/** Documented prices in micro-credits. */
export const PRICES = {
  imageGenerate: { default: 5_000n, typo_gen: 15_000n },
  imageEdit: { default: 10_000n, typo_edit: 30_000n },
  audioPerSecond: 1_500n,
  talkingHeadPerSecond: 26_500n,
  videoPerSecond: { draft: 20_000n, standard: 25_000n, high: 30_000n },
} as const;

/**
 * Price of `seconds` at a rate per second, rounded up to the micro-credit. A product that is whole but for the error of
 * floating point (7 200.000000001 of 4.8 s) is not rounded up to the next one: that error is far below 1e-6.
 */
export function priceOfSeconds(ratePerSecond: bigint, seconds: number): bigint {
  return BigInt(Math.ceil(Number(ratePerSecond) * seconds - 1e-6));
}

/** Price of spoken output: audio, or talking-head video which includes its audio. */
export function priceOfSpeech(output: 'audio' | 'video', seconds: number): bigint {
  return priceOfSeconds(output === 'video' ? PRICES.talkingHeadPerSecond : PRICES.audioPerSecond, seconds);
}

/** The rate of a video per second: draft before size and frame rate. */
export function videoRate(video: { draft: boolean; resolution: string; fps: number }): bigint {
  const { draft, standard, high } = PRICES.videoPerSecond;
  if (video.draft) return draft;
  return video.resolution === '1080p' || video.fps === 48 ? high : standard;
}
