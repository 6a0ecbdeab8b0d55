/**
 * Queries of a schema compiled by graphql-jit: our own when the process starts, those of clients the third time they are sent,
 * because compiling costs more than running.
 */
import {
  type DocumentNode,
  extendSchema,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

const COMPILE_AT_SIGHT = 3;
const MAX_DOCUMENTS = 500;
/** A scalar that lets through what graphql-js has already coerced: jit's own variable parser is wrong. */
const COERCED = 'AlreadyCoerced';

interface Seen {
  sights: number;
  /** null: jit refused it. */
  compiled?: CompiledQuery | null;
}

/** A schema and its compiled queries; they belong to no services, so that executors of one process share them. */
export interface CompiledQueries {
  readonly schema: GraphQLSchema;
  /** The compiled query; null for what is interpreted: mutations, what jit refuses, documents seen once or twice. */
  queryFor(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | null;
  /** Compiles now; for documents that are known at start. */
  prepare(document: DocumentNode): void;
}

/** The compiled queries of a schema: none yet. */
export function compileQueries(schema: GraphQLSchema): CompiledQueries {
  const jitSchema = extendSchema(schema, parse(`scalar ${COERCED}`));
  const seen = new LRUCache<string, Seen>({ max: MAX_DOCUMENTS });
  const byDocument = new WeakMap<DocumentNode, Map<string, Seen>>();

  function compile(document: DocumentNode, operationName: string | undefined): CompiledQuery | null {
    const passThrough = visit(document, {
      VariableDefinition: (node) => ({
        kind: Kind.VARIABLE_DEFINITION,
        variable: node.variable,
        type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: COERCED } },
      }),
    });
    const compiled = compileQuery(jitSchema, passThrough, operationName);
    return isCompiledQuery(compiled) ? compiled : null;
  }

  /** The entry of a document; the same text parsed twice is the same document. */
  function recall(document: DocumentNode, operationName: string | undefined): Seen {
    const mine = byDocument.get(document) ?? new Map<string, Seen>();
    byDocument.set(document, mine);
    const known = mine.get(operationName ?? '');
    if (known) return known;
    const key = `${operationName ?? ''}\n${print(document)}`;
    const entry = seen.get(key) ?? { sights: 0 };
    seen.set(key, entry);
    mine.set(operationName ?? '', entry);
    return entry;
  }

  return {
    schema,
    queryFor(document, operation) {
      if (operation.operation !== 'query') return null;
      const entry = recall(document, operation.name?.value);
      entry.sights += 1;
      if (entry.compiled === undefined && entry.sights >= COMPILE_AT_SIGHT) {
        entry.compiled = compile(document, operation.name?.value);
      }
      return entry.compiled ?? null;
    },
    prepare(document) {
      const operation = getOperationAST(document);
      if (operation?.operation !== 'query') return;
      const entry = recall(document, operation.name?.value);
      if (entry.compiled === undefined) entry.compiled = compile(document, operation.name?.value);
    },
  };
}
