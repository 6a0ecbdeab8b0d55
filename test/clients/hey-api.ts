/** A program against the client that hey-api makes with its own settings, fetch and all. */
import { client } from './generated/hey-api/client.gen.ts';
import { conversations, createConversation, injectTurn } from './generated/hey-api/sdk.gen.ts';

client.setConfig({ baseUrl: 'https://avatars.example', auth: () => 'svc_key' });

export async function talk(avatarId: string, avatarOwnerUserId: string): Promise<string | null> {
  const started = await createConversation({ body: { avatarId, avatarOwnerUserId }, throwOnError: true });
  const { conversationId } = started.data;
  const body = { userText: 'Good morning!', output: 'text' } as const;
  const { data, error } = await injectTurn({
    path: { conversationId },
    body,
    headers: { 'Idempotency-Key': 'one' },
  });
  if (error) throw new Error('requiredCredits' in error ? `${error.requiredCredits} credits` : error.error);
  return data.turn.userText;
}

export async function everyConversation(): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const { data } = await conversations({ query: { first: 100, ...(after ? { after } : {}) }, throwOnError: true });
    ids.push(...data.conversations.map(({ conversationId }) => conversationId));
    after = data.next;
  } while (after);
  return ids;
}
