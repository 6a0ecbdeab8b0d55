/**
 * What the scripts of the pages send to `/graphql` themselves: the texts of src/pages/operations/client.graphql, each with its
 * fragments, and what they send as clients/typescript has it.
 */
import { readFileSync } from 'node:fs';
import { Kind, parse, print, separateOperations } from 'graphql';

const read = (name: string): string => readFileSync(new URL(`./operations/${name}.graphql`, import.meta.url), 'utf8');

/** Each a whole document of one operation. */
export function ownDocuments(): string[] {
  const { definitions } = parse(['client', 'client-package', 'fragments'].map(read).join('\n'));
  return Object.values(separateOperations({ kind: Kind.DOCUMENT, definitions })).map(print);
}
