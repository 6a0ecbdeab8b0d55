/**
 * Introspection is counted: thirty aliases of `__schema` are one small document and eight megabytes of answer. What a
 * document asks of the schema is estimated by the schema's own size and may be little more than the whole once; the
 * forms that tools send (graphql-js's `getIntrospectionQuery`) are answered from texts prepared once.
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
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import { LRUCache } from 'lru-cache';

/** A document may ask for this many times the whole schema: every tool's own form is near one. */
const MOST = 1.5;

/** What is counted of a type: each of its lists. */
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

/** The sizes of a schema's lists on the average, and the estimate of the whole schema in these. */
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
    // Few types are lists of lists.
    ['ofType', 0.5],
    // Whoever asks for one type asks for the longest.
    ['__type', (longest * types.length) / fields],
  ]);
  const whole = introspectionCost(parse(getIntrospectionQuery(OPTIONS.at(-1))), sizes);
  sizesOf.set(schema, { sizes, whole });
  return { sizes, whole };
}

/** Values that the introspection of a document is answered with, about; 0 when it has none. */
function introspectionCost(document: DocumentNode, sizes: Sizes): number {
  const fragments = new Map<string, number>();
  const costOf = (set: SelectionSetNode | undefined, isInside: boolean): number =>
    (set?.selections ?? []).reduce((sum, node) => {
      if (node.kind === Kind.INLINE_FRAGMENT) return sum + costOf(node.selectionSet, isInside);
      if (node.kind === Kind.FRAGMENT_SPREAD) return sum + spread(node.name.value, isInside);
      const name = node.name.value;
      const inside = isInside || name === '__schema' || name === '__type';
      const within = costOf(node.selectionSet, inside);
      return sum + (inside ? (sizes.get(name) ?? 1) * (1 + within) : within);
    }, 0);
  const spread = (name: string, isInside: boolean): number => {
    const key = `${isInside} ${name}`;
    if (!fragments.has(key)) {
      // A fragment within itself is another rule's to refuse.
      fragments.set(key, 0);
      const found = document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
      );
      fragments.set(key, found && 'selectionSet' in found ? costOf(found.selectionSet, isInside) : 0);
    }
    return fragments.get(key) ?? 0;
  };
  return document.definitions.reduce(
    (sum, definition) =>
      sum + (definition.kind === Kind.OPERATION_DEFINITION ? costOf(definition.selectionSet, false) : 0),
    0,
  );
}

/** How many times the whole schema a document asks for. */
export function introspectionShare(schema: GraphQLSchema, document: DocumentNode): number {
  const { sizes, whole } = measured(schema);
  return introspectionCost(document, sizes) / whole;
}

export const introspectionLimit: ValidationRule = (context) => ({
  Document(document) {
    if (introspectionShare(context.getSchema(), document) <= MOST) return;
    context.reportError(new GraphQLError('The document asks for more of the schema than the whole of it.'));
  },
});

/** Every form that `getIntrospectionQuery` can have; the last asks for most. */
const OPTIONS: readonly IntrospectionOptions[] = Array.from({ length: 32 }, (_, bits) => ({
  descriptions: (bits & 1) > 0,
  specifiedByUrl: (bits & 2) > 0,
  directiveIsRepeatable: (bits & 4) > 0,
  schemaDescription: (bits & 8) > 0,
  inputValueDeprecation: (bits & 16) > 0,
}));
/** Longer than any of them: not worth a look. */
const MAX_CHARS = 4_000;
const REMEMBERED = 100;

/** The answers to the forms that tools send, as text. */
export class PreparedIntrospection {
  readonly #schema: GraphQLSchema;
  /** By the document as it is printed; made when it is first asked for. */
  readonly #answers: Map<string, string | null>;
  /** By the text as it was sent, '' for no such form: most tools send one text again and again. */
  readonly #texts = new LRUCache<string, string>({ max: REMEMBERED });

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#answers = new Map(OPTIONS.map((options) => [print(parse(getIntrospectionQuery(options))), null]));
  }

  /** The whole answer, JSON; undefined when the text is no such form. */
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
