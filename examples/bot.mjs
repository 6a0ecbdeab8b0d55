/**
 * A chat bot as Discord's are: each channel is a conversation with one avatar, and its answers are posted when they are
 * finished. `channel` and `post` are all that a chat platform has to bring; with discord.js they are
 * `message.channelId` and `message.channel.send`. Run alone it takes its messages from the terminal, as `channel: text`.
 */
import readline from 'node:readline';
import { AvatarError, createClient, InsufficientCreditsError, rest, updates } from 'avatar-platform-client';
import { turnUpdated } from 'avatar-platform-client/graphql';

const client = createClient({
  url: process.env.AVATARS_URL ?? 'http://localhost:4000',
  token: process.env.AVATARS_KEY,
});
const api = rest(client);
const { avatar } = await api.createAvatar({ displayName: 'Nova', personalityPrompt: 'You moderate a chat, kindly.' });

/** By channel: its conversation, once it has one. */
const conversations = new Map();

async function open(post) {
  const { avatarId, avatarOwnerUserId } = avatar;
  const conversation = await api.createConversation({ avatarId, avatarOwnerUserId });
  void follow(conversation.shareSlug, post).catch((error) => post(`(${error.message})`));
  return conversation;
}

/** Posts each reply once it is finished. A bot that loses its connection goes on where it was. */
async function follow(slug, post) {
  for await (const { turnUpdated: update } of updates(client, turnUpdated, { slug, after: '0' })) {
    const { turn, isDraft } = update;
    if (turn.role === 'avatar' && turn.status === 'ready' && !isDraft) post(turn.avatarText);
    if (turn.status === 'error') post(`(${turn.errorMessage})`);
  }
}

/** Someone wrote a message. */
export async function onMessage(channel, text, post) {
  if (!conversations.has(channel)) conversations.set(channel, open(post));
  try {
    const { conversationId } = await conversations.get(channel);
    await api.injectTurn({ conversationId, userText: text, output: 'text' });
  } catch (error) {
    if (error instanceof InsufficientCreditsError) post(`I am out of credits: ${error.required} needed.`);
    else if (error instanceof AvatarError) post(`(${error.message})`);
    else throw error;
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [, channel, text] = /^(\w+):\s*(.+)$/.exec(line) ?? [];
  if (text) await onMessage(channel, text, (reply) => console.log(`${channel}> ${reply}`));
}
