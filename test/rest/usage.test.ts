/** What an account used by day and kind, and its ledger by kind, as a page and as a file. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, grantTo } from '../support/credits.ts';
import { csrfOf, Visitor } from '../support/page-client.ts';
import { until } from '../support/until.ts';

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

test('usage is given by day and kind, for as many days as are asked, and of the caller’s account alone', async () => {
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

test('what an avatar cost is summed by kind, with what others spent of it, and nothing of other avatars', async () => {
  const [owner, other] = [await t.person('Uma', 10), await t.person('Vic', 10)];
  const newAvatar = async (): Promise<string> => {
    const body = { displayName: 'Vega', ttsVoiceId: 'noop', publiclyRenderable: true };
    return (await t.rest('POST', '/avatars', { as: owner.apiKey, body })).body.avatarId;
  };
  const [avatarId, second] = [await newAvatar(), await newAvatar()];
  /** What an act took from the owner, once nothing of it is held any more. */
  const cost = async (act: () => Promise<unknown>): Promise<number> => {
    const before = await balance(t, owner);
    await act();
    const after = await until(async () => {
      const now = await balance(t, owner);
      return now.held === 0 && now;
    });
    return before.available - after.available;
  };
  const turnIds: string[] = [];
  const talk = (who: TestUser, id: string, output: string) => async (): Promise<void> => {
    const room = { avatarOwnerUserId: owner.userId, avatarId: id };
    const { shareSlug } = (await t.rest('POST', '/conversations', { as: who.apiKey, body: room })).body;
    const body = { userText: 'Hi', avatarText: 'Good morning to you.', output };
    turnIds.push((await t.rest('POST', `/conversations/${shareSlug}/turn`, { as: who.apiKey, body })).body.turn.id);
    await t.settled(shareSlug, who.apiKey);
  };
  const speak = (who: TestUser, text: string) => async (): Promise<void> => {
    const body = { text, output: 'audio', avatarOwnerUserId: owner.userId };
    const { poll } = (await t.rest('POST', `/avatars/${avatarId}/speak`, { as: who.apiKey, body })).body;
    await until(async () => (await t.rest('GET', poll, { as: who.apiKey })).body.audioUrl);
  };
  const visit = async (): Promise<void> => {
    const set = `mutation($input: SetTalkSettingsInput!) { setTalkSettings(input: $input) { settings { url } } }`;
    const { settings } = (await ask(set, { input: { avatarId, audience: 'everyone' } }, owner.session)).data
      .setTalkSettings;
    const slug = settings.url.split('/a/')[1];
    const begin = `mutation($input: BeginVisitInput!) {
      beginVisit(input: $input) { visitorToken viewerToken conversation { shareSlug } } }`;
    const { visitorToken, viewerToken, conversation } = (await t.graphql<any>(begin, { input: { slug } })).body.data
      .beginVisit;
    const input = { slug, visitorToken, userText: 'Good evening.', output: 'audio' };
    const said = await t.graphql<any>(
      'mutation($input: SayToAvatarInput!) { sayToAvatar(input: $input) { turn { id } } }',
      {
        input,
      },
    );
    expect(said.body.errors).toBeUndefined();
    const read = `query($slug: String!, $viewerToken: String) { conversationBySlug(slug: $slug, viewerToken: $viewerToken) {
      conversation { isReplyPending } turns { status } } }`;
    await until(async () => {
      const { body } = await t.graphql<any>(read, { slug: conversation.shareSlug, viewerToken });
      const seen = body.data.conversationBySlug;
      return !seen.conversation.isReplyPending && seen.turns.every(({ status }: any) => status !== 'pending');
    });
  };
  const [own, vics, written] = [
    await cost(talk(owner, avatarId, 'audio')),
    await cost(talk(other, avatarId, 'audio')),
    await cost(talk(owner, avatarId, 'text')),
  ];
  const [spoken, vicsSpoken, visited] = [
    await cost(speak(owner, 'Nine words of mine.')),
    await cost(speak(other, 'And some of another.')),
    await cost(visit),
  ];
  const elsewhere = await cost(talk(owner, second, 'audio'));
  expect([own, vics, spoken, vicsSpoken, visited, elsewhere].every((amount) => amount > 0)).toBe(true);
  expect(written).toBe(0);

  const usage = async (id: string, days?: number) =>
    (
      await ask(
        'query($id: ID!, $days: Int) { avatarUsage(avatarId: $id, days: $days) { kind count credits creditsOfOthers } }',
        { id, days },
        owner.session,
      )
    ).data.avatarUsage;
  const near = (amount: number) => expect.closeTo(amount, 6);
  const speech = {
    kind: 'speech',
    count: 2,
    credits: near(spoken + vicsSpoken),
    creditsOfOthers: near(vicsSpoken),
  };
  const turns = { kind: 'turn', count: 3, credits: near(own + vics + visited), creditsOfOthers: near(vics + visited) };
  expect(await usage(avatarId)).toEqual([speech, turns]);
  expect(await usage(second)).toEqual([{ kind: 'turn', count: 1, credits: near(elsewhere), creditsOfOthers: 0 }]);
  // The page shows the same.
  const { text } = await (await new Visitor(t.app.config.SITE_URL).signIn(owner.email)).get(
    `/studio/avatars/${avatarId}`,
  );
  expect(text).toMatch(/<th scope="row">Turns<\/th><td>3<\/td>/);
  expect(text).toMatch(/<th scope="row">Speech<\/th><td>2<\/td>/);
  const sums = /<th scope="row">All<\/th><td>5<\/td><td><data value="([\d.]+)".*?<\/td><td><data value="([\d.]+)"/.exec(
    text,
  );
  expect([Number(sums?.[1]), Number(sums?.[2])]).toEqual([
    near(own + vics + visited + spoken + vicsSpoken),
    near(vics + visited + vicsSpoken),
  ]);
  // What is deleted, and what was long ago, is not counted; no other user may ask.
  await ask('mutation($id: ID!) { deleteTurn(turnId: $id) { deletedId } }', { id: turnIds[0] }, owner.session);
  expect(await usage(avatarId)).toEqual([
    speech,
    { ...turns, count: 2, credits: near(vics + visited), creditsOfOthers: near(vics + visited) },
  ]);
  const { errors } = await ask(
    'query($id: ID!) { avatarUsage(avatarId: $id) { count } }',
    { id: avatarId },
    other.session,
  );
  expect(errors![0].extensions.code).toBe('NOT_FOUND');
  nowMs += 2 * DAY_MS;
  expect(await usage(avatarId, 2)).toEqual([]);
  expect(await usage(avatarId, 3)).toHaveLength(2);
  nowMs -= 2 * DAY_MS;
});
