/** What an account used by day and kind, and its ledger by kind, as a page and as a file. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { grantTo } from '../support/credits.ts';
import { csrfOf, Visitor } from '../support/page-client.ts';

let t: TestApp;
let ada: TestUser;
/** Noon: a few minutes more are the same day. */
let nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const dayAgo = (days: number) => new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  t = await openTestApp({ work: true, clock: { now: () => nowMs }, env: { SIGNUP_CREDITS: '0' } });
  ada = await t.person('Ada', 10);
  const image = () =>
    t.rest('POST', '/images/generate', { as: ada.apiKey, body: { prompt: 'a kite', model: 'default' } });
  await image();
  nowMs += 2 * DAY_MS;
  await image();
  await image();
  // With a leap of days sessions stay; a video is a kind of its own.
  const made = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova', ttsVoiceId: 'noop' } });
  const talk = { avatarOwnerUserId: ada.userId, avatarId: made.body.avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: talk })).body;
  const turn = { userText: 'Hi', avatarText: 'Good morning.', output: 'audio' };
  await t.rest('POST', `/conversations/${shareSlug}/turn`, { as: ada.apiKey, body: turn });
  await t.settled(shareSlug, ada.apiKey);
});
afterAll(() => t.close());

const ask = async (query: string, variables: object = {}, as = ada.session) =>
  (await t.graphql<any>(query, { ...variables }, as)).body;
const USAGE = 'query($days: Int) { usage(days: $days) { day kind count credits } }';

test('usage is told by day and kind, for as many days as are asked, and one’s own alone', async () => {
  const { usage } = (await ask(USAGE)).data;
  const turn = usage.find((one: any) => one.kind === 'turn');
  expect(usage).toEqual([
    { day: dayAgo(2), kind: 'image', count: 1, credits: 0.005 },
    { day: dayAgo(0), kind: 'image', count: 2, credits: 0.01 },
    { day: dayAgo(0), kind: 'turn', count: 1, credits: turn.credits },
  ]);
  const lines = (await ask('{ ledgerEntries(kind: turn) { nodes { amount } } }')).data.ledgerEntries.nodes;
  expect(lines).toEqual([{ amount: -turn.credits }]);
  expect((await ask(USAGE, { days: 2 })).data.usage.map((one: any) => one.day)).toEqual([dayAgo(0), dayAgo(0)]);
  expect((await ask(USAGE, { days: 0 })).errors?.[0].message).toBe('days must be from 1 to 366.');
  expect((await ask(USAGE, {}, (await t.person('Bob', 1)).session)).data.usage).toEqual([]);
});

test('the ledger is read by kind, page by page', async () => {
  const query = `query($kind: LedgerKind, $after: String) {
    ledgerEntries(first: 2, kind: $kind, after: $after) { pageInfo { endCursor hasNextPage } nodes { kind amount } } }`;
  const page = async (kind: string, after?: string) => (await ask(query, { kind, after })).data.ledgerEntries;
  const image = { kind: 'svc-image', amount: -0.005 };
  const first = await page('image');
  expect([first.nodes, first.pageInfo.hasNextPage]).toEqual([[image, image], true]);
  const second = await page('image', first.pageInfo.endCursor);
  expect([second.nodes, second.pageInfo.hasNextPage]).toEqual([[image], false]);
  expect((await page('grant')).nodes).toEqual([{ kind: 'grant', amount: 10 }]);
  expect((await page('hold')).nodes).toEqual([]);
});

test('the account page draws it, filters it, and gives it as a file that no spreadsheet runs', async () => {
  const eve = await t.person('Eve', 1);
  await grantTo(t, eve, 1);
  await t.app.db.rows(
    `update ledger_transfer set memo = $1 where id in
    (select transfer_id from ledger_entry e join ledger_account a on a.id = e.account_id where a.user_id = $2)`,
    ['=HYPERLINK("http://evil.example","x")', eve.userId],
  );
  const visitor = await new Visitor(t.app.config.SITE_URL).signIn(ada.email);
  const { text } = await visitor.get('/account');
  expect(text.match(/<rect class="bar image"/g)).toHaveLength(2);
  expect(text).toMatch(/Images<\/th><td>3<\/td><td><data value="0.015"/);
  const images = (await visitor.get('/account?kind=image')).text;
  expect(images.match(/<strong>Image<\/strong>/g)).toHaveLength(3);
  expect(images).not.toContain('<strong>Credits received</strong>');
  const csv = await visitor.get('/account/ledger.csv?kind=image');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const rows = csv.text.trimEnd().split('\r\n');
  expect(rows[0]).toBe('time,kind,credits,for,note,id');
  expect(rows.slice(1).map((row) => row.split(',').slice(1, 3))).toEqual(Array(3).fill(['Image', '-0.005']));
  const hers = await (await new Visitor(t.app.config.SITE_URL).signIn(eve.email)).get('/account/ledger.csv');
  expect(hers.text).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
  expect(hers.text.trimEnd().split('\r\n')).toHaveLength(3);
  const guest = await new Visitor(t.app.config.SITE_URL).get('/account/ledger.csv');
  expect([guest.status, csrfOf(guest.text)]).toEqual([302, '']);
});
