/**
 * Documents written while today's enumerations and scalars were texts and numbers: `visibility: "public"` is read as
 * `visibility: public`, and `$url: String` as `$url: URL` where its operation gives the variable to nothing else. JSON has been the same all
 * along. Until 2.0 (docs/decisions/0021-documents-of-1-2.md).
 */
import {
  type DocumentNode,
  type EnumValueNode,
  type ExecutableDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isLeafType,
  Kind,
  type OperationDefinitionNode,
  specifiedScalarTypes,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { partsOfOperations } from './operation-fragments.ts';

/** Types that places had before they got types of their own; every other built-in type is unchanged. */
const EARLIER: ReadonlySet<string> = new Set(['String', 'Float']);
const BUILT_IN: ReadonlySet<string> = new Set(specifiedScalarTypes.map(({ name }) => name));

/** The document with today's types; the same object where it has them already. */
export function withTodaysTypes(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const typesIn = typesOfVariables(schema, document);
  const types = new TypeInfo(schema);
  let wanted: ReturnType<typeof typesIn> | undefined;
  return visit(
    document,
    visitWithTypeInfo(types, {
      OperationDefinition(node) {
        wanted = typesIn(node);
      },
      VariableDefinition(node) {
        const type = wanted?.get(node.variable.name.value);
        if (!type || !EARLIER.has(nameIn(node.type))) return undefined;
        return { ...node, type: ofType(node.type, type.name) };
      },
      StringValue({ value, loc }): EnumValueNode | undefined {
        const type = getNamedType(types.getInputType());
        if (!isEnumType(type) || !type.getValue(value)) return undefined;
        return { kind: Kind.ENUM, value, ...(loc ? { loc } : {}) };
      },
    }),
  );
}

/** The types of an operation's variables that are only used where one type of ours is expected. */
function typesOfVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
): (operation: OperationDefinitionNode) => Map<string, GraphQLNamedType> {
  const partsOf = partsOfOperations(document);
  const typesByPart = new Map<ExecutableDefinitionNode, Map<string, GraphQLNamedType | undefined>>();
  const types = new TypeInfo(schema);
  let found = new Map<string, GraphQLNamedType | undefined>();
  const begin = (node: ExecutableDefinitionNode): void => {
    found = new Map();
    typesByPart.set(node, found);
  };
  visit(
    document,
    visitWithTypeInfo(types, {
      OperationDefinition: begin,
      FragmentDefinition: begin,
      VariableDefinition: () => false,
      Variable: ({ name }) => note(found, name.value, getNamedType(types.getInputType())),
    }),
  );
  return (operation) => {
    const all = new Map<string, GraphQLNamedType | undefined>();
    for (const part of partsOf(operation))
      for (const [name, type] of typesByPart.get(part) ?? []) note(all, name, type);
    return new Map(
      [...all].flatMap(([name, type]) =>
        type && isLeafType(type) && !BUILT_IN.has(type.name) ? [[name, type] as const] : [],
      ),
    );
  };
}

/** Undefined where a variable is used at places of several types. */
function note(
  found: Map<string, GraphQLNamedType | undefined>,
  name: string,
  type: GraphQLNamedType | undefined,
): void {
  found.set(name, found.has(name) && found.get(name) !== type ? undefined : type);
}

function nameIn(node: TypeNode): string {
  return node.kind === Kind.NAMED_TYPE ? node.name.value : nameIn(node.type);
}

/** The same lists and nulls around another type. */
export function ofType(node: TypeNode, name: string): TypeNode {
  if (node.kind === Kind.NAMED_TYPE) return { ...node, name: { ...node.name, value: name } };
  return { ...node, type: ofType(node.type, name) } as TypeNode;
}
