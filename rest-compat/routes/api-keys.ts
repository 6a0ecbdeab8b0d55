/** The documented endpoints: API keys. */
import type { Route } from './route.ts';

export const API_KEY_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api-keys',
    section: 'API keys',
    summary: 'Create an API key; the token is shown once.',
    operation: `mutation($name: String!, $expiresAt: EpochMillis, $scopes: [Scope!]) {
      createApiKey(input: { name: $name, expiresAt: $expiresAt, scopes: $scopes }) { id name token createdAt expiresAt scopes } }`,
    body: 'root',
    omitNulls: ['expiresAt', 'scopes'],
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/api-keys',
    section: 'API keys',
    summary: 'List your API keys, without tokens.',
    operation: '{ apiKeys { nodes { id name createdAt lastUsedAt expiresAt scopes } } }',
    body: 'data',
    list: 'apiKeys',
    omitNulls: ['lastUsedAt', 'expiresAt', 'scopes'],
  },
  {
    method: 'DELETE',
    path: '/api-keys/{id}',
    section: 'API keys',
    summary: 'Revoke an API key.',
    operation: 'mutation($id: ID!) { deleteApiKey(input: { id: $id }) { ok } }',
    body: 'root',
  },
];
