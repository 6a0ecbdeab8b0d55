/** The ranking of memories over postings made by hand: what counts more than what. */
import { describe, expect, test } from '@jest/globals';
import { postingsOf } from '../../src/services/brain/memory/postings.codec.ts';
import {
  candidates,
  postingsCap,
  rerank,
  type TermStats,
  termWeights,
} from '../../src/services/brain/memory/ranking.rules.ts';
import { termHash } from '../../src/text/terms.ts';

/** A brain of these pages, in order, each linked to its neighbours. */
async function search(pages: string[], query: string, unlinked: number[] = []): Promise<string[]> {
  const indexed = pages.map(postingsOf);
  const stats = { n: 500, averageLength: indexed.reduce((sum, page) => sum + page.length, 0) / pages.length };
  const terms = postingsOf(query).terms.map((term): TermStats => {
    const seqs = indexed.flatMap((page, seq) => (page.terms.includes(term) ? [seq] : []));
    return {
      term,
      df: seqs.length,
      common: false,
      seqs,
      counts: seqs.map((seq) => indexed[seq]!.counts[indexed[seq]!.terms.indexOf(term)]!),
      lengths: seqs.map((seq) => indexed[seq]!.length),
    };
  });
  const weights = termWeights(terms, stats);
  const close = candidates(weights)
    .filter((seq) => seq < pages.length)
    .map((seq) => {
      const linked = unlinked.includes(seq) ? [] : [-2, -1, 1, 2].filter((offset) => pages[seq + offset] !== undefined);
      return { seq, content: pages[seq]!, speakerRef: null, linked };
    });
  return (await rerank(query, close, terms, weights, stats)).map(({ seq, score }) => {
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThanOrEqual(1);
    return pages[seq]!;
  });
}

describe('rank', () => {
  test.each<[string, string[], string, string]>([
    ['the page with both words leads', ['red', 'x', 'y', 'red kite', 'z', 'w', 'kite'], 'red kite', 'red kite'],
    [
      'a rare word outweighs a frequent one',
      ['dog', 'a1', 'a2', 'dog', 'b1', 'b2', 'zebra', 'c1', 'c2', 'dog'],
      'dog zebra',
      'zebra',
    ],
    ['the short page beats the long', ['kite a1 a2 a3 a4 a5 a6 a7 a8', 'b1', 'b2', 'b3', 'kite'], 'kite', 'kite'],
    ['newest first on ties', ['kite green', 'a1', 'a2', 'a3', 'a4', 'kite brown'], 'kite', 'kite brown'],
    [
      'the speaker who is asked for',
      ['Bob said, "kite"', 'a1', 'a2', 'Ann said, "kite"', 'a3', 'a4', 'Bob said, "kite"'],
      "Ann's kite?",
      'Ann said, "kite"',
    ],
    ['a statement before a question', ['I fly a kite.', 'a1', 'a2', 'a3', 'I fly a kite?'], 'kite', 'I fly a kite.'],
  ])('%s', async (_, pages, query, first) => expect((await search(pages, query))[0]).toBe(first));

  test('the page that answers a matching question is found through it, unless it was saved at another time', async () => {
    const pages = ['a1', 'a2', 'a3', 'Where is the kite?', 'In the attic.', 'a4', 'a5', 'a6'];
    expect((await search(pages, 'kite')).slice(0, 2)).toEqual(expect.arrayContaining([pages[3], pages[4]]));
    expect(await search(pages, 'kite', [4])).not.toContain('In the attic.');
  });

  test('nothing matches, nothing comes back', async () => expect(await search(['a1', 'a2'], 'zebra')).toEqual([]));
});

test('a common term is scored on the page itself', async () => {
  const stats = { n: 100, averageLength: 2 };
  const common: TermStats = { term: termHash('tea'), df: 60, common: true, seqs: [], counts: [], lengths: [] };
  const rare: TermStats = {
    term: termHash('kite'),
    df: 2,
    common: false,
    seqs: [1, 9],
    counts: [1, 1],
    lengths: [2, 2],
  };
  const weights = termWeights([common, rare], stats);
  const pages = [
    { seq: 1, content: 'kite tea', speakerRef: null, linked: [] },
    { seq: 9, content: 'kite sea', speakerRef: null, linked: [] },
  ];
  expect((await rerank('kite tea', pages, [common, rare], weights, stats)).map(({ seq }) => seq)).toEqual([1, 9]);
});

test.each([
  [0, 200],
  [600, 200],
  [4000, 1000],
  [1_000_000, 2000],
])('of %i pages, a term with more than %i is common', (n, cap) => expect(postingsCap(n)).toBe(cap));
