/**
 * How large an answer may be. Edges lead from a list to a list and back again (an avatar, its owner, their avatars), so that
 * a hundred bytes may ask for gigabytes: what a document can bring at most is the product of its lists.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type ValidationRule,
  type VariableDefinitionNode,
} from 'graphql';
import { PAGE_ITEMS } from '../src/kernel/keyset.ts';

/** Objects an answer may have: some megabytes at most. */
export const MAX_OBJECTS = 20_000;

/** Most items of a list, whether a number asks for them or the list has no size argument. */
const MOST_ITEMS = 100;

/** Arguments that say how many items a list has. */
const SIZE_ARGUMENTS: ReadonlySet<string> = new Set(['first', 'last', 'limit']);

/** Arguments that name each item of a list. */
export const ID_LISTS: ReadonlySet<string> = new Set(['ids', 'representations']);

const isConnection = (type: GraphQLNamedType | undefined): boolean => Boolean(type?.name.endsWith('Connection'));

/** Lists that are counted as part of their turn: a text is bounded, and so are its words. */
const WITHIN_ONE = new Set(['WordMark']);

/** How many objects an answer can have at most. */
export function objectsOf(schema: GraphQLSchema, document: DocumentNode): number {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as [string, FragmentDefinitionNode]] : [],
    ),
  );
  const known = new Map<string, number>();
  const sure = variablesWithValue(document);

  /** `page`: how many items the connection has that the selection is of. */
  function inFragment(name: string, page: number): number {
    const key = `${page} ${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    // A fragment that contains itself is refused by another rule.
    known.set(key, 0);
    const fragment = fragments.get(name);
    const type = fragment && schema.getType(fragment.typeCondition.name.value);
    const found = fragment ? inSet(fragment.selectionSet, type, page) : 0;
    known.set(key, found);
    return found;
  }

  function inSet(set: SelectionSetNode, type: GraphQLNamedType | undefined, page = 1): number {
    let sum = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) sum += inFragment(node.name.value, page);
      else if (node.kind === Kind.INLINE_FRAGMENT) {
        const narrowed = node.typeCondition ? schema.getType(node.typeCondition.name.value) : type;
        sum += inSet(node.selectionSet, narrowed, page);
      } else sum += inField(node, type, page);
    }
    return sum;
  }

  function inField(node: FieldNode, type: GraphQLNamedType | undefined, page: number): number {
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field || !node.selectionSet) return 0;
    const inner = getNamedType(field.type);
    if (isLeafType(inner) || WITHIN_ONE.has(inner.name)) return 0;
    if (isConnection(inner)) return inSet(node.selectionSet, inner, itemsOf(node, field, sure));
    // An edge is its item: `edges { node { ... } }` has as many objects as `nodes { ... }`.
    if (isConnection(type) && node.name.value === 'edges') return page * inSet(node.selectionSet, inner);
    if (isConnection(type) && node.name.value === 'nodes') return page * (1 + inSet(node.selectionSet, inner));
    return itemsOf(node, field, sure) * (1 + inSet(node.selectionSet, inner));
  }

  const sums = document.definitions.map((one) =>
    one.kind === Kind.OPERATION_DEFINITION
      ? inSet(one.selectionSet, schema.getRootType(one.operation) ?? undefined)
      : 0,
  );
  return Math.max(0, ...sums);
}

/** Names of variables that cannot be null, nor left out, in any operation of a document. */
function variablesWithValue({ definitions }: DocumentNode): ReadonlySet<string> {
  const all = definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? (one.variableDefinitions ?? []) : [],
  );
  const nameOf = ({ variable }: VariableDefinitionNode): string => variable.name.value;
  const maybe = new Set(all.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE).map(nameOf));
  return new Set(all.map(nameOf).filter((name) => !maybe.has(name)));
}

/** How many items a list has at most. A size that is null, or may be, counts as absent: then the list has its default size. */
function itemsOf(node: FieldNode, field: GraphQLField<unknown, unknown>, sure: ReadonlySet<string>): number {
  const isPage = isConnection(getNamedType(field.type));
  if (!isPage && !isList(field.type)) return 1;
  const ids = node.arguments?.find((argument) => ID_LISTS.has(argument.name.value))?.value;
  if (ids) return ids.kind === Kind.LIST ? ids.values.length : MOST_ITEMS;
  const { items } = field.extensions;
  const whole = typeof items === 'number' ? items : isPage ? PAGE_ITEMS : MOST_ITEMS;
  const given = (node.arguments ?? []).filter(({ name }) => SIZE_ARGUMENTS.has(name.value)).map(({ value }) => value);
  const isBound = given.some(
    (value) => value.kind === Kind.INT || (value.kind === Kind.VARIABLE && sure.has(value.name.value)),
  );
  // A variable may be any number that the list allows; where there are several sizes, any of them may apply.
  const sizes = given.map((value) =>
    value.kind === Kind.INT ? Number(value.value) : value.kind === Kind.VARIABLE ? MOST_ITEMS : 0,
  );
  return Math.max(1, ...sizes, isBound ? 0 : whole);
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

const sizes = new WeakMap<DocumentNode, number>();

/** The same, as counted when the document was validated; 0 for our own documents, which are not validated. */
export const knownObjectsOf = (document: DocumentNode): number => sizes.get(document) ?? 0;

/** Refuses a document whose answer could be larger than any may be. */
export const answerSizeLimit: ValidationRule = (context) => ({
  Document(document) {
    const objects = objectsOf(context.getSchema(), document);
    sizes.set(document, objects);
    if (objects <= MAX_OBJECTS) return;
    const message = `The answer could have ${objects} objects; at most ${MAX_OBJECTS}. Ask for fewer with first, or in parts.`;
    context.reportError(new GraphQLError(message));
  },
});
