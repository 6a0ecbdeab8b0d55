/** The documented endpoints: Conversations. */
import { PAGE_INFO, type Route } from './route.ts';

const TURN = `id role userText avatarText output status audioUrl videoUrl shareSlug shareUrl liveUrl errorMessage
  mediaError createdAt`;
const CONVERSATION =
  'conversationId shareSlug shareUrl viewerToken liveUrl isPublic avatarId avatarOwnerUserId avatarDisplayName avatarImageUrl createdAt';
const TURN_NULLS = ['errorMessage', 'mediaError'];

export const CONVERSATION_ROUTES: readonly Route[] = [
  {
    method: 'DELETE',
    path: '/avatars/speak/{generationId}',
    section: 'One-shot speech',
    summary: 'Delete one-shot speech and its media.',
    operation: 'mutation($generationId: ID!) { deleteSpeech(input: { generationId: $generationId }) { ok } }',
    body: 'root',
  },
  {
    method: 'POST',
    path: '/conversations',
    section: 'Conversations',
    summary: 'Start a conversation with an avatar.',
    operation: `mutation($avatarOwnerUserId: ID!, $avatarId: ID!) { createConversation(input: { avatarOwnerUserId: $avatarOwnerUserId, avatarId: $avatarId }) {
      conversationId shareSlug shareUrl viewerToken liveUrl } }`,
    body: 'root',
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/conversations',
    section: 'Conversations',
    summary: 'List your conversations; search looks into titles, names of avatars and words.',
    operation: `query($first: Int, $after: String, $search: String) { conversations(first: $first, after: $after, search: $search) {
      nodes { ${CONVERSATION} title updatedAt } ${PAGE_INFO} } }`,
    body: 'data',
    list: 'conversations',
    omitNulls: ['viewerToken', 'title'],
  },
  {
    method: 'POST',
    path: '/conversations/{conversationId}/turn',
    section: 'Conversations',
    summary: 'Inject a turn; the reply is generated asynchronously.',
    operation: `mutation($input: InjectTurnInput!) { injectTurn(input: $input) {
      turn { ${TURN} } storePath async } }`,
    status: 202,
    body: 'root',
    omitNulls: TURN_NULLS,
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/conversations/{conversationId}',
    section: 'Conversations',
    summary: 'Read a conversation, without its turns.',
    operation: `query($conversationId: ID!) { conversation(conversationId: $conversationId) { ${CONVERSATION} title updatedAt } }`,
    body: 'data',
    omitNulls: ['viewerToken', 'title'],
  },
  {
    method: 'DELETE',
    path: '/conversations/{conversationId}',
    section: 'Conversations',
    summary: 'Delete a conversation with its turns and media.',
    operation:
      'mutation($conversationId: ID!) { deleteConversation(input: { conversationId: $conversationId }) { ok } }',
    body: 'root',
  },
  {
    method: 'DELETE',
    path: '/turns/{turnId}',
    section: 'Conversations',
    summary: 'Delete a turn with its media.',
    operation: 'mutation($turnId: ID!) { deleteTurn(input: { turnId: $turnId }) { ok } }',
    body: 'root',
  },
  {
    method: 'POST',
    path: '/conversations/{conversationId}/visibility',
    section: 'Conversations',
    summary: 'Make a conversation public or private.',
    operation: `mutation($conversationId: ID!, $isPublic: Boolean!) { setConversationVisibility(input: { conversationId: $conversationId, isPublic: $isPublic }) { ok isPublic liveUrl } }`,
    body: 'root',
  },
  {
    method: 'GET',
    path: '/conversations/by-slug/{slug}',
    section: 'Conversations',
    summary: 'Read a conversation and its turns.',
    operation: `query($slug: String!, $limit: Int, $before: ID, $after: String) { conversationBySlug(slug: $slug, limit: $limit, before: $before, sinceVersion: $after) {
      conversationId conversation { ${CONVERSATION} } turns { ${TURN} } tag } }`,
    body: 'root',
    omitNulls: [...TURN_NULLS, 'viewerToken'],
    called: { sinceVersion: 'after' },
    tag: `query($slug: String!, $limit: Int, $before: ID, $after: String) { tag: conversationTag(slug: $slug, limit: $limit, before: $before, sinceVersion: $after) }`,
  },
  {
    method: 'POST',
    path: '/conversations/{conversationId}/avatar-image',
    section: 'Conversations',
    summary: 'Pin another image of the avatar.',
    operation: `mutation($conversationId: ID!, $avatarImageUrl: URL!) { pinAvatarImage(input: { conversationId: $conversationId, avatarImageUrl: $avatarImageUrl }) { ok avatarImageUrl } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/conversations/{conversationId}/access-link',
    section: 'Conversations',
    summary: 'Mint a revocable private share link.',
    operation:
      'mutation($conversationId: ID!) { createAccessLink(input: { conversationId: $conversationId }) { ok linkId url } }',
    body: 'root',
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/conversations/{conversationId}/access-link',
    section: 'Conversations',
    summary: 'List the access links that stand; their addresses were shown once.',
    operation: `query($conversationId: ID!, $first: Int, $after: String) {
      links: accessLinks(conversationId: $conversationId, first: $first, after: $after) { nodes { linkId createdAt } ${PAGE_INFO} } }`,
    body: 'data',
    list: 'links',
  },
  {
    method: 'DELETE',
    path: '/conversations/{conversationId}/access-link/{linkId}',
    section: 'Conversations',
    summary: 'Revoke an access link.',
    operation:
      'mutation($conversationId: ID!, $linkId: ID!) { revokeAccessLink(input: { conversationId: $conversationId, linkId: $linkId }) { ok } }',
    body: 'root',
  },
];
