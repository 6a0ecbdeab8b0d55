/**
 * Nulls where nothing may be. A document may declare a variable that can be null, with a default, for a place that cannot: where
 * it is sent as null all the same, that is the caller's mistake and is reported before anything runs.
 */
import {
  type ASTNode,
  BREAK,
  type DirectiveNode,
  type DocumentNode,
  type ExecutableDefinitionNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { badInput, type PlatformError } from '../src/kernel/errors.ts';

/** Where a variable stands that may be null, and what stands there may not. */
interface Use {
  variable: string;
  /** Of the argument, and of the fields within it. */
  names: readonly string[];
  /** Those that say whether the place is part of the answer. */
  conditions: readonly DirectiveNode[];
}

/** A fragment that is spread. */
interface Spread {
  fragment: FragmentDefinitionNode;
  conditions: readonly DirectiveNode[];
}

type Values = Readonly<Record<string, unknown>>;

const known = new WeakMap<ExecutableDefinitionNode, readonly (Use | Spread)[]>();

/** What is wrong with the first null that stands where nothing may be; `values` are coerced. */
export function refusedNull(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  values: Values,
): PlatformError | undefined {
  if (!Object.values(values).includes(null)) return undefined;
  // A fragment is looked at once, however often it is spread.
  const seen = new Set<ExecutableDefinitionNode>();
  const firstIn = (definition: ExecutableDefinitionNode): Use | undefined => {
    seen.add(definition);
    const uses = known.get(definition) ?? usesIn(schema, document, definition);
    known.set(definition, uses);
    for (const use of uses) {
      if (use.conditions.some((each) => leavesOut(each, values))) continue;
      if (!('fragment' in use)) {
        if (values[use.variable] === null) return use;
        continue;
      }
      const found = seen.has(use.fragment) ? undefined : firstIn(use.fragment);
      if (found) return found;
    }
    return undefined;
  };
  const use = firstIn(operation);
  return use && badInput(use.names.join('.'), 'must not be null.');
}

/** The path of the place that a variable is given to first, as errors name it; undefined where it is given to none. */
export function placeOf(document: DocumentNode, name: string): string | undefined {
  let found: string | undefined;
  visit(document, {
    VariableDefinition: () => false,
    Variable(node, _key, parent, _path, ancestors) {
      if (node.name.value !== name) return undefined;
      found = pathOf(nodesOf([...ancestors, parent])).join('.');
      return BREAK;
    },
  });
  return found;
}

/** Names of the arguments and fields that these nodes are within; `input` alone says nothing. */
export function pathOf(within: readonly ASTNode[]): string[] {
  const names = within.flatMap((each) =>
    each.kind === Kind.ARGUMENT || each.kind === Kind.OBJECT_FIELD ? each.name.value : [],
  );
  return names.length > 1 && names[0] === 'input' ? names.slice(1) : names;
}

/** Of an operation or a fragment, in the order in which they stand. */
function usesIn(schema: GraphQLSchema, document: DocumentNode, root: ExecutableDefinitionNode): (Use | Spread)[] {
  const types = new TypeInfo(schema);
  const uses: (Use | Spread)[] = [];
  visit(
    root,
    visitWithTypeInfo(types, {
      VariableDefinition: () => false,
      Variable({ name }, _key, parent, _path, ancestors) {
        if (!isNonNullType(types.getInputType())) return;
        const within = nodesOf([...ancestors, parent]);
        uses.push({ variable: name.value, names: pathOf(within), conditions: conditionsOf(within) });
      },
      FragmentSpread(node, _key, parent, _path, ancestors) {
        const fragment = document.definitions.find(
          (one): one is FragmentDefinitionNode =>
            one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === node.name.value,
        );
        if (fragment) uses.push({ fragment, conditions: conditionsOf(nodesOf([...ancestors, parent, node])) });
      },
    }),
  );
  return uses;
}

/** The nodes on a way through a document, without the lists between them. */
export const nodesOf = (way: readonly (ASTNode | readonly ASTNode[] | undefined)[]): ASTNode[] =>
  way.flatMap((each) => (each === undefined || !('kind' in each) ? [] : each));

const conditionsOf = (nodes: readonly ASTNode[]): DirectiveNode[] =>
  nodes.flatMap((each) => ('directives' in each ? (each.directives ?? []) : []));

/** Whether `@skip` or `@include` leaves out what it stands at. */
function leavesOut({ name, arguments: given }: DirectiveNode, values: Values): boolean {
  const when = given?.find((each) => each.name.value === 'if')?.value;
  const isSo = when?.kind === Kind.VARIABLE ? values[when.name.value] : when?.kind === Kind.BOOLEAN && when.value;
  return (name.value === 'skip' && isSo === true) || (name.value === 'include' && isSo === false);
}
