/** Apollo Client with its own settings: what a mutation changes is shown wherever it was read, without reading it again. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { expect, type Platform } from './platform.ts';

const AVATARS = gql`query Avatars { avatars { nodes { id displayName } } }`;
const CONVERSATION = gql`query Conversation($id: ID!) { conversation(conversationId: $id) { id avatar { id displayName } } }`;
const RENAME = gql`
  mutation Rename($avatarId: ID!, $displayName: String!) {
    renameAvatar(avatarId: $avatarId, displayName: $displayName) { id displayName }
  }
`;

interface Named {
  id: string;
  displayName: string;
}

export async function apollo({ url, key, avatarId, conversationId }: Platform): Promise<void> {
  const requests: string[] = [];
  const client = new ApolloClient({
    link: new HttpLink({
      uri: `${url}/graphql`,
      headers: { authorization: `Bearer ${key}` },
      fetch: (input, init) => {
        requests.push(String(init?.body));
        return fetch(input, init);
      },
    }),
    cache: new InMemoryCache(),
  });
  const shown: (string | undefined)[] = [];
  const watched = client
    .watchQuery<{ avatars: { nodes: Named[] } }>({ query: AVATARS })
    .subscribe(({ data }) => shown.push(data?.avatars?.nodes?.[0]?.displayName));
  const read = { query: CONVERSATION, variables: { id: conversationId } };
  await client.query(read);
  await client.mutate({ mutation: RENAME, variables: { avatarId, displayName: 'Nova the Second' } });
  const sent = requests.length;
  const { data } = await client.query<{ conversation: { avatar: Named } }>(read);
  expect('the new name, read from the cache', data?.conversation.avatar.displayName, 'Nova the Second');
  expect('the new name, where it was watched', shown.at(-1), 'Nova the Second');
  expect('requests beyond the mutation', requests.length - sent, 0);
  watched.unsubscribe();
  await client.mutate({ mutation: RENAME, variables: { avatarId, displayName: 'Nova' } });
  client.stop();
}
