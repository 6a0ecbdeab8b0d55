/**
 * Trusted documents: with TRUSTED_DOCUMENTS, a caller over HTTP, server-sent events or WebSocket is answered only what
 * the operator's own frontends ask. Their operations are files that their compilers write: Apollo's manifest of persisted queries, or
 * the texts by their hash as Relay's compiler and graphql-codegen write them.
 */
import { readFileSync } from 'node:fs';
import { type DocumentNode, GraphQLError, Kind, parse, print } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ConfigError } from '../src/kernel/config.ts';
import { sha256 } from '../src/kernel/ids.ts';
import { MAX_TOKENS } from './limits.ts';

/** The fields of a request that name its document; each as it was sent. */
export interface AskedDocument {
  /** The whole text. */
  query?: unknown;
  /** Apollo's clients and urql: `persistedQuery.sha256Hash`, whatever the id is made of. */
  extensions?: unknown;
  /** GraphQL over HTTP, graphql-codegen. */
  documentId?: unknown;
  /** Relay, as its own documentation has it. */
  doc_id?: unknown;
  /** Relay and others. */
  id?: unknown;
}

/** Texts by their id. */
type Registered = ReadonlyMap<string, string>;

const REMEMBERED = 500;
/** Longer texts are read each time. */
const MAX_REMEMBERED_CHARS = 16_384;

/**
 * The same for all texts of one document: printed, its operation and fragments in the order of their names, in which Apollo's
 * manifest has them and its client does not. @throws GraphQLError where it is no GraphQL
 */
function canonical(text: string): string {
  const { definitions } = parse(text, { maxTokens: MAX_TOKENS, noLocation: true });
  const keyed = definitions.map((one) => [keyOf(one), print(one)] as const);
  return keyed
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, printed]) => printed)
    .join('\n\n');
}

function keyOf(definition: DocumentNode['definitions'][number]): string {
  const name = 'name' in definition ? (definition.name?.value ?? '') : '';
  return `${definition.kind === Kind.OPERATION_DEFINITION ? 0 : 1} ${name}`;
}

/** The operations that are taken, and no others. */
export class TrustedDocuments {
  readonly #byId = new Map<string, string>();
  /** By how a document is printed. */
  readonly #texts = new Map<string, string>();
  /** What texts were found to be, as they were sent; '' for what is not registered. */
  readonly #known = new LRUCache<string, string>({ max: REMEMBERED });

  /**
   * @param registered what `readTrustedDocuments` found
   * @param own texts of the platform's pages, which they send whole
   */
  constructor(registered: Registered, own: Iterable<string> = []) {
    for (const text of [...own, ...registered.values()]) {
      const printed = canonical(text);
      this.#texts.set(printed, text);
      // Clients of automatic persisted queries hash what they have, whatever the registered id is made of.
      for (const hashed of [text, printed, print(parse(text))]) this.#byId.set(sha256(hashed), text);
    }
    for (const [id, text] of registered) this.#byId.set(id, text);
  }

  /**
   * The text of the operation that is asked for. @throws GraphQLError UNTRUSTED_DOCUMENT where none is registered;
   * PERSISTED_QUERY_NOT_FOUND where a client of automatic persisted queries will send the text next
   */
  textOf(asked: AskedDocument): string {
    const hash = hashOf(asked.extensions);
    const ids = [hash, asked.documentId, asked.doc_id, asked.id].filter((id) => id !== undefined && id !== null);
    const [id] = ids;
    const named = typeof id === 'string' ? this.#byId.get(id) : undefined;
    // Clients that must send a text send an empty one.
    if (typeof asked.query !== 'string' || asked.query === '') {
      if (named !== undefined) return named;
      throw hash === undefined ? untrusted() : unknownHash();
    }
    const found = this.#find(asked.query);
    if (found === undefined || (named !== undefined && named !== found)) throw untrusted();
    return found;
  }

  #find(text: string): string | undefined {
    let printed = this.#known.get(text);
    if (printed === undefined) {
      printed = tryCanonical(text);
      if (text.length <= MAX_REMEMBERED_CHARS) this.#known.set(text, printed);
    }
    return this.#texts.get(printed);
  }
}

/** Why a text cannot be asked for, as part of a sentence. */
function problemOf(text: string): string | undefined {
  try {
    canonical(text);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '');
  }
}

function tryCanonical(text: string): string {
  try {
    return canonical(text);
  } catch {
    return '';
  }
}

/** The id that Apollo's extension has; undefined where there is none. In an address the extensions are JSON. */
function hashOf(extensions: unknown): unknown {
  let given = extensions;
  try {
    if (typeof given === 'string') given = JSON.parse(given);
  } catch {
    return undefined;
  }
  const { persistedQuery } = (given ?? {}) as { persistedQuery?: { sha256Hash?: unknown } | null };
  return persistedQuery?.sha256Hash;
}

const untrusted = (): GraphQLError =>
  new GraphQLError('The operation is none of those that are registered here.', {
    extensions: { code: 'UNTRUSTED_DOCUMENT' },
  });

const unknownHash = (): GraphQLError =>
  new GraphQLError('PersistedQueryNotFound', { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } });

const APOLLO_FORMAT = 'apollo-persisted-query-manifest';

/** The operations of all files by their id. @throws ConfigError with one sentence for what is missing or malformed */
export function readTrustedDocuments(files: readonly string[]): Registered {
  const registered = new Map<string, string>();
  for (const file of files) {
    for (const [id, text] of operationsOf(file)) {
      const problem = problemOf(text);
      if (problem) throw wrong(file, `whose operation ${id} cannot be read: ${problem}`);
      if ((registered.get(id) ?? text) !== text) throw wrong(file, `whose operation ${id} has another text elsewhere`);
      registered.set(id, text);
    }
  }
  return registered;
}

const wrong = (file: string, why: string): ConfigError => new ConfigError(`TRUSTED_DOCUMENTS names ${file}, ${why}.`);

function operationsOf(file: string): [id: string, text: string][] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(file, `which cannot be read: ${(error as Error).message}`);
  }
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw wrong(file, 'which is not JSON');
  }
  const pairs = pairsOf(found);
  if (!pairs?.every(([id, body]) => typeof id === 'string' && id !== '' && typeof body === 'string')) {
    throw wrong(file, NO_FORMAT);
  }
  return pairs as [string, string][];
}

const NO_FORMAT =
  'which is neither an Apollo manifest of persisted queries (version 1) nor a JSON object of texts by their hash';

/** Id and text of each, whatever these are; undefined where the file has another form. */
function pairsOf(found: unknown): unknown[][] | undefined {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
  const { format, version, operations } = found as Record<string, unknown>;
  if (format !== APOLLO_FORMAT) return Object.entries(found);
  if (version !== 1 || !Array.isArray(operations)) return undefined;
  return operations.map((one: { id?: unknown; body?: unknown } | null) => [one?.id, one?.body]);
}
