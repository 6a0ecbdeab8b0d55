/** HTML as a tagged template: every value is escaped unless it is HTML of ours already. There is no way to pass text raw. */
import { escapeText } from '../text/escape.ts';

/** Text that is HTML already: it is not escaped again. */
export class Html {
  readonly text: string;

  constructor(strings: readonly string[], values: readonly HtmlValue[]) {
    this.text = strings.reduce((all, part, i) => all + part + (i < values.length ? shown(values[i]) : ''), '');
  }

  toString(): string {
    return this.text;
  }
}

/** What a template takes; null, undefined and false show nothing. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

function shown(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(shown).join('');
  return escapeText(String(value));
}

/** The template tag: escapes every value that is not HTML of ours. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings, values);
}
