/** The documented endpoints: Brain memory. */
import type { Route } from './route.ts';

export const MEMORY_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/avatars/{avatarId}/brain/pages',
    section: 'Brain memory',
    summary: 'Save a memory.',
    operation: `mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { ok id system sandboxId } }`,
    body: 'root',
    idempotent: true,
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/brain/recall',
    section: 'Brain memory',
    summary: 'Find memories: raw ranked matches.',
    operation: `query($avatarId: ID!, $input: RecallInput!) { recallMemories(avatarId: $avatarId, input: $input) { memories { id content score namespace } system } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/brain/query',
    section: 'Brain memory',
    summary: 'Answer a question from memory, with citations.',
    operation: `query($avatarId: ID!, $input: QueryBrainInput!) { queryBrain(avatarId: $avatarId, input: $input) { answer citations { id content score } } }`,
    body: 'root',
  },
  {
    method: 'DELETE',
    path: '/avatars/{avatarId}/brain/sandboxes/{sandboxId}',
    section: 'Brain memory',
    summary: 'Reset a sandbox.',
    operation: `mutation($avatarId: ID!, $sandboxId: String!) { resetBrainSandbox(input: { avatarId: $avatarId, sandboxId: $sandboxId }) { ok sandboxId deleted } }`,
    body: 'root',
  },
];
