/** Which fragments an operation uses. */
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
 * The parts of each operation: itself, then its fragments and those within fragments, each once. A definition is visited once,
 * however many operations use it.
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
    // The loop also reaches what is added while it runs.
    for (const part of parts) {
      for (const name of spreads.get(part) ?? []) {
        const fragment = fragments.get(name);
        if (fragment) parts.add(fragment);
      }
    }
    return [...parts];
  };
}
