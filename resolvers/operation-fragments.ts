/** Which fragments an operation has. */
import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  type FragmentDefinitionNode,
  isExecutableDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';

/**
 * Says of each operation what it is made of: itself, then its fragments, those of fragments too, each once. A definition is
 * walked through once, however many operations have it.
 */
export function partsOfOperations({
  definitions,
}: DocumentNode): (operation: OperationDefinitionNode) => readonly ExecutableDefinitionNode[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const spreads = new Map<ExecutableDefinitionNode, readonly string[]>();
  for (const one of definitions) {
    if (!isExecutableDefinitionNode(one)) continue;
    const names = new Set<string>();
    visit(one, { FragmentSpread: ({ name }) => void names.add(name.value) });
    spreads.set(one, [...names]);
    if (one.kind === Kind.FRAGMENT_DEFINITION && !fragments.has(one.name.value)) fragments.set(one.name.value, one);
  }
  return (operation) => {
    const parts = new Set<ExecutableDefinitionNode>([operation]);
    // What is added meanwhile is come to as well.
    for (const part of parts) {
      for (const name of spreads.get(part) ?? []) {
        const fragment = fragments.get(name);
        if (fragment) parts.add(fragment);
      }
    }
    return [...parts];
  };
}
