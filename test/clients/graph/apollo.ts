/** Apollo Client with its own settings: its cache, and its link of automatic persisted queries. */
import { createHash } from 'node:crypto';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { createPersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { expect, type Platform } from './platform.ts';

const ME = gql`query Me { me { id } }`;
const AVATARS = gql`query Avatars { avatars { nodes { id displayName } } }`;
const CONVERSATION = gql`query Conversation($id: ID!) { conversation(conversationId: $id) { id avatar { id displayName } } }`;
const RENAME = gql`
  mutation Rename($avatarId: ID!, $displayName: String!) {
    renameAvatar(input: { avatarId: $avatarId, displayName: $displayName }) { id displayName }
  }
`;

interface Named {
  id: string;
  displayName: string;
}

/** What a mutation changes is shown wherever it was read, without reading it again. */
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

/** A document is sent once, and by its hash from then on: by later clients too, by POST as by GET. */
export async function apolloPersisted({ url, key, userId, avatarId }: Platform): Promise<void> {
  let sent: string[] = [];
  const open = (useGETForHashedQueries: boolean) => {
    const http = new HttpLink({
      uri: `${url}/graphql`,
      headers: { authorization: `Bearer ${key}` },
      fetch: (input, init) => {
        const asked = init?.body
          ? JSON.parse(String(init.body))
          : Object.fromEntries(new URL(String(input)).searchParams);
        sent.push(`${init?.method ?? 'GET'} ${asked.query === undefined ? 'hash' : 'text'}`);
        return fetch(input, init);
      },
    });
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const link = createPersistedQueryLink({ sha256, useGETForHashedQueries }).concat(http);
    return new ApolloClient({ link, cache: new InMemoryCache() });
  };
  const asks = async (name: string, isGet: boolean, wanted: string[]): Promise<void> => {
    sent = [];
    const client = open(isGet);
    const { data } = await client.query<{ me: { id: string } }>({ query: ME });
    expect(name, [data?.me.id, sent], [userId, wanted]);
    client.stop();
  };
  await asks('the first', false, ['POST hash', 'POST text']);
  await asks('the second', false, ['POST hash']);
  await asks('by GET', true, ['GET hash']);
  sent = [];
  const client = open(true);
  const variables = { avatarId, displayName: 'Nova' };
  for (let time = 1; time <= 2; time += 1) await client.mutate({ mutation: RENAME, variables });
  expect('a mutation', sent, ['POST hash', 'POST text', 'POST hash']);
  client.stop();
}
