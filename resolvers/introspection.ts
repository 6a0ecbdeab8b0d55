/**
 * Introspection is counted: thirty aliases of `__schema` are one small document and eight megabytes of answer. What a
 * document asks of the schema costs as many values as the schema has, in the terms of the cost rule; without aliases it
 * may be little more than the whole once, else it counts like every other field. The forms that tools send (graphql-js's
 * `getIntrospectionQuery`) are answered from texts prepared once.
 */
import {
  type DocumentNode,
  executeSync,
  GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionOptions,
  type IntrospectionQuery,
  introspectionFromSchema,
  Kind,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import { LRUCache } from 'lru-cache';

/** A document without aliases may ask for this many times the whole schema: the queries of tools ask for about one. */
const MOST = 1.5;

/** The lists of a type that are counted. */
interface Lists {
  kind: string;
  fields?: readonly { args: readonly unknown[] }[] | null;
  inputFields?: readonly unknown[] | null;
  enumValues?: readonly unknown[] | null;
  interfaces?: readonly unknown[] | null;
  possibleTypes?: readonly unknown[] | null;
}

/** How many items a list of introspection has, by its field. */
type Sizes = ReadonlyMap<string, number>;

const sizesOf = new WeakMap<GraphQLSchema, { sizes: Sizes; whole: number }>();

/** The average sizes of a schema's lists, and the cost of the whole schema by these sizes. */
function measured(schema: GraphQLSchema): { sizes: Sizes; whole: number } {
  const known = sizesOf.get(schema);
  if (known) return known;
  const { types, directives } = (introspectionFromSchema(schema) as IntrospectionQuery).__schema;
  const lists: readonly Lists[] = types;
  const count = (name: keyof Lists): number => lists.reduce((sum, type) => sum + (type[name]?.length ?? 0), 0);
  const longest = Math.max(...lists.map((type) => type.fields?.length ?? 0));
  const fields = count('fields');
  const args = lists.reduce((sum, type) => sum + (type.fields ?? []).reduce((n, { args }) => n + args.length, 0), 0);
  const sizes = new Map([
    ['types', types.length],
    ['directives', directives.length],
    ['fields', fields / types.length],
    ['args', args / Math.max(1, fields)],
    ...(['inputFields', 'enumValues', 'interfaces', 'possibleTypes'] as const).map((name): [string, number] => [
      name,
      count(name) / types.length,
    ]),
    // Types wrapped in several lists or non-nulls are few.
    ['ofType', 0.5],
    // A query for one type may ask for the longest.
    ['__type', (longest * types.length) / fields],
  ]);
  const whole = introspectionCost(parse(getIntrospectionQuery(OPTIONS.at(-1))), sizes);
  sizesOf.set(schema, { sizes, whole });
  return { sizes, whole };
}

/** The cost rule's own terms (graphql-armor's): a value, an object, and the factor of each level within it. */
export const COST_TERMS = { scalarCost: 1, objectCost: 2, depthCostFactor: 1.5 } as const;

/** Cost of a document's introspection by the terms of the cost rule, times the sizes of lists; 0 where it has none. */
function introspectionCost(document: DocumentNode, sizes: Sizes): number {
  const { scalarCost, objectCost, depthCostFactor } = COST_TERMS;
  const fragments = fragmentsOf(document);
  const known = new Map<string, number>();
  const costOf = (set: SelectionSetNode | undefined, isInside: boolean): number =>
    (set?.selections ?? []).reduce((sum, node) => sum + costOfNode(node, isInside), 0);
  const costOfNode = (node: SelectionNode, isInside: boolean): number => {
    if (node.kind === Kind.INLINE_FRAGMENT) return costOf(node.selectionSet, isInside);
    if (node.kind === Kind.FRAGMENT_SPREAD) return spread(node.name.value, isInside);
    const name = node.name.value;
    const inside = isInside || isRoot(name);
    const within = costOf(node.selectionSet, inside);
    if (!inside) return within;
    return (sizes.get(name) ?? 1) * (node.selectionSet ? objectCost + depthCostFactor * within : scalarCost);
  };
  const spread = (name: string, isInside: boolean): number => {
    const key = `${isInside} ${name}`;
    if (!known.has(key)) {
      // A fragment that contains itself is refused by another rule.
      known.set(key, 0);
      known.set(key, costOf(fragments.get(name), isInside));
    }
    return known.get(key) ?? 0;
  };
  return operationsOf(document).reduce((sum, set) => sum + costOf(set, false), 0);
}

const isRoot = (name: string): boolean => name === '__schema' || name === '__type';

function operationsOf(document: DocumentNode): SelectionSetNode[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.selectionSet] : [],
  );
}

function fragmentsOf(document: DocumentNode): ReadonlyMap<string, SelectionSetNode> {
  return new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition.selectionSet]] : [],
    ),
  );
}

/** True when introspection uses an alias, so that the same part of the schema may be answered several times. */
function hasAliases(document: DocumentNode): boolean {
  const fragments = fragmentsOf(document);
  const seen = new Set<string>();
  const within = (set: SelectionSetNode | undefined, isInside: boolean): boolean =>
    (set?.selections ?? []).some((node) => {
      if (node.kind === Kind.INLINE_FRAGMENT) return within(node.selectionSet, isInside);
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const key = `${isInside} ${node.name.value}`;
        if (seen.has(key)) return false;
        seen.add(key);
        return within(fragments.get(node.name.value), isInside);
      }
      const inside = isInside || isRoot(node.name.value);
      return (inside && node.alias !== undefined) || within(node.selectionSet, inside);
    });
  return operationsOf(document).some((set) => within(set, false));
}

/** How many times the whole schema a document asks for. */
export function introspectionShare(schema: GraphQLSchema, document: DocumentNode): number {
  const { sizes, whole } = measured(schema);
  return introspectionCost(document, sizes) / whole;
}

/** What a document's introspection adds to its cost; 0 where it is counted as a share of the schema instead. */
export function addedCost(schema: GraphQLSchema, document: DocumentNode): number {
  const cost = introspectionCost(document, measured(schema).sizes);
  return cost > 0 && hasAliases(document) ? cost : 0;
}

/** Refuses documents that ask for the schema many times over. */
export const introspectionLimit: ValidationRule = (context) => ({
  Document(document) {
    if (introspectionShare(context.getSchema(), document) <= MOST) return;
    context.reportError(new GraphQLError('The document asks for more of the schema than the whole of it.'));
  },
});

/** Every set of options of `getIntrospectionQuery`; the last asks for most. */
const OPTIONS: readonly IntrospectionOptions[] = Array.from({ length: 32 }, (_, bits) => ({
  descriptions: (bits & 1) > 0,
  specifiedByUrl: (bits & 2) > 0,
  directiveIsRepeatable: (bits & 4) > 0,
  schemaDescription: (bits & 8) > 0,
  inputValueDeprecation: (bits & 16) > 0,
}));
/** Longer texts are none of these queries. */
const MAX_CHARS = 4_000;
const REMEMBERED = 100;

/** Answers to the introspection queries that tools send, as text. */
export class PreparedIntrospection {
  readonly #schema: GraphQLSchema;
  /** By the printed document; an answer is made when it is first asked for. */
  readonly #answers: Map<string, string | null>;
  /** The printed document by the text that was sent, '' for another query: most tools send one text again and again. */
  readonly #texts = new LRUCache<string, string>({ max: REMEMBERED });

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#answers = new Map(OPTIONS.map((options) => [print(parse(getIntrospectionQuery(options))), null]));
  }

  /** The whole answer as JSON; undefined for any other query. */
  answer(text: string): string | undefined {
    if (text.length > MAX_CHARS || !text.includes('__schema')) return undefined;
    let printed = this.#texts.get(text);
    if (printed === undefined) {
      printed = this.#printed(text);
      this.#texts.set(text, printed);
    }
    if (!printed) return undefined;
    let answer = this.#answers.get(printed);
    if (!answer) {
      answer = JSON.stringify(executeSync({ schema: this.#schema, document: parse(printed) }));
      this.#answers.set(printed, answer);
    }
    return answer;
  }

  #printed(text: string): string {
    try {
      const printed = print(parse(text));
      return this.#answers.has(printed) ? printed : '';
    } catch {
      return '';
    }
  }
}
