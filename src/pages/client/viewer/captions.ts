/**
 * Captions in time with the speech: the text of a turn in readable pieces, the spoken word marked by the engine's word
 * marks. Without marks (text turns, translations) the pieces follow the recording's progress.
 */
import { spokenText, type TurnData } from '../../turn-data.ts';

interface Cue {
  from: number;
  to: number;
  /** When it is shown, in ms; undefined: by its share of the text. */
  ms: number | undefined;
}

const CUE_CHARS = 88;

export class Captions {
  readonly #line: HTMLElement;
  #text = '';
  #cues: Cue[] = [];
  #words: { ms: number; at: number; len: number }[] = [];
  #cue = -1;
  #spans: { span: HTMLElement; ms: number }[] = [];

  constructor(line: HTMLElement) {
    this.#line = line;
  }

  /** Shows this turn from its first piece; `translated` replaces the words that are spoken. */
  show(turn: TurnData, translated?: string): void {
    this.#text = translated ?? spokenText(turn);
    this.#words = translated === undefined ? (turn.words ?? []).filter((word) => word.len > 0) : [];
    this.#cues = cuesOf(this.#text, this.#words);
    this.#cue = -1;
    this.at(0, 1);
  }

  clear(): void {
    this.#cues = [];
    this.#spans = [];
    this.#cue = -1;
    this.#line.replaceChildren();
  }

  /** The recording stands at `timeMs` of `durationMs`. */
  at(timeMs: number, durationMs: number): void {
    if (this.#cues.length === 0) return;
    const share = durationMs > 0 ? timeMs / durationMs : 0;
    const index = this.#cues.findLastIndex(({ ms, from }) =>
      ms === undefined ? from <= share * this.#text.length : ms <= timeMs,
    );
    this.#draw(Math.max(0, index));
    for (const [place, { span, ms }] of this.#spans.entries()) {
      const nextMs = this.#spans[place + 1]?.ms ?? Number.POSITIVE_INFINITY;
      span.className = ms > timeMs ? 'ahead' : nextMs > timeMs ? 'now' : '';
    }
  }

  #draw(index: number): void {
    const cue = this.#cues[index];
    if (index === this.#cue || !cue) return;
    this.#cue = index;
    this.#spans = [];
    const parts: (Node | string)[] = [];
    let place = cue.from;
    for (const { ms, at, len } of this.#words) {
      if (at < cue.from || at >= cue.to) continue;
      if (at > place) parts.push(this.#text.slice(place, at));
      const span = document.createElement('span');
      span.textContent = this.#text.slice(at, at + len);
      parts.push(span);
      this.#spans.push({ span, ms });
      place = at + len;
    }
    parts.push(this.#text.slice(place, cue.to).trimEnd());
    this.#line.replaceChildren(...parts);
  }
}

/** Cuts at sentence ends, else at commas, else between words, into pieces of some two lines. */
function cuesOf(text: string, words: { ms: number; at: number }[]): Cue[] {
  const cues: Cue[] = [];
  for (let from = 0; from < text.length; ) {
    const to = from + cutLength(text.slice(from));
    const first = words.find((word) => word.at >= from && word.at < to);
    cues.push({ from, to, ms: words.length === 0 ? undefined : from === 0 ? 0 : first?.ms });
    from = to;
  }
  return cues;
}

function cutLength(rest: string): number {
  const sentence = /^[\s\S]*?[.!?…]["'”’)]*(?:\s+|$)/u.exec(rest)?.[0].length ?? rest.length;
  if (sentence <= CUE_CHARS) {
    // Short sentences share a line.
    const more = rest.slice(sentence);
    const next = more ? (/^[\s\S]*?[.!?…]["'”’)]*(?:\s+|$)/u.exec(more)?.[0].length ?? more.length) : 0;
    return next > 0 && sentence + next <= CUE_CHARS * 0.8 ? sentence + next : sentence;
  }
  const window = rest.slice(0, CUE_CHARS);
  const comma = Math.max(window.lastIndexOf(', '), window.lastIndexOf('; '), window.lastIndexOf(': '));
  if (comma > CUE_CHARS / 2) return comma + 2;
  const space = window.lastIndexOf(' ');
  return space > 0 ? space + 1 : CUE_CHARS;
}
