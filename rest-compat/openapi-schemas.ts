/**
 * JSON schemas of what the REST table sends and answers: from input types with their limits, and from what an operation
 * selects. Objects are named after their GraphQL types, so that generated clients have types to speak of.
 */
import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLInputField,
  GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** A piece of the OpenAPI document. */
export type Json = Record<string, unknown>;

const SCALARS: Record<string, Json> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
};

/** A reference to a named schema. */
export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** The schemas that others refer to by name. */
export class NamedSchemas {
  readonly all: Record<string, Json> = {};

  /**
   * A reference to the schema, which is added under this name, or with `before` in front of it where another schema has the name.
   */
  add(name: string, schema: Json, before: string): Json {
    const known = this.all[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) return this.add(`${before}${name}`, schema, before);
    this.all[name] = schema;
    return refTo(name);
  }
}

/** JSON schema of a scalar or enumeration; ours carry their own in `extensions.jsonSchema`. */
function leaf(type: GraphQLNamedType): Json {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map((value) => value.name) };
  const own = isScalarType(type) ? (type.extensions.jsonSchema as Json | undefined) : undefined;
  return own ?? SCALARS[type.name] ?? {};
}

/** The same, or null. */
function nullable(schema: Json): Json {
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  if (!('type' in schema)) return schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...values };
}

/** The schema of a body's field: it may be null where the operation's type is nullable. */
export function inputSchema(type: GraphQLInputType, own: Json = {}): Json {
  if (!isNonNullType(type)) return nullable({ ...valueSchema(type), ...own });
  return { ...valueSchema(type), ...own };
}

/**
 * The description of a field or an argument, with its default; `own` is a default that REST has instead of the graph's. The
 * default is in the text because generators take a field with a `default` for one that is always present, in requests too.
 */
export function inWords({ description, defaultValue }: GraphQLArgument | GraphQLInputField, own?: unknown): string {
  const standard = own ?? defaultValue;
  return [description, standard == null ? '' : `Default: ${String(standard)}.`].filter(Boolean).join(' ');
}

/** The schema of a parameter in a path or a query, which is never null. */
export function valueSchema(type: GraphQLInputType): Json {
  if (isNonNullType(type)) return valueSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: valueSchema(type.ofType) };
  if (!(type instanceof GraphQLInputObjectType)) return leaf(type);
  const fields = Object.values(type.getFields());
  // A parameter with a default may be left out.
  const required = fields.filter((field) => isNonNullType(field.type) && field.defaultValue === undefined);
  const properties = Object.fromEntries(
    fields.map((field) => {
      const { default: own, ...limits } = (field.extensions.jsonSchema ?? {}) as Json;
      return [field.name, { ...inputSchema(field.type, limits), description: inWords(field, own) }];
    }),
  );
  return { type: 'object', properties, ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}) };
}

/** How schemas of answers are made. */
export interface Answers {
  schema: GraphQLSchema;
  named: NamedSchemas;
  /** Prefix for the name of a type of which an operation selects other fields than the schema with that name. */
  before: string;
  /** Fields that are left out where they are null. */
  omitted: readonly string[];
}

function outputSchema(answers: Answers, type: GraphQLOutputType, node: FieldNode): Json {
  return isNonNullType(type) ? filled(answers, type.ofType, node) : nullable(filled(answers, type, node));
}

function filled(answers: Answers, type: GraphQLOutputType, node: FieldNode): Json {
  if (isNonNullType(type)) return filled(answers, type.ofType, node);
  if (isListType(type)) return { type: 'array', items: outputSchema(answers, type.ofType, node) };
  const named = getNamedType(type);
  if (!node.selectionSet) return leaf(named);
  const shape = selected(answers, named, node.selectionSet);
  if (named.name.endsWith('Connection')) return shape;
  return answers.named.add(named.name, shape, answers.before);
}

const NEXT: Json = { type: 'string', description: 'Pass as after for the next page; left out where there is none.' };

/** Whether the selection says that a list goes on (`hasNextPage`). */
const hasPages = ({ selectionSet }: FieldNode): boolean =>
  Boolean(selectionSet?.selections.some((node) => node.kind === Kind.FIELD && node.name.value === 'pageInfo'));

/** The object that a selection makes of a type. */
export function selected(answers: Answers, type: GraphQLNamedType, set: SelectionSetNode): Json {
  if (!isObjectType(type)) return {};
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const node of set.selections) {
    // A tag is the answer's ETag.
    if (node.kind !== Kind.FIELD || node.name.value === 'tag') continue;
    const field = type.getFields()[node.name.value];
    if (!field) throw new Error(`The REST table selects ${type.name}.${node.name.value}, which is not there.`);
    // A connection becomes the plain list of its items, with `next` beside it.
    if (type.name.endsWith('Connection') && node.name.value === 'nodes') return outputSchema(answers, field.type, node);
    if (hasPages(node)) properties.next = NEXT;
    const name = node.alias?.value ?? node.name.value;
    const described = field.description ? { description: field.description } : {};
    const isOmitted = answers.omitted.includes(name);
    // A look-up is null only beside an error, and then the body is the error; a field that is left out when null is never null.
    const isFilled = field.extensions.lookUp !== undefined || isOmitted;
    properties[name] = { ...(isFilled ? filled : outputSchema)(answers, field.type, node), ...described };
    if (!isOmitted) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}
