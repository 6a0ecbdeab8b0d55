/** Turns with an Idempotency-Key. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ada, closeConversations, inject, nova, openConversations, start, t } from '../../support/conversations.ts';
import { makeClient, tokenFor } from '../../support/oauth.ts';

beforeAll(openConversations);
afterAll(closeConversations);

describe('Idempotency-Key', () => {
  test('the same request is answered again and charged once; another with the key is a 422', async () => {
    const { shareSlug } = await start();
    const send = (body: object) => inject(shareSlug, body, ada.apiKey, { 'idempotency-key': `key-${shareSlug}` });
    const first = await send({ userText: 'Once', output: 'text' });
    const again = await send({ userText: 'Once', output: 'text' });
    expect(again.body).toEqual(first.body);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    expect((await send({ userText: 'Twice', output: 'text' })).status).toBe(422);
    expect((await t.settled(shareSlug, ada.apiKey)).turns).toHaveLength(2);
  });

  test('the same fields in another order are the same request', async () => {
    const { shareSlug } = await start();
    const send = (body: object) => inject(shareSlug, body, ada.apiKey, { 'idempotency-key': `order-${shareSlug}` });
    const first = await send({ userText: 'Once', output: 'text', mode: 'chat' });
    const again = await send({ mode: 'chat', output: 'text', userText: 'Once' });
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([202, 'true', first.body]);
    // A process of the release before has noted the request as it was sent, and no more.
    await t.app.db.rows('update idempotency_key set sorted_hash = null where key = $1', [`order-${shareSlug}`]);
    expect((await send({ userText: 'Once', output: 'text', mode: 'chat' })).status).toBe(202);
    expect((await send({ mode: 'chat', output: 'text', userText: 'Once' })).status).toBe(422);
    expect((await t.settled(shareSlug, ada.apiKey)).turns).toHaveLength(2);
  });

  test('of fifty at once one runs; a refused request may be sent again', async () => {
    const { shareSlug } = await start();
    const key = { 'idempotency-key': `burst-${shareSlug}` };
    const burst = await Promise.all(
      Array.from({ length: 50 }, () => inject(shareSlug, { userText: 'Once', output: 'text' }, ada.apiKey, key)),
    );
    expect(burst.every(({ status }) => status === 202 || status === 409)).toBe(true);
    expect(new Set(burst.filter(({ status }) => status === 202).map(({ body }) => body.turn.id)).size).toBe(1);
    const refused = { 'idempotency-key': `refused-${shareSlug}` };
    expect((await inject(shareSlug, { userText: '' }, ada.apiKey, refused)).status).toBe(400);
    expect((await inject(shareSlug, { userText: '' }, ada.apiKey, refused)).status).toBe(400);
    expect((await t.settled(shareSlug, ada.apiKey)).turns).toHaveLength(2);
  });

  test('what was done but could not be noted is answered, and not done again', async () => {
    const { shareSlug } = await start();
    const key = `unnoted-${shareSlug}`;
    await t.app.db.rows(`create function fail() returns trigger language plpgsql as $$ begin raise 'full'; end $$`);
    await t.app.db.rows(`create trigger unnoted before update on idempotency_key for each row
      when (new.key like 'unnoted-%' and new.status is not null) execute function fail()`);
    const send = () => inject(shareSlug, { userText: 'Once', output: 'text' }, ada.apiKey, { 'idempotency-key': key });
    const first = await send();
    expect(first.status).toBe(202);
    const again = await send();
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await t.settled(shareSlug, ada.apiKey)).turns).toHaveLength(2);
  });
});

describe('Idempotency-Key of two apps', () => {
  test('one user’s apps may draw the same key: each is answered for itself', async () => {
    const key = { 'idempotency-key': 'first' };
    const answered: string[] = [];
    for (const name of ['One', 'Two']) {
      const client = await makeClient(t, ada, { name, scopes: ['generate'] });
      const as = await tokenFor(t, ada, nova.avatarId, client, 'generate');
      const body = { avatarOwnerUserId: ada.userId, avatarId: nova.avatarId };
      const { shareSlug } = (await t.rest('POST', '/conversations', { as, body })).body;
      const said = { userText: name, mode: 'speak', output: 'text' };
      for (let times = 0; times < 2; times += 1) {
        const { status, body: turn } = await inject(shareSlug, said, as, key);
        expect(status).toBe(202);
        answered.push(turn.turn.id);
      }
    }
    expect(answered[0]).toBe(answered[1]);
    expect(answered[2]).toBe(answered[3]);
    expect(new Set(answered).size).toBe(2);
  });
});
