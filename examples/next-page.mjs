/**
 * A page as Next.js renders it: an async component on the server, which has the API key, and a client component in the
 * browser, which has none. Here React renders it to HTML behind a bare `node:http`; in Next.js `Page` is
 * `app/talk/page.tsx`, and `AvatarLive` goes into a file that begins with 'use client'.
 */
import { createServer } from 'node:http';
import { createClient, rest } from 'avatar-platform-client';
import { AvatarLive } from 'avatar-platform-client/react';
import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';

const api = rest(
  createClient({ url: process.env.AVATARS_URL ?? 'http://localhost:4000', token: process.env.AVATARS_KEY }),
);

/** The server component: one visit is one conversation, greeted by the avatar. */
async function Page() {
  const { avatar } = await api.createAvatar({
    displayName: 'Nova',
    personalityPrompt: 'You greet the guests of a hotel.',
  });
  const { avatarId, avatarOwnerUserId } = avatar;
  const { conversationId, liveUrl } = await api.createConversation({ avatarId, avatarOwnerUserId });
  await api.injectTurn({ conversationId, userText: 'Welcome your guest.', output: 'text' });
  // The live address lets its visitor into this one conversation, and into nothing else.
  return h('main', null, h('h1', null, avatar.displayName), h(AvatarLive, { src: liveUrl, title: 'Nova greets you' }));
}

const server = createServer(async (_, response) => {
  const html = await Page().then(renderToString, (error) => renderToString(h('p', null, error.message)));
  response.setHeader('content-type', 'text/html; charset=utf-8').end(`<!doctype html>${html}`);
});
server.listen(Number(process.env.PORT ?? 3000), () => console.log(`http://localhost:${server.address().port}`));
