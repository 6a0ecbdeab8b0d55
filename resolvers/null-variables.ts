/**
 * Nulls in non-null places. A document may declare a nullable variable with a default for a non-null place. A caller who sends
 * null for it is refused before anything runs.
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

/** A nullable variable in a non-null place. */
interface Use {
  variable: string;
  /** Names of the argument, and of the fields within it. */
  names: readonly string[];
  /** `@skip` and `@include` that decide whether the place is part of the answer. */
  conditions: readonly DirectiveNode[];
}

/** A fragment that is spread. */
interface Spread {
  fragment: FragmentDefinitionNode;
  conditions: readonly DirectiveNode[];
}

type Values = Readonly<Record<string, unknown>>;

const known = new WeakMap<ExecutableDefinitionNode, readonly (Use | Spread)[]>();

/** The error of the first null in a non-null place; `values` are coerced. */
export function refusedNull(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  values: Values,
): PlatformError | undefined {
  if (!Object.values(values).includes(null)) return undefined;
  // A fragment is visited once, however many times it is spread.
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

/** The path, as in errors, of the first place where a variable is used; undefined where it is not used. */
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

/** The uses in an operation or a fragment, in document order. */
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
