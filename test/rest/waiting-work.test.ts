/** One account may have so much work waiting and no more: the next is refused, uncharged and unwritten; others are not. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JobKind } from '../../src/kernel/job-kinds.ts';
import { MOST_WAITING } from '../../src/kernel/limits.ts';
import { type Answer, openTestApp, type TestApp, type TestUser } from '../support/app.ts';

let t: TestApp;

// No worker: what is accepted waits.
beforeAll(async () => {
  t = await openTestApp();
});
afterAll(() => t.close());
// Portraits let what waits go first.
afterEach(() => t.app.db.rows('delete from pgboss.job'));

interface Asker {
  user: TestUser;
  avatarId: string;
  slug: string;
}

async function asker(name: string): Promise<Asker> {
  const user = await t.person(name, 10);
  const made = { displayName: name, ttsVoiceId: 'noop', knowledgeBaseUrls: ['https://example.com/'] };
  const { avatarId } = (await t.rest('POST', '/avatars', { as: user.apiKey, body: made })).body.avatar;
  const body = { avatarOwnerUserId: user.userId, avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: user.apiKey, body })).body;
  return { user, avatarId, slug: shareSlug };
}

/** Lets so many jobs of the account wait, for their next attempt. */
const wait = (kind: JobKind, { user }: Asker, count: number) =>
  t.app.db.rows(
    `insert into pgboss.job (name, group_id, data, start_after)
     select $1, $2, '{"id":"other"}', now() + interval '1 hour' from generate_series(1, $3)`,
    [kind, user.userId, count],
  );

const turn = (body: object) => (by: Asker) =>
  t.rest('POST', `/conversations/${by.slug}/turn`, { as: by.user.apiKey, body: { userText: 'Hello.', ...body } });

test.each<[keyof typeof MOST_WAITING, (by: Asker) => Promise<Answer>]>([
  ['render', turn({ mode: 'speak', output: 'audio' })],
  ['reply', turn({ mode: 'chat', output: 'audio' })],
  [
    'speak',
    ({ avatarId, user }) =>
      t.rest('POST', `/avatars/${avatarId}/speak`, { as: user.apiKey, body: { text: 'Hello.', output: 'audio' } }),
  ],
  [
    'video',
    ({ user }) =>
      t.rest('POST', '/videos/generate', { as: user.apiKey, body: { prompt: 'A boat at dawn', duration: 1 } }),
  ],
  ['train', ({ avatarId, user }) => t.rest('POST', `/avatars/${avatarId}/train`, { as: user.apiKey })],
])('%s', async (kind, ask) => {
  const [ada, bob] = [await asker('Ada'), await asker('Bob')];
  await wait(kind, ada, MOST_WAITING[kind]);
  const stored = async () => {
    const counts = [
      'conversation_turn',
      'injection',
      'speech_generation',
      'video_generation',
      'ledger_hold',
      'pgboss.job',
    ].map((table) => `(select count(*) from ${table})`);
    const [row] = await t.app.db.rows(
      `select concat_ws(' ', ${counts.join()}, (select sum(held) from ledger_account)) as n`,
    );
    return row;
  };
  const before = await stored();
  const refused = await ask(ada);
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '5']);
  expect(await stored()).toEqual(before);
  expect((await ask(bob)).status).toBeLessThan(300);
  await t.app.db.rows(
    `delete from pgboss.job where id = (select id from pgboss.job where name = $1 and group_id = $2 limit 1)`,
    [kind, ada.user.userId],
  );
  expect((await ask(ada)).status).toBeLessThan(300);
});

test('replies of one conversation, which have a job only when it is their turn', async () => {
  const ada = await asker('Ada');
  const say = turn({ mode: 'chat', output: 'text' });
  expect((await say(ada)).status).toBe(202);
  await t.app.db.rows(
    `insert into injection select (jsonb_populate_record(i, jsonb_build_object('id', i.id || g, 'number', 10 + g))).*
     from injection i join conversation c on c.id = i.conversation_id, generate_series(1, $2) g where c.share_slug = $1`,
    [ada.slug, MOST_WAITING.reply - 1],
  );
  expect((await say(ada)).status).toBe(503);
});
