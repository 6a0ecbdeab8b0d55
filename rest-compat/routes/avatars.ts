/** The documented endpoints: Avatars and voices. */
import { PAGE_INFO, type Route } from './route.ts';

const AVATAR = `avatarId avatarOwnerUserId avatarOwnerDisplayName avatarOwnerStreamUsername displayName avatarImageUrl
  personalityPrompt ttsVoiceId publiclyRenderable createdAt updatedAt folderId nameLocked gemRef knowledgeBaseUrls`;
const PUBLIC_AVATAR = `avatarId avatarOwnerUserId avatarOwnerDisplayName avatarOwnerStreamUsername displayName
  avatarImageUrl ttsVoiceId publiclyRenderable createdAt updatedAt`;

export const AVATAR_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/avatars',
    section: 'Avatars and voices',
    summary: 'List your avatars.',
    operation: `{ avatars { nodes { ${AVATAR} } } }`,
    body: 'data',
    list: 'avatars',
    omitNulls: ['gemRef'],
  },
  {
    method: 'POST',
    path: '/avatars',
    section: 'Avatars and voices',
    summary: 'Create an avatar.',
    operation: `mutation($input: CreateAvatarInput!) { createAvatar(input: $input) { avatar { ${AVATAR} } avatarId avatarOwnerUserId } }`,
    body: 'root',
    omitNulls: ['gemRef'],
    aliases: { voiceId: 'ttsVoiceId' },
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/avatars/public',
    section: 'Avatars and voices',
    summary: 'List publicly renderable avatars.',
    operation: `query($first: Int = 100, $after: String) { avatars: publicAvatars(first: $first, after: $after) { nodes { ${PUBLIC_AVATAR} } ${PAGE_INFO} } }`,
    body: 'data',
    list: 'avatars',
    documentedWhole: true,
  },
  {
    method: 'GET',
    path: '/avatars/{avatarId}',
    section: 'Avatars and voices',
    summary: 'Read an avatar: your own, or one that is publicly renderable, without what is its owner’s alone.',
    operation: `query($avatarId: ID!) { avatar(avatarId: $avatarId) { ${AVATAR} } }`,
    body: 'data',
    omitNulls: ['gemRef'],
  },
  {
    method: 'PATCH',
    path: '/avatars/{avatarId}',
    section: 'Avatars and voices',
    summary: 'Rename an avatar.',
    operation: `mutation($avatarId: ID!, $displayName: String!) { avatar: renameAvatar(input: { avatarId: $avatarId, displayName: $displayName }) { ${AVATAR} } }`,
    body: 'data',
    ignoresOtherFields: true,
    omitNulls: ['gemRef'],
  },
  {
    method: 'DELETE',
    path: '/avatars/{avatarId}',
    section: 'Avatars and voices',
    summary: 'Delete an avatar and everything made of it.',
    operation: 'mutation($avatarId: ID!) { deleteAvatar(input: { avatarId: $avatarId }) { ok } }',
    body: 'root',
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/public',
    section: 'Avatars and voices',
    summary: 'Open or close an avatar to other callers.',
    operation: `mutation($avatarId: ID!, $publiclyRenderable: Boolean!) { avatar: setAvatarPublic(input: { avatarId: $avatarId, publiclyRenderable: $publiclyRenderable }) { ${AVATAR} } }`,
    body: 'data',
    omitNulls: ['gemRef'],
  },
  {
    method: 'GET',
    path: '/voices',
    section: 'Avatars and voices',
    summary: 'List preset and custom voices.',
    operation: '{ voices { nodes { id name source } } }',
    body: 'data',
    list: 'voices',
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/voice',
    section: 'Avatars and voices',
    summary: 'Give an avatar a voice.',
    operation: `mutation($avatarId: ID!, $voiceId: ID!) { avatar: setAvatarVoice(input: { avatarId: $avatarId, voiceId: $voiceId }) { ${AVATAR} } }`,
    body: 'data',
    omitNulls: ['gemRef'],
  },
  {
    method: 'GET',
    path: '/avatars/{avatarId}/images',
    section: 'Avatars and voices',
    summary: 'List the images of an avatar.',
    operation: `query($avatarId: ID!, $avatarOwnerUserId: ID) { avatarImages(avatarId: $avatarId, avatarOwnerUserId: $avatarOwnerUserId) {
      avatarId avatarOwnerUserId primary images { url assetId isPrimary createdAt } } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/train',
    section: 'Avatars and voices',
    summary: 'Learn from personalityPrompt and knowledgeBaseUrls; queued.',
    operation: 'mutation($avatarId: ID!) { trainAvatar(input: { avatarId: $avatarId }) { ok status gemRef } }',
    body: 'root',
  },
];
