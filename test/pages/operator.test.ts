/** The operator's page: users, credits, jobs that failed, whether everything answers; and that no other user finds it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { OPERATOR, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { balance } from '../support/credits.ts';
import { until } from '../support/until.ts';
import { openPage } from './stage.ts';

let t: TestApp;
let browser: Browser;
let ada: TestUser;

beforeAll(async () => {
  // The check is a program that has this process's variables: real engines would draw an image, a head and a video for it.
  process.env.ENGINES = 'noop';
  t = await openTestApp({ work: true });
  [browser, ada] = await Promise.all([openBrowser(), t.person('Ada', 3)]);
  await t.person('Bob', 3);
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

const at = (path: string): string => `${t.app.config.SITE_URL}${path}`;

async function signedIn(email: string, password: string) {
  const page = await openPage(browser);
  await page.goto(at('/signin'));
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', password);
  await Promise.all([page.waitForURL((url) => url.pathname !== '/signin'), page.click('#go')]);
  return page;
}

/** A job that failed for good, of work that is no more: tried again it ends well. */
async function failedJob(): Promise<string> {
  await t.app.db.transaction((tx) => t.app.jobs.enqueue(tx, 'idle', { id: 'avatars/gone.jpg', account: ada.userId }));
  const [job] = await until(async () => {
    const rows = await t.app.db.rows<{ id: string }>(
      `update pgboss.job set state = 'failed' where data->>'id' = 'avatars/gone.jpg' and state = 'completed' returning id`,
    );
    return rows.length > 0 && rows;
  });
  return job!.id;
}

test('an operator finds users, grants credits, retries failed jobs and checks which engines answer', async () => {
  const jobId = await failedJob();
  const page = await signedIn(OPERATOR.email, OPERATOR.password);
  await page.goto(at('/account'));
  await page.getByRole('link', { name: 'Operator' }).click();
  await page.getByLabel('Name, e-mail or id').fill('ada');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/search=ada/);
  expect(await page.locator('section[aria-labelledby=users] li strong').allTextContents()).toEqual(['Ada']);
  await page.locator('summary', { hasText: 'Grant' }).click();
  await page.getByRole('textbox', { name: 'Credits' }).fill('2.5');
  await page.getByRole('button', { name: 'Grant', exact: true }).click();
  await page.getByText('Granted.').waitFor();
  expect((await balance(t, ada)).transferable).toBe(5.5);

  await page.getByRole('button', { name: /^Try idle of/ }).click();
  await page.getByText('1 will be tried again.').waitFor();
  await page.getByText('No job has failed.').waitFor();
  await until(async () => {
    const [job] = await t.app.db.rows<{ state: string }>('select state from pgboss.job where id::text = $1', [jobId]);
    return job?.state === 'completed';
  });

  await page.getByRole('link', { name: 'Check now' }).click();
  await page.getByRole('heading', { name: 'Engines' }).waitFor();
  const chat = page.locator('li', { hasText: 'chat' });
  expect(await chat.first().textContent()).toMatch(/Answers/);
  expect(await page.locator('li', { hasText: 'storage' }).first().textContent()).toMatch(
    /Answers.*written, read, removed/s,
  );
  await page.context().close();
});

test('to all other users there is no such page', async () => {
  const page = await signedIn(ada.email, 'correct horse');
  await page.goto(at('/account'));
  expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
  for (const path of ['/studio/operator', '/studio/operator/health']) {
    expect((await page.goto(at(path)))?.status()).toBe(404);
  }
  await page.context().close();
});
