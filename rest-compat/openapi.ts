/**
 * The OpenAPI document, derived from the REST table and the GraphQL schema: request schemas from the operation's
 * variables and the limits of their input classes, response schemas from what the operation selects. Nothing is
 * described twice.
 */
import {
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  isNonNullType,
  parse,
  valueFromASTUntyped,
} from 'graphql';
import { ruleOf } from '../src/auth/allow.ts';
import type { Rule } from '../src/auth/principal.ts';
import type { Scope } from '../src/kernel/scopes.ts';
import { ERROR_SCHEMAS, refusals } from './openapi-errors.ts';
import { exampleOf } from './openapi-examples.ts';
import { filePaths } from './openapi-files.ts';
import { inputSchema, inWords, type Json, NamedSchemas, selected, valueSchema } from './openapi-schemas.ts';
import { inputTypeOf, targetsOf } from './operations.ts';
import { ROUTES, type Route } from './routes/index.ts';
import { PAGE_INFO } from './routes/route.ts';
import { bodyNames } from './variables.ts';

/** Version of the documented interface; that of the program is in src/kernel/version.ts. */
const VERSION = '1.2.0';

/** Public addresses of the instance that is described. */
export interface Addresses {
  baseUrl: string;
  siteUrl: string;
}

const LOCAL: Addresses = { baseUrl: 'http://localhost:4000', siteUrl: 'http://localhost:4000' };

const SECTIONS: Record<string, string> = {
  Account: 'Who calls, and what they have.',
  'API keys': 'Keys for programs of one’s own, made by signed-in users.',
  'Avatars and voices': 'Faces, personalities and voices, and what they have learnt.',
  'Avatar folders': 'Where avatars are kept.',
  'Brain memory': 'What an avatar remembers: save, recall, ask; sandboxes to try it in.',
  'One-shot speech': 'One text, spoken once, without a conversation.',
  Conversations: 'Turns that are answered as text, speech or talking-head video; poll them by slug.',
  Images: 'Images from words, and edits of images.',
  'Video generation': 'Videos from words and images; poll them.',
  'Login flow': 'OAuth 2.0 for apps: registration, tokens, grants.',
  Files: 'Images, recordings and videos of one’s own, to be used by their addresses.',
  Tribes: 'Communities of creators, with a price to join.',
  'Credit gifts': 'Gifts in two steps: proposed by an app, confirmed by the sender.',
};

/** What each scope permits, for developers. */
const SCOPES: Record<Scope, string> = {
  profile: 'Who the avatar is that signed in.',
  'avatars:read': 'Read avatars, images, folders and voices.',
  generate: 'Spend credits: images, speech, turns, videos.',
  tribes: 'Read tribes, and join them.',
  donations: 'Propose gifts, and list those that were sent.',
};

function security(rule: Rule | undefined): { security: Json[]; note: string } {
  if (!rule || rule.auth === 'none') return { security: [], note: 'No authentication.' };
  if (rule.auth === 'optional') return { security: [{}, { bearer: [] }], note: 'Without authentication where public.' };
  const notes = {
    session: 'Signed-in session only.',
    firstParty: 'Session or API key; access tokens of apps are refused.',
    bearer: `Access tokens need the scope ${rule.scopes?.join(' or ')}.`,
    token: `Access tokens of apps only, with the scope ${rule.scopes?.join(' or ')}.`,
  };
  const scoped = (rule.scopes ?? []).map((scope) => ({ oauth2: [scope] }));
  return { security: rule.auth === 'token' ? scoped : [{ bearer: [] }, ...scoped], note: notes[rule.auth] };
}

const LINK = {
  Link: { description: 'The next page, as rel="next"; absent from the last one.', schema: { type: 'string' } },
};

const pascal = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** Where an operation is shown on the page of the document. */
const linkTo = (siteUrl: string, section: string, operationId: string): Json => ({
  description: 'A link to this endpoint, to read and to try out.',
  url: `${siteUrl}/docs#/${encodeURIComponent(section)}/${operationId}`,
});

/** One operation of the document; its schemas are added to `named`. */
function operationOf(schema: GraphQLSchema, route: Route, named: NamedSchemas, siteUrl: string): Json {
  const operation = getOperationAST(parse(route.operation));
  const rootType = operation && schema.getRootType(operation.operation);
  if (!operation || !rootType) throw new Error(`The schema has nothing of ${route.method} ${route.path}.`);
  const root = operation.selectionSet.selections[0] as FieldNode;
  const operationId = route.operationId ?? root.name.value;
  const rule = ruleOf(root.name.value);
  const { security: needs, note } = security(rule);
  const { parameters, body } = inputsOf(schema, route);
  const resolve = (ref: string): Json => named.all[ref.replace(/^.*\//, '')] ?? {};
  const content = (shape: Json): Json => ({
    'application/json': { schema: shape, example: exampleOf(shape, '', resolve) },
  });
  const answers = { schema, named, before: pascal(operationId), omitted: route.omitNulls ?? [] };
  const data = selected(answers, rootType, operation.selectionSet);
  const field = (data.properties as Record<string, Json>)[root.alias?.value ?? root.name.value];
  const answer =
    route.body === 'root' && field?.$ref ? { $ref: field.$ref } : named.add(`${pascal(operationId)}Answer`, data, '');
  const statuses = typeof route.status === 'object' ? route.status.all : [route.status ?? 200];
  const headers = route.operation.includes(PAGE_INFO) ? { headers: LINK } : {};
  const success = { description: 'Success.', ...headers, content: content(answer) };
  const hasInput = parameters.length > 0 || body !== undefined;
  const request = body && named.add(`${pascal(operationId)}Request`, body, '');
  return {
    tags: [route.section],
    summary: route.summary,
    description: note,
    externalDocs: linkTo(siteUrl, route.section, operationId),
    operationId,
    security: needs,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(request
      ? { requestBody: { required: body.required !== undefined, content: requestContent(route, content(request)) } }
      : {}),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, success])),
      ...(route.tag ? { 304: { description: 'Unchanged since the ETag in If-None-Match.' } } : {}),
      ...refusals(route, rule, operationId, hasInput),
    },
  };
}

/** OAuth's endpoints take forms as well. */
function requestContent(route: Route, content: Json): Json {
  return route.oauth === true
    ? { ...content, 'application/x-www-form-urlencoded': content['application/json'] }
    : content;
}

/** The variables of a row's operation as parameters and as the fields of its body. */
function inputsOf(schema: GraphQLSchema, route: Route): { parameters: Json[]; body: Json | undefined } {
  const operation = parse(route.operation);
  const variables = getOperationAST(operation)?.variableDefinitions ?? [];
  const given = targetsOf(schema, operation);
  const inPath = new Set([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  const parameters: Json[] = [];
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const { variable, type, defaultValue } of variables) {
    const name = variable.name.value;
    const inputType = inputTypeOf(schema, type);
    const named = getNamedType(inputType);
    const isRequired = isNonNullType(inputType);
    const argument = given.get(name);
    const value = { ...valueSchema(inputType), ...(argument?.extensions.jsonSchema as Json | undefined) };
    // A row's own default is shown instead of the graph's.
    const own = defaultValue && valueFromASTUntyped(defaultValue);
    const described = argument?.description ? { description: inWords(argument, own) } : {};
    const isPath = inPath.has(name);
    if (isPath || route.method === 'GET') {
      parameters.push({
        name,
        in: isPath ? 'path' : 'query',
        required: isPath || isRequired,
        ...described,
        schema: value,
      });
    } else if (name === 'input' && isInputObjectType(named)) {
      for (const field of Object.values(named.getFields())) {
        const { description, type: fieldType } = field;
        if (inPath.has(field.name))
          parameters.push({
            name: field.name,
            in: 'path',
            required: true,
            description,
            schema: valueSchema(fieldType),
          });
      }
      const inBody = bodyNames(named, (field) => inPath.has(field));
      const { properties: all, required: needed = [] } = value as { properties?: Json; required?: string[] };
      for (const field of inBody) properties[field] = all?.[field] as Json;
      required.push(...needed.filter((field) => inBody.includes(field)));
    } else {
      properties[name] = {
        ...inputSchema(inputType, argument?.extensions.jsonSchema as Json | undefined),
        ...described,
      };
      if (isRequired) required.push(name);
    }
  }
  for (const [alias, name] of Object.entries(route.aliases ?? {})) {
    properties[alias] = { ...properties[name], description: `Another name of ${name}.` };
  }
  if (route.idempotent) {
    const description = 'The same request with the same key is answered again, and done and charged once.';
    const key = { type: 'string', minLength: 1, maxLength: 255 };
    parameters.push({ name: 'Idempotency-Key', in: 'header', required: false, description, schema: key });
  }
  if (Object.keys(properties).length === 0) return { parameters, body: undefined };
  const isClosed = !route.oauth && !route.ignoresOtherFields;
  const body = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  };
  return { parameters, body };
}

/** The document served at /openapi.json and committed, with addresses of this machine, as rest-compat/openapi.json. */
export function createOpenApi(
  schema: GraphQLSchema,
  { baseUrl, siteUrl }: Addresses = LOCAL,
  routes: readonly Route[] = ROUTES,
): Json {
  const named = new NamedSchemas();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(schema, route, named, siteUrl),
    };
  }
  Object.assign(
    paths,
    filePaths(schema, named, security, (section, operationId) => linkTo(siteUrl, section, operationId)),
  );
  const tokenUrl = `${baseUrl}/oauth/token`;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Avatar Platform',
      version: VERSION,
      description: 'Talking avatars: conversations answered live in text, speech and talking-head video.',
      license: { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' },
      contact: { name: 'The operator of this instance', url: siteUrl },
    },
    externalDocs: { description: 'These endpoints, to read and to try out.', url: `${siteUrl}/docs` },
    servers: [{ url: baseUrl, description: 'This instance.' }],
    tags: Object.entries(SECTIONS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, an access token or a session ID token.' },
        oauth2: {
          type: 'oauth2',
          description: 'Access tokens of apps. Public clients use PKCE (S256).',
          flows: {
            authorizationCode: { authorizationUrl: `${siteUrl}/oauth-authorize.html`, tokenUrl, scopes: SCOPES },
            clientCredentials: { tokenUrl, scopes: SCOPES },
          },
        },
      },
      schemas: { ...ERROR_SCHEMAS, ...named.all },
    },
  };
}
