/** The table of configuration variables in docs/operations.md, from the schema that reads them. */
import { z } from 'zod';
import { VARIABLES } from '../kernel/config.ts';

const BEGIN = '<!-- variables: made by npm run generate -->';
const END = '<!-- end of variables -->';

/** `document` with the table of today between its two marks. Throws where a mark is missing. */
export function withVariables(document: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/operations.md needs the lines "${BEGIN}" and "${END}".`);
  return `${document.slice(0, begin + BEGIN.length)}\n\n${table()}\n\n${document.slice(end)}`;
}

function table(): string {
  const rows = Object.entries(VARIABLES).map(([name, schema]) => {
    const { description = '', secret } = schema.meta() ?? {};
    const byDefault = schema instanceof z.ZodPrefault ? schema.def.defaultValue : '';
    const shown = byDefault === '' ? 'empty' : `\`${byDefault}\``;
    return `| \`${name}\` | ${shown} | ${cell(description)}${secret ? ' **Secret.**' : ''} |`;
  });
  return ['| variable | default | what it is |', '|---|---|---|', ...rows].join('\n');
}

/** Bars and angle brackets have a meaning in a table of Markdown. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
