/** HTML as a tagged template: every value is escaped unless it is HTML of ours already. There is no way to pass text raw. */

export class Html {
  readonly text: string;

  constructor(strings: readonly string[], values: readonly HtmlValue[]) {
    this.text = strings.reduce((all, part, i) => all + part + (i < values.length ? shown(values[i]) : ''), '');
  }

  toString(): string {
    return this.text;
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in an element or between quotes of an attribute. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}

function shown(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(shown).join('');
  return escapeText(String(value));
}

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings, values);
}
