/** The rows of the table with their operations parsed and, for queries, compiled: done once at start. */
import {
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  isInputType,
  Kind,
  parse,
  TypeInfo,
  type TypeNode,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Executor } from '../resolvers/execute.ts';
import { ROUTES, type Route } from './routes/index.ts';

/** A row of the table with what is computed from it once, at start. */
export interface PreparedRoute extends Route {
  document: DocumentNode;
  tagDocument?: DocumentNode;
  /** The root field that is executed, whose `@Allow` is checked before any input is read (401 before 400). */
  rootField: string;
  /** The root field's name in the answer's data: its alias, when it has one. */
  dataField: string;
  variables: readonly VariableDefinitionNode[];
  /** Path as Fastify writes it. */
  url: string;
}

/** The type of a variable. */
export function inputTypeOf(schema: GraphQLSchema, node: TypeNode): GraphQLInputType {
  const type = typeFromAST(schema, node);
  if (!isInputType(type)) throw new Error('A variable of the REST table has a type that the schema lacks.');
  return type;
}

/** The argument or input field that a document passes each variable to, by the variable's name. */
export function targetsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
): Map<string, GraphQLArgument | GraphQLInputField> {
  const found = new Map<string, GraphQLArgument | GraphQLInputField>();
  const types = new TypeInfo(schema);
  const note = visitWithTypeInfo(types, {
    Argument({ value }) {
      const argument = types.getArgument();
      if (argument && value.kind === Kind.VARIABLE) found.set(value.name.value, argument);
    },
    ObjectField({ name, value }) {
      const type = getNamedType(types.getParentInputType());
      const field = isInputObjectType(type) ? type.getFields()[name.value] : undefined;
      if (field && value.kind === Kind.VARIABLE) found.set(value.name.value, field);
    },
  });
  visit(document, note);
  return found;
}

/** Parses the operations of all rows, and has the executor compile them. Throws where a row has no root field. */
export function prepareRoutes(executor: Executor, routes: readonly Route[] = ROUTES): PreparedRoute[] {
  return routes.map((route) => {
    const document = parse(route.operation);
    const operation = getOperationAST(document);
    const root = operation?.selectionSet.selections[0];
    if (root?.kind !== Kind.FIELD) throw new Error(`${route.method} ${route.path} has no root field.`);
    const tagDocument = route.tag ? parse(route.tag) : undefined;
    executor.prepare(document);
    if (tagDocument) executor.prepare(tagDocument);
    return {
      ...route,
      document,
      ...(tagDocument ? { tagDocument } : {}),
      rootField: root.name.value,
      dataField: root.alias?.value ?? root.name.value,
      variables: operation?.variableDefinitions ?? [],
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    };
  });
}
