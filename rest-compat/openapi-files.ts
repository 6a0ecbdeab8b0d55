/** The endpoints that take files, which are no rows of the table: their bodies are bytes and forms (src/http). */
import { type GraphQLSchema, getOperationAST, isObjectType, parse } from 'graphql';
import { ruleOf } from '../src/auth/allow.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { refusals } from './openapi-errors.ts';
import { type Json, type NamedSchemas, selected } from './openapi-schemas.ts';

interface FileEndpoint {
  method: 'POST' | 'PUT';
  path: string;
  section: string;
  summary: string;
  operationId: string;
  /** The root field whose `@Allow` it has; without one the address is the permission. */
  rule?: string;
  parameters?: readonly Json[];
  /** The body, by its media type. */
  content: Json;
  /** A GraphQL type, and what of it is answered. */
  answer: readonly [type: string, fields: string];
  example: Json;
}

const text: Json = { type: 'string' };
const form = (properties: Record<string, Json>, required: string): Json => ({
  'multipart/form-data': {
    schema: { type: 'object', properties, required: [required], additionalProperties: false },
  },
});
const file = (description: string): Json => ({
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description,
});
const URL_OF_FILE = { url: 'https://avatars.example/files/example.jpg' };
const mb = (bytes: number): string => `${bytes / 1_048_576} MB`;
const KINDS = `An image of at most ${mb(LIMITS.uploadImageBytes)}, a recording of at most ${mb(LIMITS.uploadSoundBytes)} or a video of at most ${mb(LIMITS.uploadBytes)}.`;

/** Endpoints that take files, which no GraphQL operation stands for. */
export const FILE_ENDPOINTS: readonly FileEndpoint[] = [
  {
    method: 'POST',
    path: '/uploads',
    section: 'Files',
    summary: 'Bring a file; its address is valid wherever the address of such a file is asked for, for a day.',
    operationId: 'upload',
    rule: 'createUpload',
    content: form({ file: file(KINDS) }, 'file'),
    answer: ['UploadedImage', '{ url }'],
    example: URL_OF_FILE,
  },
  {
    method: 'PUT',
    path: '/uploads/{uploadId}',
    section: 'Files',
    summary: 'Send the bytes of a file to the address that `createUpload` of the graph gave, once and within the hour.',
    operationId: 'sendUpload',
    parameters: [
      { name: 'uploadId', in: 'path', required: true, description: 'The upload.', schema: text },
      { name: 'token', in: 'query', required: true, description: 'Of the address.', schema: text },
    ],
    content: { 'application/octet-stream': { schema: { description: KINDS } } },
    answer: ['UploadedImage', '{ url }'],
    example: URL_OF_FILE,
  },
  {
    method: 'POST',
    path: '/transcriptions',
    section: 'Files',
    summary: 'Write down what is said in a recording, where TRANSCRIPTION_MODEL is set; free, and nothing is kept.',
    operationId: 'transcribe',
    rule: 'transcribe',
    content: form(
      { audio: file('The recording.'), language: { ...text, description: 'Which language it is in.' } },
      'audio',
    ),
    answer: ['Transcript', '{ text seconds }'],
    example: { text: 'Good morning!', seconds: 1.5 },
  },
];

/** The paths of these endpoints; `securityOf` says who may call, by a root field's rule; `linkTo` makes a link to a field's documentation. */
export function filePaths(
  schema: GraphQLSchema,
  named: NamedSchemas,
  securityOf: (rule: ReturnType<typeof ruleOf>) => { security: Json[]; note: string },
  linkTo: (section: string, operationId: string) => Json,
): Record<string, Json> {
  const pathOf = (endpoint: FileEndpoint): Json => {
    const rule = endpoint.rule ? ruleOf(endpoint.rule) : undefined;
    const { security, note } = securityOf(rule);
    const [typeName, fields] = endpoint.answer;
    const type = schema.getType(typeName);
    const set = getOperationAST(parse(fields))?.selectionSet;
    if (!isObjectType(type) || !set) throw new Error(`The schema has no ${typeName}.`);
    const answer = named.add(typeName, selected({ schema, named, before: '', omitted: [] }, type, set), 'Sent');
    return {
      tags: [endpoint.section],
      summary: endpoint.summary,
      description: endpoint.rule ? note : 'The address is the permission.',
      externalDocs: linkTo(endpoint.section, endpoint.operationId),
      operationId: endpoint.operationId,
      security,
      ...(endpoint.parameters ? { parameters: endpoint.parameters } : {}),
      requestBody: { required: true, content: endpoint.content },
      responses: {
        200: {
          description: 'Success.',
          content: { 'application/json': { schema: answer, example: endpoint.example } },
        },
        ...refusals(endpoint, rule, endpoint.operationId, true),
      },
    };
  };
  const paths: Record<string, Json> = {};
  for (const endpoint of FILE_ENDPOINTS) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: pathOf(endpoint) };
  }
  return paths;
}
