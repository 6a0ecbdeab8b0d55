/**
 * The ranking of the managed brain: BM25 over the rare terms, neighbours in time, then a closer look at the
 * best. Pure functions over postings; they never touch the database and never decide who may read what.
 */
import { timeSlices } from '../../../kernel/time-slices.ts';
import { fold, words } from '../../../text/terms.ts';
import { postingsOf } from './postings.codec.ts';

const K1 = 0.9;
const B = 0.4;
/** How many entries BM25 hands on. */
const TOP = 200;
/** How many candidates, neighbours included, may be looked up; the first `RERANK` that are readable are reranked. */
const CANDIDATES = 240;
/** How many entries are looked at closely. */
export const RERANK = 60;
/** What a term found in a neighbour is worth, by where the neighbour stands: [offset, weight]. */
const NEIGHBOURS: readonly (readonly [offset: number, weight: number])[] = [
  [0, 1],
  [-1, 0.6],
  [1, 0.4],
  [-2, 0.35],
  [2, 0.25],
];
/** Entries further apart than this do not speak of the same thing. */
export const LINK_GAP_MS = 30 * 60 * 1000;
const SPEAKER_BOOST = 1.2;
const QUESTION_PENALTY = 0.4;

/** One query term as the index knows it. Terms that are too common carry no postings. */
export interface TermStats {
  term: number;
  /** Entries that hold it; estimated for common terms. */
  df: number;
  common: boolean;
  seqs: number[];
  counts: number[];
  lengths: number[];
}

/** Sizes that term weights are reckoned from. */
export interface BrainStats {
  n: number;
  averageLength: number;
}

/** An entry the rerank looks at. */
export interface Candidate {
  seq: number;
  content: string;
  speakerRef: string | null;
  /** Offsets (-2..2) of the entries that exist, are near in time, and so are linked to it. */
  linked: number[];
}

/** A term's postings are read up to here. Bounds the cost of a recall however large the brain is. */
export function postingsCap(n: number): number {
  return Math.max(200, Math.min(2000, Math.floor(n / 4)));
}

const idf = (n: number, df: number): number => Math.log(1 + (Math.max(n, df) - df + 0.5) / (df + 0.5));

const saturation = (tf: number, length: number, averageLength: number): number =>
  (tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / averageLength));

/** What each term gives to each entry that holds it: idf times saturated frequency, per term a map by seq. */
export function termWeights(terms: readonly TermStats[], stats: BrainStats): Map<number, number>[] {
  return terms.map(({ df, seqs, counts, lengths }) => {
    const rarity = idf(stats.n, df);
    return new Map(
      seqs.map((seq, i) => [seq, rarity * saturation(counts[i] ?? 0, lengths[i] ?? 0, stats.averageLength)] as const),
    );
  });
}

/** The score of one entry: per term, the best of the entry itself and its linked neighbours. */
function linkedScore(weights: readonly Map<number, number>[], seq: number, linked?: ReadonlySet<number>): number {
  let score = 0;
  for (const bySeq of weights) {
    let best = 0;
    for (const [offset, weight] of NEIGHBOURS) {
      if (offset !== 0 && linked && !linked.has(offset)) continue;
      best = Math.max(best, weight * (bySeq.get(seq + offset) ?? 0));
    }
    score += best;
  }
  return score;
}

/** The `count` entries of the highest scores, best first, newest first on ties. */
function best(scores: ReadonlyMap<number, number>, count: number): number[] {
  // Sorting bare numbers to find the least score that counts is several times faster than sorting all the pairs.
  const least = scores.size > count ? (Float64Array.from(scores.values()).sort().at(-count) ?? 0) : 0;
  return [...scores]
    .filter(([, score]) => score >= least)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, count)
    .map(([seq]) => seq);
}

/** The entries worth a closer look, best first, as if every neighbour were linked. */
export function candidates(weights: readonly Map<number, number>[]): number[] {
  const own = new Map<number, number>();
  for (const bySeq of weights) for (const [seq, weight] of bySeq) own.set(seq, (own.get(seq) ?? 0) + weight);
  const near = new Map<number, number>();
  for (const seq of best(own, TOP)) {
    for (const [offset] of NEIGHBOURS) {
      const at = seq + offset;
      if (at >= 0 && !near.has(at)) near.set(at, linkedScore(weights, at));
    }
  }
  return best(near, CANDIDATES);
}

const NAME = "\\p{Lu}[\\p{L}'’-]*(?: \\p{Lu}[\\p{L}'’-]*){0,2}";
/** Who speaks in `Ann: hello`, `Ann said, "hello"` or `(8 May) Ann Lee said ...`, the forms logs are kept in. */
const SPOKEN = new RegExp(
  `^\\s*(?:[([][^)\\]]{0,80}[)\\]]\\s*)?(${NAME})(?::| (?:said|says|asked|wrote|replied|told)\\b)`,
  'u',
);

/** The folded words of an entry's speaker: named at its beginning, else the last part of its speakerRef. */
function speakerWords(entry: Pick<Candidate, 'content' | 'speakerRef'>): string[] {
  const named = SPOKEN.exec(entry.content)?.[1];
  return words(named ?? entry.speakerRef?.split(/[:/]/).at(-1) ?? '');
}

/** The share of a text's sentences that ask: 0 for a statement, 1 for nothing but questions. */
function askingShare(text: string): number {
  // Only from where a run of marks begins: from each mark of a long run it would be read again.
  const ends = fold(text).match(/(?<![.!?。！？])[.!?。！？]+(?=["')\]”’]*(?:\s|$))/gu);
  if (!ends) return 0;
  return ends.filter((end) => /[?？]/.test(end)).length / ends.length;
}

/** An entry and its score; the greater is the better. */
export interface Ranked {
  seq: number;
  score: number;
}

/**
 * The rerank: neighbours only where linked, common terms scored on the entry itself, a boost when the query names the
 * speaker, a penalty for entries that ask. Newest first on ties; scores 0 to 1, entries without any match left out. Sixty
 * long entries take a while: other requests are served between them.
 */
export async function rerank(
  query: string,
  entries: readonly Candidate[],
  terms: readonly TermStats[],
  weights: readonly Map<number, number>[],
  stats: BrainStats,
): Promise<Ranked[]> {
  const slice = timeSlices();
  const asked = new Set(words(query));
  const common = terms.filter((term) => term.common);
  const ceiling = terms.reduce((sum, term) => sum + idf(stats.n, term.df), 0) * (K1 + 1) * SPEAKER_BOOST;
  const ranked: Ranked[] = [];
  for (const entry of entries) {
    await slice();
    let score = linkedScore(weights, entry.seq, new Set(entry.linked));
    if (common.length > 0) {
      const own = postingsOf(entry.content);
      for (const { term, df } of common) {
        const times = own.counts[own.terms.indexOf(term)];
        if (times !== undefined) score += idf(stats.n, df) * saturation(times, own.length, stats.averageLength);
      }
    }
    if (speakerWords(entry).some((word) => asked.has(word))) score *= SPEAKER_BOOST;
    score *= 1 - QUESTION_PENALTY * askingShare(entry.content);
    ranked.push({ seq: entry.seq, score });
  }
  return ranked
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.seq - a.seq)
    .map(({ seq, score }) => ({ seq, score: Math.min(1, score / ceiling) }));
}
