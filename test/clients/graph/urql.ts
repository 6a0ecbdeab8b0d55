/** urql with its own settings, which send queries by GET: without a credential, and with one. */
import { Client, cacheExchange, fetchExchange, gql } from '@urql/core';
import { expect, type Platform } from './platform.ts';

const ME = gql`query Me { me { id balance { available } } }`;
const PUBLIC = gql`query Public { publicAvatars(first: 1) { nodes { id displayName } } }`;
const RENAME = gql`
  mutation Rename($avatarId: ID!, $displayName: String!) {
    renameAvatar(input: { avatarId: $avatarId, displayName: $displayName }) { id displayName }
  }
`;

export async function urql({ url, key, userId, avatarId }: Platform): Promise<void> {
  const methods: string[] = [];
  const open = (fetchOptions: RequestInit = {}): Client =>
    new Client({
      url: `${url}/graphql`,
      exchanges: [cacheExchange, fetchExchange],
      fetchOptions,
      fetch: (input, init) => {
        methods.push(init?.method ?? 'GET');
        return fetch(input, init);
      },
    });
  const client = open({ headers: { authorization: `Bearer ${key}` } });
  expect('who asks', (await client.query(ME, {})).data?.me.id, userId);
  const renamed = await client.mutation(RENAME, { avatarId, displayName: 'Nova' });
  expect('what was renamed', renamed.data?.renameAvatar.id, avatarId);
  const open2 = await open().query(PUBLIC, {});
  expect('without a credential', [open2.error, Array.isArray(open2.data?.publicAvatars.nodes)], [undefined, true]);
  expect('the methods', methods, ['GET', 'POST', 'GET']);
}
