/** A program of graphql-codegen's typed documents, sent by graphql-request. */
import { ClientError, GraphQLClient } from 'graphql-request';
import { graphql } from '../generated/gql/gql.ts';
import { expect, type Platform } from './platform.ts';

const CONVERSATIONS = graphql(`
  query MyConversations($first: Int!) {
    conversations(first: $first) {
      nodes { id title lastTurn { status avatarText } avatar { displayName } }
      pageInfo { endCursor hasNextPage }
    }
  }
`);

const SAY = graphql(`
  mutation Say($input: InjectTurnInput!) {
    injectTurn(input: $input) { turn { id status } }
  }
`);

export async function typedRequests({ url, key, conversationId }: Platform): Promise<void> {
  const client = new GraphQLClient(`${url}/graphql`, { headers: { authorization: `Bearer ${key}` } });
  const input = { conversationId, userText: 'Hello', output: 'text' as const, idempotencyKey: 'graphql-request' };
  const { injectTurn } = await client.request(SAY, { input });
  const again = await client.request(SAY, { input });
  expect('the same turn by the same key', again.injectTurn.turn.id, injectTurn.turn.id);
  const { conversations } = await client.request(CONVERSATIONS, { first: 1 });
  expect('the name of who answers', conversations.nodes[0]?.avatar?.displayName, 'Nova');
  const refused = await client
    .request(SAY, { input: { ...input, conversationId: 'cnv_none', idempotencyKey: null } })
    .catch((error) => error);
  expect('its error', refused instanceof ClientError && refused.response.errors?.[0]?.extensions.code, 'NOT_FOUND');
}
