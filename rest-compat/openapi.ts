/**
 * The OpenAPI document, derived from the REST table and the GraphQL schema: request schemas from the operation's
 * variables and the limits of their input classes, response schemas from what the operation selects. Nothing is
 * described twice.
 */
import {
  type FieldNode,
  GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { ruleOf } from '../src/auth/allow.ts';
import type { Rule } from '../src/auth/principal.ts';
import { QUOTAS } from '../src/kernel/quotas.ts';
import { inputTypeOf } from './operations.ts';
import { ROUTES, type Route } from './routes/index.ts';

type Json = Record<string, unknown>;

/** Of the documented interface; the program's own is in src/kernel/version.ts. */
const VERSION = '1.2.0';
const SCALARS: Record<string, Json> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
};

/** JSON schema of a scalar or enumeration; ours carry their own in `extensions.jsonSchema`. */
function leaf(type: GraphQLNamedType): Json {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map((value) => value.name) };
  const own = isScalarType(type) ? (type.extensions.jsonSchema as Json | undefined) : undefined;
  return own ?? SCALARS[type.name] ?? {};
}

const nullable = (schema: Json): Json => {
  if (!('type' in schema)) return schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...values };
};

function inputSchema(type: GraphQLInputType): Json {
  if (isNonNullType(type)) return inputSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType) };
  if (!(type instanceof GraphQLInputObjectType)) return leaf(type);
  const fields = Object.values(type.getFields());
  const required = fields.filter((field) => isNonNullType(field.type)).map((field) => field.name);
  const properties = Object.fromEntries(
    fields.map((field) => [
      field.name,
      {
        ...inputSchema(field.type),
        ...(field.defaultValue === undefined ? {} : { default: field.defaultValue }),
        ...(field.extensions.jsonSchema as Json | undefined),
        ...(field.description ? { description: field.description } : {}),
      },
    ]),
  );
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function outputSchema(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  node: FieldNode,
  omitted: readonly string[],
): Json {
  if (isNonNullType(type)) return filled(schema, type.ofType, node, omitted);
  return nullable(filled(schema, type, node, omitted));
}

function filled(schema: GraphQLSchema, type: GraphQLOutputType, node: FieldNode, omitted: readonly string[]): Json {
  if (isNonNullType(type)) return filled(schema, type.ofType, node, omitted);
  if (isListType(type)) return { type: 'array', items: outputSchema(schema, type.ofType, node, omitted) };
  const named = getNamedType(type);
  return node.selectionSet ? selected(schema, named, node.selectionSet, omitted) : leaf(named);
}

function selected(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  set: SelectionSetNode,
  omitted: readonly string[],
): Json {
  if (!isObjectType(type)) return {};
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const node of set.selections) {
    if (node.kind !== Kind.FIELD) continue;
    const field = type.getFields()[node.name.value];
    if (!field) throw new Error(`The REST table selects ${type.name}.${node.name.value}, which is not there.`);
    const name = node.alias?.value ?? node.name.value;
    const described = field.description ? { description: field.description } : {};
    // A look-up is null beside an error only, and then the error is the body.
    const shape = (field.extensions.lookUp ? filled : outputSchema)(schema, field.type, node, omitted);
    properties[name] = { ...shape, ...described };
    if (!omitted.includes(name)) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function security(rule: Rule | undefined): { security: Json[]; note: string } {
  if (!rule || rule.auth === 'none') return { security: [], note: 'No authentication.' };
  if (rule.auth === 'optional') return { security: [{}, { bearer: [] }], note: 'Without authentication where public.' };
  const notes = {
    session: 'Signed-in session only.',
    firstParty: 'Session or API key; access tokens of apps are refused.',
    bearer: `Access tokens need the scope ${rule.scopes?.join(' or ')}.`,
    token: `Access tokens of apps only, with the scope ${rule.scopes?.join(' or ')}.`,
  };
  return { security: [{ bearer: [] }], note: notes[rule.auth] };
}

const error = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

function operationOf(schema: GraphQLSchema, route: Route): Json {
  const operation = getOperationAST(parse(route.operation));
  const rootType = operation && schema.getRootType(operation.operation);
  if (!operation || !rootType) throw new Error(`The schema has nothing of ${route.method} ${route.path}.`);
  const root = operation.selectionSet.selections[0] as FieldNode;
  const data = selected(schema, rootType, operation.selectionSet, route.omitNulls ?? []);
  const body =
    route.body === 'root'
      ? ((data.properties as Record<string, Json>)[root.alias?.value ?? root.name.value] ?? data)
      : data;
  if (route.tag) dropTag(body);
  const { security: needs, note } = security(ruleOf(root.name.value));
  const inPath = new Set([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  const parameters: Json[] = [];
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const { variable, type } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const inputType = inputTypeOf(schema, type);
    const isRequired = isNonNullType(inputType);
    const shape = inputSchema(inputType);
    if (inPath.has(name)) parameters.push({ name, in: 'path', required: true, schema: shape });
    else if (route.method === 'GET') parameters.push({ name, in: 'query', required: isRequired, schema: shape });
    else if (name === 'input') {
      Object.assign(properties, shape.properties);
      required.push(...((shape.required as string[] | undefined) ?? []));
    } else {
      properties[name] = shape;
      if (isRequired) required.push(name);
    }
  }
  for (const [alias, name] of Object.entries(route.aliases ?? {})) {
    properties[alias] = { ...properties[name], description: `Another name of ${name}.` };
  }
  if (route.charges) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', maxLength: 255 },
    });
  }
  const statuses = typeof route.status === 'object' ? route.status.all : [route.status ?? 200];
  const success = { description: 'Success', content: { 'application/json': { schema: body } } };
  return {
    tags: [route.section],
    summary: route.summary,
    description: note,
    operationId: root.name.value,
    security: needs,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(Object.keys(properties).length > 0
      ? {
          requestBody: {
            required: required.length > 0,
            content: {
              'application/json': {
                schema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
              },
            },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, success])),
      ...(route.tag ? { 304: { description: 'Unchanged since the ETag in If-None-Match.' } } : {}),
      default: error('An error: `error`, `code` and, for some, amounts.'),
    },
  };
}

function dropTag(body: Json): void {
  delete (body.properties as Json).tag;
  body.required = (body.required as string[]).filter((name) => name !== 'tag');
}

/** The document served at /openapi.json and committed as rest-compat/openapi.json. */
export function createOpenApi(schema: GraphQLSchema, routes: readonly Route[] = ROUTES): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(schema, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Avatar Platform',
      version: VERSION,
      description: 'Talking avatars: conversations answered live in text, speech and talking-head video.',
    },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, an access token or a session ID token.' },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'code', 'requestId'],
          properties: {
            error: { type: 'string', description: 'A sentence; for bad input it names the field.' },
            code: {
              type: 'string',
              description:
                'What happened, for programs. QUOTA_EXCEEDED (400): the account has as many of these as it may have.',
            },
            requestId: { type: 'string' },
            requiredCredits: { type: 'number', description: 'With 402.' },
            availableCredits: { type: 'number', description: 'With 402.' },
            quota: { type: 'string', enum: Object.keys(QUOTAS), description: 'With QUOTA_EXCEEDED: which one.' },
            limit: { type: 'number', description: 'With QUOTA_EXCEEDED: how many an account may have.' },
          },
        },
      },
    },
  };
}
