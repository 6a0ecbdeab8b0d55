/** What the page tests share: an avatar with a conversation, pages that keep their complaints, and a look at the stage. */
import type { Browser, Page } from 'playwright-core';
import type { TestApp, TestUser } from '../support/app.ts';

export interface TestConversation {
  conversationId: string;
  shareSlug: string;
  liveUrl: string;
  shareUrl: string;
  viewerToken: string;
}

/** By owner and voice: drawing a portrait and what it looks like at rest takes seconds of computing, and one does for a file's tests. */
const avatars = new WeakMap<TestUser, Map<string | null, Promise<string>>>();

async function avatarOf(t: TestApp, owner: TestUser, voice: string | null): Promise<string> {
  const own = avatars.get(owner) ?? new Map<string | null, Promise<string>>();
  avatars.set(owner, own);
  const create = async () => {
    const persona = { displayName: 'Nova', personalityPrompt: 'A calm woman with dark hair.' };
    const body = { ...persona, ...(voice && { ttsVoiceId: voice }) };
    return (await t.rest('POST', '/avatars', { as: owner.apiKey, body })).body.avatarId as string;
  };
  const avatar = own.get(voice) ?? create();
  own.set(voice, avatar);
  return avatar;
}

/** A conversation of its own with an avatar that the owner's other conversations of this voice share. */
export async function createConversation(t: TestApp, owner: TestUser, voice: string | null): Promise<TestConversation> {
  const room = await t.rest<TestConversation>('POST', '/conversations', {
    as: owner.apiKey,
    body: { avatarOwnerUserId: owner.userId, avatarId: await avatarOf(t, owner, voice) },
  });
  if (room.status !== 200) throw new Error(JSON.stringify(room.body));
  return room.body;
}

export async function say(
  t: TestApp,
  owner: TestUser,
  room: TestConversation,
  input: Record<string, unknown>,
): Promise<string> {
  const { status, body } = await t.rest('POST', `/conversations/${room.conversationId}/turn`, {
    as: owner.apiKey,
    body: { userText: 'Go on.', ...input },
  });
  if (status !== 202) throw new Error(JSON.stringify(body));
  return body.turn.id;
}

/** A page whose errors, warnings of policy and failed requests are kept in `complaints`. */
export async function openPage(browser: Browser, options: object = {}): Promise<Page & { complaints: string[] }> {
  const context = await browser.newContext(options);
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] });
  page.on('console', (message) => message.type() === 'error' && page.complaints.push(message.text()));
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  return page;
}

/** Writes down which turns start and end on the stage, and on which media, from now on. */
export async function followStage(page: Page): Promise<void> {
  await page.waitForFunction(() => 'playlist' in (document.getElementById('stage') ?? {}));
  await page.evaluate(() => {
    const stage = document.getElementById('stage')!;
    const seen: string[] = [];
    Object.assign(window, { seen });
    for (const type of ['turnstart', 'turnend', 'failed']) {
      stage.addEventListener(type, (event) => {
        const { chunk, turn } = (event as CustomEvent).detail;
        seen.push(`${type} ${turn.role} ${chunk}`);
      });
    }
  });
}

export const seen = (page: Page): Promise<string[]> => page.evaluate(() => (window as any).seen);

/** Roles whose elements must have a name for those who do not see them. */
const NAMED = new Set(['button', 'link', 'combobox', 'textbox', 'slider', 'switch', 'checkbox', 'Iframe', 'image']);

/** Controls of the page that assistive software would announce without a name. */
export async function namelessControls(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as any;
  return nodes
    .filter((node: any) => !node.ignored && NAMED.has(node.role?.value) && !node.name?.value)
    .map((node: any) => `${node.role.value} ${JSON.stringify(node.properties?.slice(0, 2))}`);
}
