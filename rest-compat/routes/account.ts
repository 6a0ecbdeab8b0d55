/** Beside the documented endpoints: one's own account. */
import type { Route } from './route.ts';

export const ACCOUNT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/me',
    section: 'Account',
    summary: 'Read who you are.',
    operation: '{ me { userId displayName streamUsername email emailVerified } }',
    body: 'root',
  },
  {
    method: 'DELETE',
    path: '/me',
    section: 'Account',
    summary: 'Delete your account with everything you made; send your password. Only a signed-in session may.',
    operation: 'mutation($password: String!) { deleteAccount(input: { password: $password }) { ok } }',
    body: 'root',
  },
  {
    method: 'GET',
    path: '/me/balance',
    section: 'Account',
    summary: 'Read how many credits you have.',
    operation: '{ me { balance { available transferable welcome held locked { creatorUserId amount } } } }',
    operationId: 'balance',
    body: 'root',
  },
];
