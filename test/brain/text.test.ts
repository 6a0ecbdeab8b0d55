/** Text analysis: what becomes a term, what counts as a sentence, the same however a text arrives. */
import { describe, expect, test } from '@jest/globals';
import { chunkSentences, SentenceChunker, sentences } from '../../src/text/sentences.ts';
import { stem } from '../../src/text/stem.ts';
import { indexTerms, termHash, terms } from '../../src/text/terms.ts';
import fc from '../support/properties.ts';

describe('stems (the published Porter2 vocabulary)', () => {
  test.each([
    ['consign consigned consigning consignment', 'consign'],
    ['consist consisted consisting consists', 'consist'],
    ['knightly', 'knight'],
    ['knives', 'knive'],
    ['generate generates generated', 'generat'],
    ['general generally', 'general'],
    ['communication', 'communic'],
    ['hopping', 'hop'],
    ['hoping hope hoped', 'hope'],
    ['agreed agreement', 'agre agreement'],
    ['dying skies news sky', 'die sky news sky'],
    ['cries tie ties cried', 'cri tie tie cri'],
    ['rational relational sensational', 'ration relat sensat'],
    ['usefulness hopefully hopelessness', 'use hope hopeless'],
    ['adjustable adoption defensible', 'adjust adopt defens'],
    ['yesterday sayings youth', 'yesterday say youth'],
    ['gas kiwis gaps this', 'gas kiwi gap this'],
    ['inning innings exceed', 'inning inning exceed'],
  ])('%s', (input, wanted) => {
    const got = input.split(' ').map(stem);
    expect(wanted.includes(' ') ? got.join(' ') : [...new Set(got)].join(' ')).toBe(wanted);
  });
});

describe('terms', () => {
  test.each<[string, string[]]>([
    ["I don't think the children's mother went running.", ['think', 'child', 'mother', 'go', 'run']],
    ['he lives where she left as the train leaves', ['live', 'leav', 'train', 'leav']],
    ['Café NAÏVE Straße', ['cafe', 'naiv', 'strass']],
    ['ＦＵＬＬ width ﬁne', ['full', 'width', 'fine']],
    ["l'avion d'O'Brien’s", ['avion', 'obrien']],
    ['$1,000.50, or 3.5 or 2023', ['1000.50', '3.5', '2023']],
    ['東京へ行く', ['東京', '京へ', 'へ行', '行く']],
    ['안녕 세계', ['안녕', '세계']],
    ['犬', ['犬']],
    ['Москва́ й', ['москва', 'и']],
    ['Who are you?', []],
    ['', []],
    ['🎂 !!', []],
  ])('%s', (text, wanted) => expect(terms(text)).toEqual(wanted));

  test('a text of function words alone is indexed by them', () => {
    expect(indexTerms('Who are you?')).toEqual(['who', 'are', 'you']);
    expect(indexTerms('Who is Ann?')).toEqual(['ann']);
  });

  test('a monster of a word is cut, and no text breaks it', () => {
    expect(terms('x'.repeat(9000))).toEqual(['x'.repeat(64)]);
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => terms(text).every((term) => term.length > 0)));
  });

  test('hashes fit int4 and rarely meet', () => {
    const hashes = new Set(Array.from({ length: 50_000 }, (_, i) => termHash(`w${i}`)));
    expect(hashes.size).toBeGreaterThanOrEqual(49_997);
    expect([...hashes].every((hash) => (hash | 0) === hash)).toBe(true);
  });
});

describe('sentences and chunks', () => {
  test.each<[string, string[]]>([
    ['', []],
    [' \n ', []],
    ['One.', ['One.']],
    ['No end', ['No end']],
    ['One. Two! Three? Four.', ['One.', 'Two!', 'Three?', 'Four.']],
    ['Dr. Who is in.', ['Dr.', 'Who is in.']],
    ['Wait... what?! Yes', ['Wait...', 'what?!', 'Yes']],
    ['It costs 3.50 at a.b.c.', ['It costs 3.50 at a.b.c.']],
    ['“Hi.” she said. Bye', ['“Hi.” she said.', 'Bye']],
    ['A.\n\nB.\tC', ['A.', 'B.', 'C']],
  ])('sentences of %j', (text, wanted) => expect(sentences(text)).toEqual(wanted));

  test.each<[string, string[]]>([
    ['', []],
    ['A. B. C.', ['A. B. C.']],
    ['A. B. C. D.', ['A. B. C.', 'D.']],
    ['  A.  B.\nC. D. E. F. G', ['A.  B.\nC.', 'D. E. F.', 'G']],
  ])('chunks of %j', (text, wanted) => expect(chunkSentences(text)).toEqual(wanted));

  test('a chunk leaves as soon as white space follows its third sentence, not before', () => {
    const chunker = new SentenceChunker();
    expect(chunker.push('A. B. C.')).toEqual([]);
    expect(chunker.push('5 more? ')).toEqual(['A. B. C.5 more?']);
    expect(chunker.push('D')).toEqual([]);
    expect(chunker.end()).toBe('D');
    expect(chunker.end()).toBeNull();
  });

  test('however a text is cut, the chunks are the same', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '!', '?', ' ', '\n', '😀'), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(10)), (whole, cuts) => {
        const chunker = new SentenceChunker();
        const got: string[] = [];
        let at = 0;
        for (const cut of cuts) {
          got.push(...chunker.push(whole.slice(at, at + cut)));
          at += cut;
        }
        got.push(...chunker.push(whole.slice(at)));
        const rest = chunker.end();
        expect(rest === null ? got : [...got, rest]).toEqual(chunkSentences(whole));
        const grouped = sentences(whole).length;
        expect(chunkSentences(whole)).toHaveLength(Math.ceil(grouped / 3));
      }),
    );
  });
});
