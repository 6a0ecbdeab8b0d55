/**
 * What the scripts of the pages send to `/graphql` themselves: the texts of src/pages/operations/client.graphql, each with its
 * fragments, and what they send as clients/typescript has it.
 */
import { readFileSync } from 'node:fs';
import { Kind, parse, print, separateOperations } from 'graphql';
import { built } from '../kernel/built.ts';

const read = (name: string): string => readFileSync(built(`src/pages/operations/${name}.graphql`), 'utf8');

/** Each a whole document of one operation. */
export function ownDocuments(): string[] {
  const { definitions } = parse(['client', 'client-package', 'fragments'].map(read).join('\n'));
  return Object.values(separateOperations({ kind: Kind.DOCUMENT, definitions })).map(print);
}
