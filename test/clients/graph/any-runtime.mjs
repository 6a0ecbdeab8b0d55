/** Our client in whatever runtime this is: a request, a refusal, a file, a live update. Prints `ok`. */
import { createClient, NotFoundError, rest, updates, upload } from 'avatar-platform-client';
import { me, turnUpdated } from 'avatar-platform-client/graphql';

const {
  AVATARS_URL: url,
  AVATARS_KEY: token,
  USER_ID: userId,
  CONVERSATION_ID: conversationId,
  SLUG: slug,
} = process.env;
// Node 20 has none of its own.
const WebSocket = globalThis.WebSocket ?? (await import('ws')).WebSocket;
const client = createClient({ url, token, WebSocket });

const { me: user } = await client.graphql(me);
if (user.id !== userId) throw new Error(`It is ${user.id}.`);
const refusal = await rest(client)
  .avatar({ avatarId: 'avt_none' })
  .catch((error) => error);
if (!(refusal instanceof NotFoundError)) throw new Error(`Not refused: ${refusal}`);
// A red dot as PNG.
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const address = await upload(client, new Blob([Uint8Array.from(atob(dot), (char) => char.charCodeAt(0))]));
if (!address.startsWith('http')) throw new Error(`No address: ${address}`);
const { turn } = await rest(client).injectTurn({ conversationId, userText: 'Hello there', output: 'text' });
for await (const { turnUpdated: update } of updates(client, turnUpdated, { slug, after: '0' })) {
  if (update.turn.id === turn.id) break;
}
console.log('ok');
