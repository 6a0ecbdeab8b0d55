/** The client package as it is published, as a program that installed it sees it. */
import {
  type Client,
  createClient,
  followConversation,
  InsufficientCreditsError,
  type RequestOptions,
  type Rest,
  rest,
} from 'avatar-platform-client';
import { injectTurn, type Turn, type TurnStatus } from 'avatar-platform-client/graphql';
import { useConversation } from 'avatar-platform-client/react';
import { createElement, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, type Platform } from './platform.ts';

const nobody = createClient({ url: 'https://avatars.example' });
const api = rest(nobody);
// What does not compile is as important: each of these would be a mistake at run time.
export const mistakes = [
  // @ts-expect-error: a misspelt field
  () => api.injectTurn({ conversationId: 'c', userText: 'Hi', ouput: 'text' }),
  // @ts-expect-error: what is required is missing
  () => nobody.graphql(injectTurn, { input: { userText: 'Hi' } }),
  // @ts-expect-error: a value that is none of the set
  (): TurnStatus => 'done',
  // @ts-expect-error: a state without a value
  (): Rest.Video['status'] => undefined,
];
export const options: RequestOptions = { signal: AbortSignal.timeout(1) };
export const lacking = (error: unknown): number =>
  error instanceof InsufficientCreditsError ? error.required - error.available : 0;

/** By the slug of a conversation: what says something in it, once it is shown. */
const said: Record<string, (text: string) => Promise<Turn>> = {};

/** A conversation as a component shows it. */
function Talk({ client, slug }: { client: Client; slug: string }): ReactElement {
  const { turns, isConnected, say } = useConversation(client, { slug });
  said[slug] = say;
  const lines = turns.map((turn) => createElement('li', { key: turn.id }, turn.userText ?? turn.avatarText));
  return createElement('ol', { 'data-connected': isConnected }, lines);
}

export async function react({ url, key, conversationId, slug }: Platform): Promise<void> {
  const client = createClient({ url, token: key });
  const main = document.createElement('main');
  document.body.append(main);
  const root = createRoot(main);
  root.render(createElement(Talk, { client, slug }));
  const shows = async (text: string): Promise<void> => {
    while (!main.textContent?.includes(text)) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await new Promise<void>((resolve) => {
    const stop = followConversation(client, { slug }, ({ isConnected }) => {
      if (!isConnected) return;
      stop();
      resolve();
    });
  });
  await said[slug]?.('Are you there?');
  await shows('Are you there?');
  const { injectTurn: made } = await client.graphql(injectTurn, {
    input: { conversationId, userText: 'Good night.' },
  });
  await shows('Good night.');
  expect('who answers', made.turn.role, 'avatar');
  root.unmount();
  main.remove();
}
