/** From an avatar to a conversation in which it has said hello. */
import { CREATE_AVATAR, CREATE_CONVERSATION, type CreateAvatarInput, INJECT } from '../operations.ts';
import type { PageRequest } from '../page-request.ts';
import { greeting } from './languages.ts';

/** Makes the avatar; undefined with the sentence that says why not. */
export async function createAvatar(
  pageRequest: PageRequest,
  input: CreateAvatarInput,
): Promise<{ avatarId: string; avatarOwnerUserId: string } | { problem: string }> {
  const { data, message } = await pageRequest.ask(CREATE_AVATAR, { input });
  return data?.createAvatar ?? { problem: message };
}

/**
 * Starts a conversation and lets the avatar say hello: as a video where the account has credits for it, else in writing.
 * Answers with a redirect to the conversation, which plays from the hello on.
 */
export async function startConversation(
  pageRequest: PageRequest,
  avatar: { avatarId: string; avatarOwnerUserId: string },
  name: string,
  language: string,
) {
  const { createConversation: conversation } = await pageRequest.need(CREATE_CONVERSATION, {
    avatarId: avatar.avatarId,
    avatarOwnerUserId: avatar.avatarOwnerUserId,
  });
  const sinceMs = pageRequest.site.clock.now();
  const { conversationId, shareSlug } = conversation;
  const input = { conversationId, mode: 'speak', userText: greeting(language, name) };
  const spoken = await pageRequest.ask(INJECT, { input: { ...input, output: 'video' } });
  if (!spoken.data) await pageRequest.ask(INJECT, { input: { ...input, output: 'text' } });
  return pageRequest.goTo(`/${shareSlug}?since=${sinceMs}`);
}
