/** The studio in a browser: what a new person does first, and the main action of each page. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { balance } from '../support/credits.ts';
import { makeAvatar } from '../support/oauth.ts';
import { until } from '../support/until.ts';
import { signInOn } from './all-pages.ts';
import { openPage } from './stage.ts';

let t: TestApp;
let browser: Browser;

/** A web site, which avatars learn from. */
let web: Server;
let webRoot: string;
/** Settles what its slow page waits for. */
let answerSlowly = (): void => {};

beforeAll(async () => {
  const slow = new Promise<void>((resolve) => {
    answerSlowly = resolve;
  });
  web = createServer(async (request, response) => {
    if (request.url === '/ferry') await slow;
    const words = request.url === '/ferry' ? 'The ferry costs four crowns.' : 'The lighthouse was built in 1847.';
    response.setHeader('content-type', 'text/html').end(`<main><p>${words}</p></main>`);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
  webRoot = `http://${host}`;
  [t, browser] = await Promise.all([
    openTestApp({ work: true, env: { FETCH_ALLOW_HOSTS: host, SIGNUP_CREDITS: '0' } }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  answerSlowly();
  await browser?.close();
  await t?.close();
  web?.closeAllConnections();
  web?.close();
});

const photo = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#a86a3a' } })
    .png()
    .toBuffer();

const at = (path: string): string => t.app.config.SITE_URL + path;

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto(at('/'));
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('a good password');
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.getByRole('heading', { name: 'Who should answer you?' }).waitFor();
}

async function pageOf(person: TestUser): Promise<Page & { complaints: string[] }> {
  const page = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await signInOn(page.context(), t.app.config.SITE_URL, person);
  return page;
}

describe('the first minute', () => {
  test('a new person takes a ready avatar, and it says hello in their language', async () => {
    const page = await openPage(browser, { locale: 'en-GB' });
    await signUp(page, 'ready@example.com');
    expect(await page.locator('.tile').count()).toBe(12);
    await page.getByRole('button', { name: /^Otis/ }).click();
    await page.waitForURL(/\/c-.*since=\d+/);
    await page.getByText('Hello! I am Otis. What shall we talk about?').waitFor();
    await page.goto(at('/'));
    await page.getByRole('link', { name: /Otis/ }).waitFor();
    // What it knows of its topic is its owner's to change.
    await page.goto(at('/studio/avatars'));
    await page.locator('.tile').click();
    await page
      .getByText(/Epic of Gilgamesh/)
      .first()
      .waitFor();
    // A signed-in user has an account already.
    await page.goto(at('/signup?next=/account'));
    expect(new URL(page.url()).pathname).toBe('/account');
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  test('one of their own: an example, another face, a photograph, a voice that is heard', async () => {
    const page = await openPage(browser);
    await signUp(page, 'own@example.com');
    await page.getByRole('link', { name: 'Make your own' }).click();
    await page.getByRole('button', { name: 'Shop assistant' }).click();
    const face = page.locator('#face-image');
    await face.waitFor();
    const drawn = await face.getAttribute('src');
    await page.getByRole('button', { name: 'Another one' }).click();
    await page.waitForFunction(
      (before) => document.getElementById('face-image')?.getAttribute('src') !== before,
      drawn,
    );
    await page.setInputFiles('#photo', { name: 'me.png', mimeType: 'image/png', buffer: await photo() });
    await page.waitForFunction(() =>
      /uploads\/upl_/.test(document.querySelector<HTMLInputElement>('#face-url')!.value),
    );
    const heard = page.waitForResponse(/voices\/sample/);
    await page.getByRole('link', { name: 'Play Nobody' }).click();
    expect((await heard).status()).toBe(200);
    await page.getByRole('button', { name: 'Create and say hello' }).click();
    await page.waitForURL(/\/c-/);
    await page.getByText('Hello! I am Maya.').waitFor();
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  test('what is no image is said on the page', async () => {
    const page = await openPage(browser);
    await signUp(page, 'noimage@example.com');
    await page.goto(at('/studio/avatars/new'));
    await page.setInputFiles('#photo', { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('not an image') });
    await page.getByText('The file must be an image (JPEG, PNG, WebP)').waitFor();
    page.complaints.splice(0);
    // One of another site, which the page itself may not load.
    await page.getByLabel('Or the address of an image').fill('https://images.example/me.png');
    await page.keyboard.press('Tab');
    await page.getByText('Fetched when you create the avatar.').waitFor();
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });
});

test('what was made is deleted where it is seen, after a question: a turn, a conversation, an image, an avatar', async () => {
  const person = await t.person('Del', 10);
  const avatarId = await makeAvatar(t, person, 'Vega');
  const as = person.apiKey;
  const { shareSlug } = (
    await t.rest('POST', '/conversations', { as, body: { avatarOwnerUserId: person.userId, avatarId } })
  ).body;
  await t.rest('POST', `/conversations/${shareSlug}/turn`, { as, body: { userText: 'A slip.', output: 'text' } });
  await t.settled(shareSlug, as);
  await t.rest('POST', '/images/generate', { as, body: { prompt: 'a red kite', model: 'default' } });
  const page = await pageOf(person);
  page.on('dialog', (dialog) => void dialog.accept());

  await page.goto(at(`/${shareSlug}`));
  const slip = page.locator('.turn', { hasText: 'A slip.' });
  await slip.hover();
  await slip.getByRole('button', { name: 'Delete this' }).click();
  await slip.waitFor({ state: 'detached' });
  await page.reload();
  expect(await page.getByText('A slip.').count()).toBe(0);
  await page.locator('#share > summary').click();
  await page.getByText('Delete conversation', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete it for good' }).click();
  await page.getByText('The conversation is deleted.').waitFor();
  expect((await page.goto(at(`/${shareSlug}`)))!.status()).toBe(404);

  await page.goto(at('/studio/create'));
  await page.locator('.made').getByText('Delete', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete it', exact: true }).click();
  await page.getByText('The image is deleted.').waitFor();
  await page.getByText('Nothing yet.').waitFor();

  await page.goto(at(`/studio/avatars/${avatarId}`));
  await page.getByText('Delete this avatar', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete it for good' }).click();
  await page.getByText('The avatar is deleted.').waitFor();
  expect((await t.rest('GET', '/avatars', { as })).body.avatars).toEqual([]);
  await page.context().close();
});

test('an account is renamed, gets another password, and is deleted with it', async () => {
  const page = await openPage(browser);
  await signUp(page, 'settings@example.com');
  await page.goto(at('/account'));
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  await page.locator('summary', { hasText: 'Change password' }).click();
  await page.getByLabel('Current password').fill('a good password');
  await page.getByLabel('New password').fill('a better password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The password is changed.').waitFor();
  const end = async (password: string): Promise<void> => {
    await page.locator('summary', { hasText: 'Delete account' }).click();
    await page.locator('#deletePassword').fill(password);
    await page.getByRole('button', { name: 'Delete my account' }).click();
  };
  await end('a good password');
  await page.getByText('The password is wrong.').waitFor();
  await end('a better password');
  await page.waitForURL(/signin/);
  await page.getByText('Your account is deleted.').waitFor();
  await page.context().close();
});

test('only pages that say so may use the camera', async () => {
  const person = await t.person('Cam');
  const page = await pageOf(person);
  const permissions = async (path: string) => (await page.goto(at(path)))!.headers()['permissions-policy'];
  expect(await permissions('/studio/avatars/new')).toContain('camera=(self)');
  expect(await permissions('/studio/avatars')).toContain('camera=()');
  await page.context().close();
});

test('an avatar is found, changed, given a memory that is forgotten after a question, and opened to all', async () => {
  const person = await t.person('Ava');
  const avatarId = await makeAvatar(t, person, 'Nova');
  const page = await pageOf(person);
  await page.goto(at('/studio/avatars?q=nov'));
  await page.getByRole('link', { name: /Nova/ }).click();
  await page.getByLabel('Personality').fill('A calm baker.');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved.').waitFor();
  await page.getByLabel('Something to remember').fill('Bread needs patience.');
  await page.getByRole('button', { name: 'Remember' }).click();
  await page.getByText('Remembered.').waitFor();
  await page.getByText('Forget', { exact: true }).click();
  await page.getByRole('button', { name: 'Forget it' }).click();
  await page.getByText('Forgotten.').waitFor();
  expect(await page.getByText('Bread needs patience.').count()).toBe(0);
  await page.getByLabel(/Every user of this platform/).check();
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.getByText('Saved.').waitFor();
  const { body } = await t.graphql(
    '{ avatars { nodes { avatarId personalityPrompt publiclyRenderable } } }',
    {},
    person.session,
  );
  expect(body.data.avatars.nodes).toEqual([{ avatarId, personalityPrompt: 'A calm baker.', publiclyRenderable: true }]);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('what became of an avatar’s form is said where the form stands, and a refused one keeps what was written', async () => {
  const person = await t.person('Typo');
  const avatarId = await makeAvatar(t, person, 'Nova');
  const page = await pageOf(person);
  const path = `/studio/avatars/${avatarId}`;
  await page.goto(at(path));
  const said = (section: string, role: 'alert' | 'status') =>
    page.locator('section', { has: page.locator(`#${section}`) }).locator(`.notice[role=${role}]`);
  const isInView = (section: string, role: 'alert' | 'status') =>
    said(section, role).evaluate((notice) => {
      const { top, bottom } = notice.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  const pages = `${webRoot}/lighthouse\nlighthouse`;
  await page.getByLabel(/^Web pages to learn from/).fill(pages);
  await page.getByRole('button', { name: 'Save and read them' }).click();
  await said('knowledge', 'alert').waitFor();
  expect(await said('knowledge', 'alert').textContent()).toBe('Each page must be an http or https address.');
  expect(await isInView('knowledge', 'alert')).toBe(true);
  expect(await page.getByLabel(/^Web pages to learn from/).inputValue()).toBe(pages);
  // The browser says that the form was refused; nothing else of it is a complaint.
  expect(page.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  await page.getByLabel('Limit for all of them, in credits a day').fill('much');
  await page.getByLabel('Greeting').fill('Welcome aboard.');
  await page
    .locator('form', { has: page.getByLabel('Greeting') })
    .getByRole('button', { name: 'Save' })
    .click();
  await said('visitors', 'alert').waitFor();
  expect(await isInView('visitors', 'alert')).toBe(true);
  expect(await page.getByLabel('Greeting').inputValue()).toBe('Welcome aboard.');
  expect(page.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  // Its address leads to the page again.
  await page.goto(page.url().split('#')[0]!);
  expect(new URL(page.url()).pathname).toBe(path);
  await page.getByLabel('Limit for all of them, in credits a day').fill('2');
  await page
    .locator('form', { has: page.getByLabel('Greeting') })
    .getByRole('button', { name: 'Save' })
    .click();
  await said('visitors', 'status').waitFor();
  expect(await isInView('visitors', 'status')).toBe(true);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('an avatar reads pages while one looks on, shows what it learnt of each, and forgets one after a question', async () => {
  const person = await t.person('Reader');
  const avatarId = await makeAvatar(t, person, 'Nova');
  const page = await pageOf(person);
  await page.goto(at(`/studio/avatars/${avatarId}`));
  await page.getByLabel(/^Web pages to learn from/).fill(`${webRoot}/lighthouse\n${webRoot}/ferry`);
  await page.getByRole('button', { name: 'Save and read them' }).click();
  // Nothing is loaded again by hand from here on.
  await page.getByText('It is reading. 1 of 2 pages.').waitFor();
  answerSlowly();
  await page.getByText('It has read these pages.').waitFor();
  const lines = page.locator('#learnt .lines > li');
  expect(await lines.allTextContents()).toEqual([
    expect.stringMatching(/lighthouse\s+1 passage, read/),
    expect.stringMatching(/ferry\s+1 passage, read/),
  ]);
  await lines.nth(1).getByRole('link', { name: /^Show/ }).click();
  await page.locator('.passages').getByText('The ferry costs four crowns.').waitFor();
  expect(await page.locator('.passages > li').count()).toBe(1);
  await page.getByLabel('Search what it learnt').fill('1847');
  await page.keyboard.press('Enter');
  await page.locator('.passages').getByText('The lighthouse was built in 1847.').waitFor();
  // What it read is no memory of a speaker.
  expect(
    await page
      .locator('section', { has: page.locator('#memory') })
      .getByText('1847')
      .count(),
  ).toBe(0);
  await lines.nth(1).getByText('Forget', { exact: true }).click();
  await page.getByRole('button', { name: 'Forget the page' }).click();
  await page.getByText('The page is forgotten.').waitFor();
  expect(await lines.count()).toBe(1);
  expect(await page.getByLabel(/^Web pages to learn from/).inputValue()).toBe(`${webRoot}/lighthouse`);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('where an avatar’s memory is kept is shown and chosen', async () => {
  const person = await t.person('Keeper');
  const avatarId = await makeAvatar(t, person, 'Nova');
  const page = await pageOf(person);
  await page.goto(at(`/studio/avatars/${avatarId}`));
  const memory = page.locator('section', { has: page.locator('#memory') });
  await memory.getByText('Kept by: This platform').waitFor();
  const choose = async (system: RegExp, address = ''): Promise<void> => {
    // A refused form stays open.
    if (!(await memory.getByLabel(system).isVisible())) await memory.getByText('Keep it somewhere else').click();
    await memory.getByLabel(system).check();
    await memory.getByLabel('Its address', { exact: true }).fill(address);
    await memory.getByRole('button', { name: 'Save', exact: true }).click();
  };
  await choose(/mem0: a server/);
  await page.getByText('The address of the memory system is required for mem0.').waitFor();
  await choose(/mem0: a server/, `${webRoot}/mem0`);
  await memory.getByText('Kept by: mem0').waitFor();
  await memory.getByText('This memory system cannot be listed').waitFor();
  await choose(/supermemory: with/);
  await page.getByText('The key of the memory system is required for supermemory.').waitFor();
  await choose(/This platform: nothing/);
  await memory.getByText('Kept by: This platform').waitFor();
  // The two that were refused.
  expect(page.complaints).toEqual([expect.stringContaining('400'), expect.stringContaining('400')]);
  await page.context().close();
});

test('a voice of one’s own is heard where voices are chosen, and deleted after a question', async () => {
  const person = await t.person('Voicer');
  const avatarId = await makeAvatar(t, person, 'Nova');
  const input = { avatarId, name: 'Deep', baseVoiceId: 'noop', pitch: -4 };
  const made = await t.graphql<any>(
    'mutation($input: CreateCustomVoiceInput!) { createCustomVoice(input: $input) { id } }',
    { input },
    person.session,
  );
  const { id } = made.body.data.createCustomVoice;
  const page = await pageOf(person);
  const heard = async (act: () => Promise<unknown>): Promise<void> => {
    const sample = page.waitForResponse((response) => response.url().includes(`baseVoiceId=${id}`));
    await act();
    // All of it, or the part that a player asks for.
    expect((await sample).ok()).toBe(true);
  };
  await page.goto(at('/studio/avatars/new'));
  await heard(() => page.getByRole('link', { name: 'Play Deep' }).click());
  await page.goto(at('/account'));
  await heard(() => page.getByRole('link', { name: 'Play Deep' }).click());
  await page.goto(at(`/studio/avatars/${avatarId}`));
  const section = page.locator('section', { has: page.locator('#voice') });
  await section.getByLabel('It speaks as').selectOption(id);
  await heard(() => section.getByRole('button', { name: 'Play', exact: true }).click());
  await section.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It speaks with this voice now.').waitFor();
  await section.getByText('Delete', { exact: true }).click();
  await section.getByRole('button', { name: 'Delete it' }).click();
  await page.getByText('The voice is deleted. One avatar has the voice that it was made from now.').waitFor();
  expect(await section.getByLabel('It speaks as').inputValue()).toBe('noop');
  expect(await section.locator('#own-voices').count()).toBe(0);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('a personality is tried before it is saved, and nothing is left of it', async () => {
  const person = await t.person('Tryer', 1);
  const avatarId = await makeAvatar(t, person, 'Nova');
  const before = await balance(t, person);
  const page = await pageOf(person);
  await page.goto(at(`/studio/avatars/${avatarId}`));
  await page.getByLabel('Personality').fill('You are Pirate Pete. You love rum cakes.');
  const words = page.getByLabel('Say something to it');
  await words.fill('Hello, what is new?');
  const sent = page.waitForRequest(/\/studio\/graphql$/);
  await page.getByRole('button', { name: 'Say', exact: true }).click();
  expect((await sent).postDataJSON().variables.input.personalityPrompt).toContain('Pirate Pete');
  await page.locator('#tried li.avatar', { hasNotText: '…' }).waitFor();
  // What was said before goes along, and starting again forgets it.
  await words.fill('And now?');
  const second = page.waitForRequest(/\/studio\/graphql$/);
  await page.keyboard.press('Enter');
  expect((await second).postDataJSON().variables.input.history).toHaveLength(1);
  await page.locator('#tried li.avatar:nth-child(4)', { hasNotText: '…' }).waitFor();
  await page.getByRole('button', { name: 'Start again' }).click();
  expect(await page.locator('#tried li').count()).toBe(0);
  const { body } = await t.graphql<any>(
    'query($id: ID!) { avatar(avatarId: $id) { personalityPrompt } conversations { nodes { shareSlug } } }',
    { id: avatarId },
    person.session,
  );
  expect(body.data).toEqual({
    avatar: { personalityPrompt: null },
    conversations: { nodes: [] },
  });
  expect(await balance(t, person)).toEqual(before);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('an avatar’s page for visitors is opened with limits, shown on the owner’s site, and a visitor blocked', async () => {
  const person = await t.person('Vic', 1);
  const avatarId = await makeAvatar(t, person, 'Nova');
  const page = await pageOf(person);
  await page.goto(at(`/studio/avatars/${avatarId}`));
  const section = page.locator('section', { has: page.locator('#visitors') });
  await section.getByLabel('Who may talk with it on its page').selectOption('everyone');
  await section.getByLabel('Limit for each visitor').fill('-1');
  await section.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The limit must not be negative.').waitFor();
  expect(page.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  await section.getByLabel('Limit for each visitor').fill('0.5');
  await section.getByLabel('Greeting').fill('Hello, visitor!');
  await section.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await section.getByLabel('Limit for each visitor').inputValue()).toBe('0.5');
  await section.getByText('Put it on your site').click();
  const url = (await section.getByRole('link').first().textContent()) ?? '';
  expect(await section.getByLabel('Lines for your site').inputValue()).toContain(`<avatar-talk src="${url}">`);
  await page.frameLocator('.talk-preview').getByText('Hello, visitor!').waitFor();
  const begin = 'mutation($slug: String!) { beginVisit(input: { slug: $slug }) { visitorToken } }';
  await t.graphql(begin, { slug: url.split('/a/')[1] });
  await page.reload();
  await section.getByText('Guest').first().waitFor();
  await section.getByRole('button', { name: 'Block Guest' }).click();
  await page.getByText('They are shut out.').waitFor();
  await section.getByRole('button', { name: 'Let in again Guest' }).click();
  await page.getByText('They may talk again.').waitFor();
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('a second image becomes the face', async () => {
  const person = await t.person('Pia');
  const avatarId = await makeAvatar(t, person, 'Nova');
  const page = await pageOf(person);
  await page.goto(at(`/studio/avatars/${avatarId}`));
  await page.setInputFiles('#photo', { name: 'me.png', mimeType: 'image/png', buffer: await photo() });
  await page.getByText('The image is added.').waitFor();
  const before = await page.locator('.avatar-face').getAttribute('src');
  await page.getByRole('button', { name: 'Use image 2' }).click();
  await page.getByText('This is its face now.').waitFor();
  expect(await page.locator('.avatar-face').getAttribute('src')).not.toBe(before);
  await page.context().close();
});

test('another user’s avatar is not there', async () => {
  const avatarId = await makeAvatar(t, await t.person('Mine'), 'Nova');
  const page = await pageOf(await t.person('Other'));
  expect((await page.goto(at(`/studio/avatars/${avatarId}`)))!.status()).toBe(404);
  await page.context().close();
});

test('an image is made and kept', async () => {
  const page = await pageOf(await t.person('Pic', 1));
  await page.goto(at('/studio/create'));
  await page.getByLabel('What should it show?').fill('A lighthouse at dusk');
  await page.getByRole('button', { name: /^Create for/ }).click();
  await page.getByText('Here it is.').waitFor();
  expect(await page.getByRole('img', { name: 'A lighthouse at dusk' }).count()).toBe(1);
  // A photograph of one's own is changed at the price of that, said before the click; what is none is refused in words.
  const choose = (buffer: Buffer) =>
    page.setInputFiles('#image-file', { name: 'one.png', mimeType: 'image/png', buffer });
  await choose(Buffer.from([0xff, 0xd8, 0xff, ...new Uint8Array(20)]));
  await page.getByText(/^The file is not a JPEG, PNG or WebP image/).waitFor();
  await choose(await photo());
  await page.getByRole('button', { name: 'Change for 0.01 credits' }).waitFor();
  // Several are combined; one that was chosen is left out again.
  const references = page.locator('#references > li');
  for (const count of [2, 3]) {
    await choose(await photo());
    await references.nth(count - 1).waitFor();
  }
  await page.getByRole('button', { name: 'Remove image 3' }).click();
  expect(await references.count()).toBe(2);
  const addresses = page.getByLabel(/^Images to change or combine, if any/);
  const own = await addresses.inputValue();
  page.complaints.splice(0);
  await addresses.fill(`${own}\nhttps://images.example/me.png`);
  await references.getByText('images.example').waitFor();
  expect(page.complaints).toEqual([]);
  await addresses.fill(own);
  await page.getByLabel('What should it show?').fill('Both of them at the sea');
  await page.getByRole('button', { name: /^Change for/ }).click();
  await page.getByText('Here it is.').waitFor();
  expect(await page.getByRole('img', { name: 'Both of them at the sea' }).count()).toBe(1);
  await page.context().close();
});

test('a video shows its price before the click, and leads to its page', async () => {
  const person = await t.person('Fil', 1);
  const [nova] = [await makeAvatar(t, person, 'Nova'), await makeAvatar(t, person, 'Vega')];
  const page = await pageOf(person);
  await page.goto(at('/studio/create/video'));
  await page.getByLabel('What happens in it?').fill('Waves');
  await page.getByLabel('Seconds').fill('2');
  await page.getByText('About 0.05 credits').waitFor();
  await page.getByText('More choices').click();
  await page.getByLabel('Nova').check();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/\/v-/);
  const made = '{ videos(first: 1) { nodes { referencedAvatars { id } } } }';
  const { videos } = (await t.graphql<any>(made, {}, person.session)).body.data;
  expect(videos.nodes).toEqual([{ referencedAvatars: [{ id: nova }] }]);
  await page.context().close();
});

test('an avatar says a text, and the page shows it when it is ready', async () => {
  const person = await t.person('Say', 1);
  await t.rest('POST', '/avatars', { as: person.apiKey, body: { displayName: 'Nova', ttsVoiceId: 'noop' } });
  const page = await pageOf(person);
  await page.goto(at('/studio/create/speech'));
  await page.getByLabel('What it says').fill('Good evening.');
  await page.getByText('About 0.0265 credits').waitFor();
  await page.getByLabel('As', { exact: true }).selectOption('audio');
  await page.getByText('About 0.0015 credits').waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Here it is' }).waitFor();
  await page.goto(at('/studio/create/speech'));
  expect(await page.locator('#speeches > li').allTextContents()).toEqual([expect.stringContaining('Good evening.')]);
  await page.context().close();
});

test('where credits are missing the page says what it costs, what is there, and the way on', async () => {
  const [poor, rich] = [await t.person('Poor', 0.003), await t.person('Rich')];
  const body = { displayName: 'Nova', ttsVoiceId: 'noop' };
  const { avatarId } = (await t.rest('POST', '/avatars', { as: poor.apiKey, body })).body;
  await t.graphql('mutation { updateTribe(joinCost: 3) { user } }', {}, rich.session);
  const page = await pageOf(poor);
  const leadsOn = async (within = page.locator('main')): Promise<void> => {
    const href = await within.getByRole('link', { name: 'Get credits' }).getAttribute('href');
    expect(href).toBe('/account#credits');
  };
  await page.goto(at('/studio/create'));
  await page.getByLabel('What should it show?').fill('A lighthouse at dusk');
  await page.getByRole('button', { name: /^Create for/ }).click();
  await page.getByText('Not enough credits: it costs up to 0.005, and you have 0.003.').waitFor();
  await leadsOn();
  await page.goto(at(`/studio/tribe?user=${rich.userId}`));
  await page.getByText('Join', { exact: true }).click();
  await page.getByRole('button', { name: 'Join the tribe' }).click();
  await page.getByText('Not enough credits: joining costs 3, and you have 0.003.').waitFor();
  await leadsOn();
  // Talking: what it costs, or the same words for an answer in writing.
  const room = { avatarOwnerUserId: poor.userId, avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: poor.apiKey, body: room })).body;
  await page.goto(at(`/${shareSlug}`));
  const sayHi = async (on: Page): Promise<void> => {
    await on.fill('#words', 'Hi');
    await on.keyboard.press('Enter');
  };
  await sayHi(page);
  await page.getByText(/^Not enough credits: an answer like this costs up to [\d.]+, and you have 0.003\./).waitFor();
  await leadsOn(page.locator('#problem'));
  await page.getByRole('button', { name: 'Answer in writing' }).click();
  await page.locator('.turn.avatar').first().waitFor();
  expect(await page.locator('#problem').isHidden()).toBe(true);
  // Visitors: nothing of what the owner has, but a way to go on; the owner sees why.
  const open = 'mutation($input: SetTalkSettingsInput!) { setTalkSettings(input: $input) { settings { url } } }';
  const opened = await t.graphql<any>(open, { input: { avatarId, audience: 'everyone' } }, poor.session);
  const guest = await openPage(browser);
  await guest.goto(opened.body.data.setTalkSettings.settings.url);
  await guest.click('#begin');
  await guest.waitForSelector('#words:visible');
  await sayHi(guest);
  await guest.getByText('This avatar cannot answer aloud just now.').waitFor();
  expect(await guest.getByRole('link', { name: 'Get credits' }).count()).toBe(0);
  await guest.getByRole('button', { name: 'Answer in writing' }).click();
  await guest.locator('.turn.avatar').first().waitFor();
  await guest.context().close();
  await page.goto(at(`/studio/avatars/${avatarId}`));
  await page.getByText(/^Visitors are answered in writing alone/).waitFor();
  await leadsOn();
  await page.goto(at('/account'));
  await page.getByText(/the operator of this platform grants them/).waitFor();
  await page.context().close();
});

test('a gift goes on to the page that asks; a tribe is found and joined after a question', async () => {
  const [giver, other] = [await t.person('Giver', 5), await t.person('Taker')];
  const page = await pageOf(giver);
  await page.goto(at('/studio/tribe'));
  await page.getByLabel('User id or streaming name', { exact: true }).fill(other.userId);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('Join', { exact: true }).click();
  await page.getByRole('button', { name: 'Join the tribe' }).click();
  await page.getByText('You are a member now.').waitFor();
  expect(await page.locator('#joined + ul li').allTextContents()).toEqual([expect.stringMatching(/Taker.*free/s)]);
  await page.getByLabel('To: user id or streaming name').fill(other.userId);
  await page.getByLabel('Credits', { exact: true }).fill('6');
  await page.getByLabel('Note, if you like').fill('For the bread');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Not enough credits: the gift takes 6, and 5 of yours can be given away.').waitFor();
  expect(await page.getByLabel('Note, if you like').inputValue()).toBe('For the bread');
  await page.getByLabel('Credits', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Confirm your gift' }).waitFor();
  await page.getByRole('button', { name: /^(Give|Confirm|Send)/ }).click();
  await page.getByRole('heading', { name: 'Confirm your gift' }).waitFor({ state: 'detached' });
  await page.goto(at('/studio/tribe'));
  expect(await page.locator('#given + ul li').allTextContents()).toEqual([expect.stringMatching(/Taker.*1/s)]);
  await page.context().close();
  const theirs = await pageOf(other);
  await theirs.goto(at('/studio/tribe'));
  const link = new URL(await theirs.getByLabel('Link to join your tribe').inputValue());
  const seen = await theirs.locator('#members + ul li, #received + ul li').allTextContents();
  expect(seen).toEqual([expect.stringMatching(/Giver.*free/s), expect.stringMatching(/Giver.*\+1/s)]);
  await theirs.context().close();
  const invited = await pageOf(await t.person('Friend'));
  await invited.goto(at(link.pathname + link.search));
  await invited.getByText('Join', { exact: true }).click();
  await invited.getByRole('button', { name: 'Join the tribe' }).click();
  await invited.getByText('You are a member now.').waitFor();
  await invited.context().close();
});

test('a new key is copied by a click, and stands in the examples until the page is left', async () => {
  const page = await pageOf(await t.person('Keys'));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(at('/studio/developers'));
  await page.getByText('Let it expire').click();
  await page
    .getByLabel(/generate$/)
    .first()
    .check();
  await page.getByLabel('Name of a new key').fill('laptop');
  await page.getByRole('button', { name: 'Create a key' }).click();
  const key = await page.getByLabel('The new key laptop').inputValue();
  await page.getByText('only: generate').waitFor();
  await page.getByRole('button', { name: 'Copy the secret' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  const example = page.locator('[aria-labelledby=example-rest]');
  expect(await example.textContent()).toContain(`Bearer ${key}'`);
  await page.reload();
  expect(await example.textContent()).toContain("Bearer YOUR_KEY'");
  // The documentation knows who reads it, and leads back.
  await page.getByRole('link', { name: 'REST API' }).first().click();
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor();
  await page.context().close();
});

test('an app is registered, its secret shown once, and deleted after a question', async () => {
  const page = await pageOf(await t.person('Dev'));
  await page.goto(at('/studio/developers'));
  await page.getByText('Register an app').click();
  await page.getByLabel('Name', { exact: true }).fill('Tea Talk');
  await page.getByLabel('Its hosts, separated by commas').fill('tea.example.com');
  // Whatever is offered may be asked for.
  const offered = page.getByRole('group', { name: 'It may ask users to let it' }).getByRole('checkbox');
  for (const scope of await offered.all()) await scope.check();
  await page.getByRole('button', { name: 'Register' }).click();
  expect(await page.getByLabel('The secret of Tea Talk').inputValue()).toMatch(/^svcs_/);
  await page.reload();
  expect(await page.getByLabel('The secret of Tea Talk').count()).toBe(0);
  await page.getByText('Change', { exact: true }).click();
  const hosts = page.locator('.line').getByLabel('Its hosts, separated by commas');
  expect(await hosts.inputValue()).toBe('tea.example.com');
  const change = async (to: string): Promise<void> => {
    await hosts.fill(to);
    await page.locator('.line').getByRole('button', { name: 'Save' }).first().click();
  };
  await change('https://tea.example.com');
  await page.getByText(/^The list of hosts must be host names/).waitFor();
  await page.getByText('Change', { exact: true }).click();
  await change('tea.example.com, www.tea.example.com');
  await page.getByText('Saved.').waitFor();
  await page.getByText(/, tea\.example\.com, www\.tea\.example\.com/).waitFor();
  await page.getByText('Delete', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete the app' }).click();
  await page.getByText('No apps yet.').waitFor();
  await page.context().close();
});

test('a conversation is shared by a private link that is revoked after a question, and saved as subtitles', async () => {
  const person = await t.person('Share', 1);
  const avatarId = await makeAvatar(t, person, 'Nova');
  const body = { avatarOwnerUserId: person.userId, avatarId };
  const { shareSlug, conversationId } = (await t.rest('POST', '/conversations', { as: person.apiKey, body })).body;
  const turn = { userText: 'Hi <there>', avatarText: 'Good morning.', output: 'text' };
  await t.rest('POST', `/conversations/${conversationId}/turn`, { as: person.apiKey, body: turn });
  await t.settled(shareSlug, person.apiKey);
  const page = await pageOf(person);
  await page.goto(at(`/${shareSlug}`));
  const menu = page.locator('#share');
  await menu.locator('> summary').click();
  await menu.getByText('Put it on your site').click();
  await page.frameLocator('.embed-preview').locator('#said').waitFor({ state: 'attached' });
  await menu.getByText('Put it on your site').click();
  await page.getByRole('button', { name: 'Make a private link' }).click();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#made')!.value !== '');
  const link = await page.inputValue('#made');
  const reads = async () => (await fetch(link, { headers: { accept: 'text/html' } })).status;
  expect(await reads()).toBe(200);
  // Looking elsewhere closes it: on a phone the page above it, which is shaded.
  await page.mouse.click(195, 120);
  expect(await menu.getAttribute('open')).toBeNull();
  await page.reload();
  await menu.locator('> summary').click();
  await page.getByText('Private links: 1').click();
  await page.getByText('Revoke', { exact: true }).click();
  await page.getByRole('button', { name: 'Revoke it' }).click();
  await page.waitForURL(/\/c-/);
  await until(async () => (await reads()) === 404);
  const saved = await page.evaluate(async (path) => (await fetch(path)).text(), `/${shareSlug}/export/vtt`);
  expect(saved).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:03.000\n<v You>Hi &lt;there>\n\n00:00:03.000 --> 00:00:06.000\n<v Nova>Good morning.\n',
  );
  expect((await fetch(at(`/${shareSlug}/export/txt`))).status).toBe(404);
  await page.context().close();
});

test('a conversation is named, found by what was said in it, and found no more by other words', async () => {
  const person = await t.person('Find', 1);
  const avatarId = await makeAvatar(t, person, 'Nova');
  const body = { avatarOwnerUserId: person.userId, avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: person.apiKey, body })).body;
  const turn = { userText: 'Tell me of Zanzibar.', avatarText: 'It is an island.', output: 'text' };
  await t.rest('POST', `/conversations/${shareSlug}/turn`, { as: person.apiKey, body: turn });
  await t.settled(shareSlug, person.apiKey);
  const page = await pageOf(person);
  await page.goto(at(`/${shareSlug}`));
  await page.locator('#share > summary').click();
  await page.getByText('Rename', { exact: true }).click();
  await page.getByLabel('Name, for you alone').fill('Travel');
  await page.getByRole('button', { name: 'Save the name' }).click();
  await page.getByRole('heading', { name: 'Travel' }).waitFor();
  await page.goto(at('/'));
  await page.getByRole('searchbox').fill('island');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /Travel.*Nova/s }).waitFor();
  await page.getByRole('searchbox').fill('mountain');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('No conversation holds these words.').waitFor();
  await page.getByRole('link', { name: 'All conversations' }).click();
  // By what was said last it differs from others with the same avatar.
  await page.getByRole('link', { name: /Travel.*It is an island\./s }).waitFor();
  expect(page.complaints).toEqual([]);
  await page.context().close();
});
