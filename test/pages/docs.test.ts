/** The API's documentation and the GraphQL IDE, in a browser that reaches nothing but our own server. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { makeAvatar, makeClient } from '../support/oauth.ts';
import { until, untilIs } from '../support/until.ts';
import { signInOn } from './all-pages.ts';
import { createConversation, openPage, say } from './stage.ts';

let t: TestApp;
let browser: Browser;

beforeAll(async () => {
  t = await openTestApp();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

/** Addresses elsewhere that the page asked for; each is refused. */
async function stayHome(page: Page): Promise<string[]> {
  const elsewhere: string[] = [];
  await page.route(
    (url) => url.origin !== new URL(t.app.config.SITE_URL).origin && url.protocol.startsWith('http'),
    (route) => {
      elsewhere.push(route.request().url());
      return route.abort();
    },
  );
  return elsewhere;
}

/** Lightness of what lies behind the text of an element, from 0 to 1. */
const ground = (page: Page, selector: string): Promise<number> =>
  page.evaluate((at) => {
    for (let element = document.querySelector(at); element; element = element.parentElement) {
      const [red = 0, green = 0, blue = 0, alpha = 1] = getComputedStyle(element)
        .backgroundColor.match(/[\d.]+/g)!
        .map(Number);
      if (alpha > 0.5) return (red + green + blue) / 765;
    }
    return 1;
  }, selector);

/** That it wears what the system does, once it has: to open a page once more for it would take two seconds of computing. */
async function expectToWear(colorScheme: 'dark' | 'light', page: Page, selector: string): Promise<void> {
  await untilIs(
    () => ground(page, selector),
    (lightness) => (colorScheme === 'dark' ? lightness : 1 - lightness) <= 0.3,
  );
}

const TAG = '.swagger-ui .opblock-tag';
const EDITOR = 'app-root .cm-editor';

test('/docs shows every operation of /openapi.json, and tries one, under the strict policy of every page, dark or light as the system', async () => {
  const page = await openPage(browser, { colorScheme: 'dark' });
  const elsewhere = await stayHome(page);
  const { body } = await t.rest('GET', '/openapi.json');
  // Its link opens one of them: to open the page once more for that would take three seconds of computing.
  const { externalDocs } = body.paths['/avatars/{avatarId}/brain/recall'].post;
  const answer = await page.goto(externalDocs.url);
  expect(new URL(answer!.url()).pathname).toBe('/docs');
  expect(answer!.headers()['content-security-policy']).not.toContain('unsafe');
  const operations = Object.values(body.paths).reduce(
    (sum: number, path) => sum + Object.keys(path as object).length,
    0,
  );
  await page.waitForFunction((count) => document.querySelectorAll('.opblock').length === count, operations);
  await page.waitForSelector('.opblock.is-open');
  expect(await page.locator('.opblock.is-open .opblock-summary-path').allTextContents()).toEqual([
    expect.stringContaining('recall'),
  ]);
  await expectToWear('dark', page, TAG);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectToWear('light', page, TAG);
  await page.click('.opblock-get .opblock-summary-control');
  await page.click('.try-out__btn');
  await page.waitForSelector('.execute');
  expect(elsewhere).toEqual([]);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('an app signs in on the documentation’s page: the consent page is its popup, and sends the code back', async () => {
  const ada = await t.person('Ada');
  await makeAvatar(t, ada, 'Nova');
  const { clientId } = await makeClient(t, ada, { redirectDomains: ['localhost', '127.0.0.1'], scopes: ['profile'] });
  const page = await openPage(browser);
  await signInOn(page.context(), t.app.config.SITE_URL, ada);
  await page.goto(`${t.app.config.SITE_URL}/docs`);
  await page
    .getByRole('button', { name: /authorize/i })
    .first()
    .click();
  const form = page.locator('.auth-container', { hasText: 'authorizationCode' });
  await form.getByLabel('client_id:').fill(clientId);
  await form.getByText('profile', { exact: true }).click();
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    form.getByRole('button', { name: /^(authorize|apply given)/i }).click(),
  ]);
  await popup.getByRole('button', { name: 'Allow and continue' }).click();
  await form.getByRole('button', { name: /logout|remove/i }).waitFor();
  expect(popup.isClosed()).toBe(true);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

describe('the IDE at /graphql', () => {
  let page: Awaited<ReturnType<typeof openPage>>;
  let elsewhere: string[];
  /** What it asks for as it opens. Read on its way: a busy browser throws an answer away before it is asked for. */
  const introspection = Promise.withResolvers<any>();

  beforeAll(async () => {
    page = await openPage(browser, { colorScheme: 'dark' });
    elsewhere = await stayHome(page);
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('__schema')) return route.fallback();
      const response = await route.fetch();
      introspection.resolve(await response.json());
      return route.fulfill({ response });
    });
    await page.goto(`${t.app.config.SITE_URL}/graphql`);
    await page.waitForSelector(EDITOR);
  });
  afterAll(() => page?.context().close());
  afterEach(() => {
    expect(elsewhere).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  test('is what a browser gets, knows the schema, and is dark where the system is; a program gets the API', async () => {
    await expectToWear('dark', page, EDITOR);
    expect((await introspection.promise).data.__schema.queryType.name).toBe('Query');
    const api = await t.rest('GET', `/graphql?query=${encodeURIComponent('{ __typename }')}`, {
      headers: { accept: 'application/json', 'apollo-require-preflight': '1' },
    });
    expect(api.body).toEqual({ data: { __typename: 'Query' } });
  });

  /** Replaces all that stands in an editor of it. */
  async function write(editor: string, text: string): Promise<void> {
    await page.click(`${editor} .cm-content`);
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
  }

  test('asks as the caller its environment names: over HTTP, and in a subscription over graphql-ws', async () => {
    const ada = await t.person('Ada', 10);
    const room = await createConversation(t, ada, null);
    // It takes what is typed after a moment, and what is sent or closed before that goes out as it was: then once more.
    await until(async () => {
      await page.click('text=/^No environment$/');
      await page.click('.cdk-overlay-container >> text=Environments...');
      await write('.environments-editor-textarea', JSON.stringify({ authorization: `Bearer ${ada.apiKey}` }));
      // The first may only close what the editor proposes.
      await until(async () => {
        await page.keyboard.press('Escape');
        return (await page.locator('.environments-editor-textarea').count()) === 0;
      });
      await write('.query-editor__input', '{ me { userId } }');
      await page.click('text=Send Request');
      const result = page.locator(`app-query-result:has-text("${ada.userId}")`);
      return result.waitFor({ timeout: 20_000 }).then(
        () => true,
        () => false,
      );
    });

    // Listened to from the beginning: a frame may be sent before a listener could wait for it.
    const frames: { sent: any[]; received: any[] } = { sent: [], received: [] };
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => frames.sent.push(JSON.parse(String(payload))));
      socket.on('framereceived', ({ payload }) => frames.received.push(JSON.parse(String(payload))));
    });
    await write(
      '.query-editor__input',
      `subscription { turnUpdated(slug: "${room.shareSlug}") { turn { userText } } }`,
    );
    await page.click('text=Send Request');
    await until(async () => frames.sent.some(({ type }) => type === 'subscribe'));
    await say(t, ada, room, { output: 'text' });
    const said = await until(async () => frames.received.find((frame) => JSON.stringify(frame).includes('Go on.')));
    expect(said).toMatchObject({
      type: 'next',
      payload: { data: { turnUpdated: {} } },
    });
  });
});

test('a signed-in user asks in the name of their session, light where the system is, and no other site does', async () => {
  const ada = await t.person('Ada', 10);
  const page = await openPage(browser, { colorScheme: 'light' });
  await signInOn(page.context(), t.app.config.SITE_URL, ada);
  await page.goto(`${t.app.config.SITE_URL}/graphiql`);
  await page.click('text=/Send query WhoAmI/');
  await page.waitForSelector(`app-query-result:has-text("${ada.userId}")`);
  await expectToWear('light', page, EDITOR);
  expect(page.complaints).toEqual([]);
  // The cookie alone is what another site could have a browser send.
  const answer = await page.request.post(`${t.app.config.SITE_URL}/studio/graphql`, {
    data: { query: '{ me { userId } }' },
  });
  expect(answer.status()).toBe(403);
  await page.context().close();
});

test('bundles are cached for good under the hash of their content', async () => {
  const { body } = await t.rest<string>('GET', '/signin');
  const [address] = /\/assets\/ui\.[\w-]+\.css/.exec(body)!;
  const { status, headers } = await t.rest('GET', address!);
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect((await t.rest('GET', '/assets/../../package.json')).status).toBe(404);
});
