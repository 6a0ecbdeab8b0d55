/**
 * The graph as a subgraph of Federation 2: an existing router composes it by `_service`, and reads again what another subgraph
 * extends by `_entities`. Every node is an entity by its `id`, under the same rules as `node(id)`.
 */
import {
  type DirectiveNode,
  extendSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isUnionType,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { inOurWords } from '../schema/enums.ts';
import { badInput } from '../src/kernel/errors.ts';
import type { Context } from './context.ts';
import { readNodes, typeOfNode } from './nodes.ts';

/** The oldest version that has all that we use, so that any router of Federation 2 composes it. */
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])';

/** Types of standards, whose fields other subgraphs have as well. */
const SHARED = new Set(['PageInfo']);

/** Characters of the SDL that a point of the budget of requests buys. */
const CHARS_A_POINT = 16_384;

const KEY = directive('@key(fields: "id")');
const SHAREABLE = directive('@shareable');

function directive(text: string): DirectiveNode {
  const [type] = parse(`type T ${text} { id: ID }`).definitions as [ObjectTypeDefinitionNode];
  return type.directives?.[0] as DirectiveNode;
}

const isEntity = ({ interfaces }: ObjectTypeDefinitionNode): boolean =>
  Boolean(interfaces?.some(({ name }) => name.value === 'Node'));

/** The SDL that a router composes: that of the schema, with the keys of its entities. */
function subgraphSdl(schema: GraphQLSchema): string {
  const document = visit(parse(printSchema(schema)), {
    // Composition does not know this directive; it is left out of the SDL and holds here all the same.
    Directive: ({ name }) => (name.value === 'oneOf' ? null : undefined),
    ObjectTypeDefinition: (node) => {
      const added = [...(isEntity(node) ? [KEY] : []), ...(SHARED.has(node.name.value) ? [SHAREABLE] : [])];
      return added.length > 0 ? { ...node, directives: [...(node.directives ?? []), ...added] } : undefined;
    },
  });
  return `${LINK}\n\n${print(document)}`;
}

const extension = (entities: string) => `
  "What names an entity: its __typename and its id."
  scalar _Any
  "Whatever another subgraph may extend."
  union _Entity = ${entities}
  "The subgraph, for the router."
  type _Service {
    "Its schema, with what Federation needs to know of it."
    sdl: String!
  }
  extend type Query {
    "The entities that a router asks for, at most 100, in their order; null for what is not there, or not yours to read."
    _entities("Each with __typename and id." representations: [_Any!]!): [_Entity]!
    "What a router composes."
    _service: _Service!
  }
`;

/** The schema with what a router asks for. */
export function asSubgraph(schema: GraphQLSchema): GraphQLSchema {
  const node = schema.getType('Node');
  if (!isInterfaceType(node)) throw new Error('The schema has no nodes.');
  const entities = schema.getPossibleTypes(node).map(({ name }) => name);
  const sdl = subgraphSdl(schema);
  const built = extendSchema(schema, parse(extension(entities.join(' | '))));
  for (const type of Object.values(built.getTypeMap())) {
    // The values of enumerations are not carried over.
    if (isEnumType(type) && !type.name.startsWith('__')) inOurWords(type);
    if (isUnionType(type) && type.name === '_Entity') type.resolveType = typeOfNode;
  }
  const { _entities, _service } = (built.getQueryType() as GraphQLObjectType).getFields();
  if (!_entities || !_service) throw new Error('The schema was not extended.');
  _entities.resolve = (_source, { representations }, context) => readEntities(context, representations);
  _service.resolve = () => ({ sdl });
  _service.extensions = { points: Math.ceil(sdl.length / CHARS_A_POINT) };
  return built;
}

interface Representation {
  __typename: string;
  id: string;
}

async function readEntities(context: Context, representations: readonly unknown[]): Promise<(object | null)[]> {
  for (const given of representations) {
    const { __typename, id } = (given ?? {}) as Partial<Representation>;
    if (typeof __typename === 'string' && typeof id === 'string') continue;
    throw badInput('representations', 'must have a __typename and an id, each a text.');
  }
  const asked = representations as readonly Representation[];
  const found = await readNodes(
    context,
    'representations',
    asked.map(({ id }) => id),
  );
  return found.map((node, index) => (node && typeOfNode(node) === asked[index]?.__typename ? node : null));
}
