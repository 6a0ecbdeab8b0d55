/**
 * The tools with their operations parsed: done once, when the first program asks. What a model may send comes from the
 * variables' types, so that the graph's own limits and descriptions are what it reads.
 */
import {
  type DocumentNode,
  GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { Executor } from '../../resolvers/execute.ts';
import {
  inputSchema,
  inWords,
  type Json,
  NamedSchemas,
  selected,
  valueSchema,
} from '../../rest-compat/openapi-schemas.ts';
import { inputTypeOf, targetsOf } from '../../rest-compat/operations.ts';
import type { Data, ObjectForm, Tool } from './tool.ts';

/** A tool that can be run. */
export interface PreparedTool extends Tool {
  document: DocumentNode;
  /** Reads it while it is waited for. */
  reading?: DocumentNode;
  /** The root field whose `@Allow` applies. */
  rootField: string;
  isReadOnly: boolean;
  /** JSON schema of its arguments. */
  arguments: { type: 'object'; properties: Record<string, Json>; required?: string[]; additionalProperties: false };
  /** JSON schema of a successful result. */
  result: ObjectForm;
  /** Variables of the operation from arguments whose names are known. */
  variablesOf(args: Data): Data;
}

/** Prepares every row of the table; throws for one that the schema does not know. */
export function prepareTools(executor: Executor, tools: readonly Tool[]): PreparedTool[] {
  return tools.map((tool) => prepareTool(executor, tool));
}

function prepareTool(executor: Executor, tool: Tool): PreparedTool {
  const document = parse(tool.operation);
  const operation = getOperationAST(document);
  const root = operation?.selectionSet.selections[0];
  if (!operation || root?.kind !== Kind.FIELD) throw new Error(`${tool.name} has no root field.`);
  executor.prepare(document);
  const reading = tool.waits && parse(tool.waits.operation);
  if (reading) executor.prepare(reading);
  return {
    ...tool,
    document,
    ...(reading ? { reading } : {}),
    rootField: root.name.value,
    isReadOnly: operation.operation === OperationTypeNode.QUERY,
    arguments: argumentsOf(executor.schema, document, operation, tool),
    result: resultOf(executor.schema, reading ?? document, tool),
    variablesOf: (args) => variablesOf(operation, tool, args),
  };
}

/** Schemas that are written out where they are used: a tool's stands alone. */
class WrittenOut extends NamedSchemas {
  override add(_name: string, schema: Json): Json {
    return schema;
  }
}

/** The schema of a tool's answer: what its operation selects, or what the operation selects that polls for its end. */
function resultOf(schema: GraphQLSchema, document: DocumentNode, { waits }: Tool): ObjectForm {
  const operation = getOperationAST(document);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) throw new Error('A tool has no operation.');
  const answers = { schema, named: new WrittenOut(), before: '', omitted: [] };
  const read = selected(answers, root, operation.selectionSet) as ObjectForm;
  return waits?.resultForm?.(read) ?? read;
}

const NAME: Json = { type: 'string', description: 'Only those whose name holds this text, in any case.' };

function argumentsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { omits = [], defaults = {}, filters }: Tool,
): PreparedTool['arguments'] {
  const targets = targetsOf(schema, document);
  const properties: Record<string, Json> = filters ? { name: NAME } : {};
  const required: string[] = [];
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = inputTypeOf(schema, node);
    const named = getNamedType(type);
    if (name === 'input' && named instanceof GraphQLInputObjectType) {
      const whole = valueSchema(type) as { properties: Record<string, Json>; required?: string[] };
      for (const [field, value] of Object.entries(whole.properties)) {
        if (omits.includes(field)) continue;
        const { [field]: standard } = defaults;
        const text = standard === undefined ? value.description : `Default: ${String(standard)}.`;
        properties[field] = { ...value, description: text };
      }
      required.push(...(whole.required ?? []));
    } else {
      const target = targets.get(name);
      properties[name] = inputSchema(type, target?.description ? { description: inWords(target) } : {});
      if (node.kind === Kind.NON_NULL_TYPE && !defaultValue) required.push(name);
    }
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

function variablesOf(operation: OperationDefinitionNode, { defaults = {}, filters }: Tool, args: Data): Data {
  const { ...rest } = args;
  if (filters) delete rest.name;
  const variables: Data = {};
  for (const { variable } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    if (name === 'input' || !(name in rest)) continue;
    variables[name] = rest[name];
    delete rest[name];
  }
  const hasInput = operation.variableDefinitions?.some(({ variable }) => variable.name.value === 'input');
  return hasInput ? { ...variables, input: { ...defaults, ...rest } } : variables;
}
