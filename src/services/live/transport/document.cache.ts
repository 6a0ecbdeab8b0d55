/**
 * What a socket asks for, parsed and checked by the same limits as over HTTP (none of Apollo's hold here). Thousands of
 * viewers send one text, so a text is parsed and validated once.
 */
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { inTheirWords, inTodaysForm } from '../../../../resolvers/earlier-arguments.ts';
import { MAX_TOKENS, VALIDATION_RULES } from '../../../../resolvers/limits.ts';
import type { AskedDocument, TrustedDocuments } from '../../../../resolvers/trusted-documents.ts';

type Checked = { document: DocumentNode } | { errors: readonly GraphQLError[] };

const MAX_REMEMBERED = 500;
/** Longer texts are checked each time: they are rare, and would fill the memory. */
const MAX_REMEMBERED_CHARS = 8_192;

export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #rules = [...specifiedRules, ...VALIDATION_RULES];
  readonly #known = new LRUCache<string, Checked>({ max: MAX_REMEMBERED });
  readonly #trusted: TrustedDocuments | undefined;

  /** @param trusted the only ones that are taken; without it all are that the limits allow */
  constructor(schema: GraphQLSchema, trusted?: TrustedDocuments) {
    this.#schema = schema;
    this.#trusted = trusted;
  }

  /** Without registered ones the query is a text, as the caller has made sure. */
  check(asked: AskedDocument): Checked {
    let text = asked.query as string;
    try {
      if (this.#trusted) text = this.#trusted.textOf(asked);
    } catch (error) {
      return { errors: [error as GraphQLError] };
    }
    const known = this.#known.get(text);
    if (known) return known;
    const checked = this.#check(text);
    if (text.length <= MAX_REMEMBERED_CHARS) this.#known.set(text, checked);
    return checked;
  }

  #check(text: string): Checked {
    let document: DocumentNode;
    try {
      document = inTodaysForm(this.#schema, parse(text, { maxTokens: MAX_TOKENS }));
    } catch (error) {
      return { errors: [coded(error, 'GRAPHQL_PARSE_FAILED')] };
    }
    try {
      const errors = validate(this.#schema, document, this.#rules);
      if (errors.length === 0) return { document };
      for (const error of errors) error.message = inTheirWords(document, error.message);
      return { errors: errors.map((error) => coded(error, 'GRAPHQL_VALIDATION_FAILED')) };
    } catch (error) {
      // The rule on depth throws instead of reporting.
      return { errors: [coded(error, 'GRAPHQL_VALIDATION_FAILED')] };
    }
  }
}

function coded(error: unknown, code: string): GraphQLError {
  if (!(error instanceof GraphQLError)) throw error;
  const { message, nodes, source, positions, path, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { code, ...extensions } });
}
