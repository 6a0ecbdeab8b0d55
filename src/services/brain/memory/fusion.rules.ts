/**
 * What was found by words and what was found by meaning as one ranking: weighted reciprocal rank fusion. A loose match
 * has no full vote, neither an entry that holds a small part of the question's words nor one hardly nearer than any other.
 */
import type { Ranked } from './ranking.rules.ts';

/**
 * What the list of words and that of meaning weigh. Set beforehand, not fitted to any data: whatever model is configured,
 * what was said word for word counts for more than what only resembles it.
 */
const WEIGHTS = { words: 1, meaning: 0.5 };
const MOST = WEIGHTS.words + WEIGHTS.meaning;
/** The usual constant of reciprocal rank fusion: how slowly a rank's worth falls. */
const K = 60;
/** An entry by words has the share of a vote that its score has of the best one, or of this where all match loosely. */
const FULL_VOTE_SCORE = 0.25;
/** Deviations nearer than the mean at which an entry has a full vote; thousands of entries reach three by chance. */
const FULL_VOTE_AT = 4;
/** What the entry has that is no nearer than others: enough to come last. */
const LEAST_VOTE = 0.1;
/** Among fewer vectors nothing stands out by so much, so what is possible there counts as this. */
const FEW = 10;
/** The vote of a memory that is the only one: there is nothing it is nearer than. */
const ONLY_ONE = 0.25;

/** An entry as the question's vector sees it. */
export interface Near {
  seq: number;
  /** Cosine similarity with the question. */
  similarity: number;
  /** How many dimensions differ from the question's in their sign. */
  distance: number;
}

/** The distances of one search; where a graph leads to the nearest, those of the newest memories instead of all. */
export interface Spread {
  compared: number;
  mean: number;
  deviation: number | null;
}

/** The largest number of deviations by which one of `count` values can stand out. */
const furthest = (count: number): number => (count - 1) / Math.sqrt(count);

/** How much an entry's nearness says, from 0 to 1. */
function vote(distance: number, { compared, mean, deviation }: Spread): number {
  if (compared < 2) return ONLY_ONE;
  if (!deviation) return LEAST_VOTE;
  const stretch = compared < FEW ? furthest(FEW) / furthest(compared) : 1;
  const standing = ((mean - distance) / deviation) * stretch;
  return Math.min(1, Math.max(LEAST_VOTE, standing / FULL_VOTE_AT));
}

const worth = (rank: number): number => (K + 1) / (K + 1 + rank);

/** Both rankings as one, best first; scores 0 to 1, newest first on ties. `words` is sorted, `near` need not be. */
export function fuse(words: readonly Ranked[], near: readonly Near[], spread: Spread): Ranked[] {
  const scores = new Map<number, number>();
  const add = (seq: number, score: number): void => void scores.set(seq, (scores.get(seq) ?? 0) + score);
  const full = Math.max(FULL_VOTE_SCORE, words[0]?.score ?? 0);
  const embedded = new Set(near.map(({ seq }) => seq));
  words.forEach(({ seq, score }, rank) => {
    // An entry that waits for its vector is judged by its words alone, not as if it meant nothing.
    add(seq, (embedded.has(seq) ? WEIGHTS.words : MOST) * (score / full) * worth(rank));
  });
  near
    .toSorted((a, b) => b.similarity - a.similarity || b.seq - a.seq)
    .forEach(({ seq, distance }, rank) => {
      add(seq, WEIGHTS.meaning * vote(distance, spread) * worth(rank));
    });
  return [...scores]
    .filter(([, score]) => score > 0)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .map(([seq, score]) => ({ seq, score: score / MOST }));
}
