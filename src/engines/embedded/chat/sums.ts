/** Small sums, worked out by rule: a calculator, not reasoning. */

const WORDS: [RegExp, string][] = [
  [/\b(?:plus|and)\b/g, '+'],
  [/\bminus\b/g, '-'],
  [/\b(?:times|multiplied by|x)\b|×/g, '*'],
  [/\b(?:divided by|over)\b|÷|:/g, '/'],
  [/\bto the power of\b/g, '^'],
];
const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const MAX_LENGTH = 80;

/** "what is 12 times 3" -> "12 times 3 is 36"; undefined when it is no sum. */
export function sum(text: string): { question: string; result: string } | undefined {
  const asked = text.replace(/^.*\b(?:what is|what does|calculate|how much is|compute|what are|tell me)\b/, '');
  const question = asked.replace(/\b(?:equals?|make|makes|is)\b/g, '').trim();
  if (!question || question.length > MAX_LENGTH) return undefined;
  let formula = question.replace(/(\d+(?:\.\d+)?) ?% of /, '$1/100*').replace(/(\d),(?=\d{3}\b)/g, '$1');
  NUMBERS.forEach((word, value) => {
    formula = formula.replace(new RegExp(`\\b${word}\\b`, 'g'), String(value));
  });
  for (const [pattern, sign] of WORDS) formula = formula.replace(pattern, sign);
  formula = formula.replace(/\s+/g, '');
  if (!/^[\d.+\-*/^()]+$/.test(formula) || !/\d[+\-*/^)(]+\d/.test(formula)) return undefined;
  const value = new Formula(formula).value();
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return { question, result: String(Number(value.toPrecision(10))) };
}

/** Recursive descent: sums of products of powers of numbers and brackets. */
class Formula {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): number | undefined {
    const value = this.#sum();
    return this.#at === this.#text.length ? value : undefined;
  }

  #sum(): number {
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value += this.#product();
      else if (this.#take('-')) value -= this.#product();
      else return value;
    }
  }

  #product(): number {
    let value = this.#power();
    for (;;) {
      if (this.#take('*')) value *= this.#power();
      else if (this.#take('/')) value /= this.#power();
      else return value;
    }
  }

  #power(): number {
    const base = this.#atom();
    return this.#take('^') ? base ** this.#power() : base;
  }

  #atom(): number {
    if (this.#take('-')) return -this.#atom();
    if (this.#take('(')) {
      const value = this.#sum();
      return this.#take(')') ? value : Number.NaN;
    }
    const number = /^\d+(?:\.\d+)?/.exec(this.#text.slice(this.#at))?.[0];
    if (!number) return Number.NaN;
    this.#at += number.length;
    return Number(number);
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }
}
