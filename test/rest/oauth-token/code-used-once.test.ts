/** The token endpoint: a code is bound to what it was given for, and used once. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { exchange, makeClient, newPkce, REDIRECT } from '../../support/oauth.ts';
import {
  client,
  clock,
  closeTokens,
  code,
  openTokens,
  owner,
  t,
  tokenCount,
  works,
  wrongSecret,
} from '../../support/oauth-token.ts';

beforeAll(openTokens);
afterAll(closeTokens);

describe('a code is bound, and every failed check uses it up', () => {
  const { verifier, challenge } = newPkce();
  const proved = { codeChallenge: challenge, codeChallengeMethod: 'S256' };
  test.each<[string, Record<string, string>, Record<string, unknown>]>([
    ['another path', {}, { redirect_uri: 'https://app.example.com/other' }],
    ['the same address written otherwise', {}, { redirect_uri: 'https://APP.example.com/callback' }],
    ['a trailing slash', {}, { redirect_uri: `${REDIRECT}/` }],
    ['a verifier where there was no challenge', {}, { code_verifier: verifier }],
    ['a verifier alone where there was no challenge', {}, { code_verifier: verifier, client_secret: undefined }],
    ['no verifier where there was a challenge, though the secret is right', proved, {}],
    ['another verifier', proved, { code_verifier: newPkce().verifier }],
    ['the challenge itself as the verifier', proved, { code_verifier: challenge }],
    ['a short verifier', proved, { code_verifier: verifier.slice(1) }],
  ])('%s', async (_name, consent, change) => {
    const mine = await code(consent);
    const { status, body } = await exchange(t, client, { code: mine, ...change });
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    const right = 'codeChallenge' in consent ? { code_verifier: verifier } : {};
    expect((await exchange(t, client, { code: mine, ...right })).body.error).toBe('invalid_grant');
  });

  test("another app's credentials", async () => {
    const mine = await code();
    const other = await makeClient(t, owner);
    expect((await exchange(t, other, { code: mine })).body.error).toBe('invalid_grant');
    expect((await exchange(t, client, { code: mine })).body.error).toBe('invalid_grant');
  });

  test('five minutes, and not one millisecond more', async () => {
    const [inTime, late] = [await code(), await code()];
    clock.nowMs += 5 * 60_000 - 1;
    expect((await exchange(t, client, { code: inTime })).status).toBe(200);
    clock.nowMs += 1;
    expect((await exchange(t, client, { code: late })).body.error).toBe('invalid_grant');
  });

  test('it is forgotten after a day, by the next approval', async () => {
    await code();
    clock.nowMs += 25 * 3_600_000;
    await code();
    expect(await t.app.db.rows('select 1 from oauth_code')).toHaveLength(1);
  });

  test('only its hash is stored', async () => {
    const mine = await code();
    expect(JSON.stringify(await t.app.db.rows('select * from oauth_code'))).not.toContain(mine);
  });
});

describe('a code is used once', () => {
  test('its replay is refused and takes back what it issued, nothing else', async () => {
    const [mine, other] = [await code(), await code()];
    const [first, second] = [await exchange(t, client, { code: mine }), await exchange(t, client, { code: other })];
    clock.nowMs += 10;
    const replay = await exchange(t, client, { code: mine });
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant']);
    expect(await works(first.body.access_token)).toBe(false);
    expect(await works(second.body.access_token)).toBe(true);
  });

  test.each<[string, () => Promise<object>]>([
    [
      'another app with its own secret',
      async () => {
        const { clientId: client_id, clientSecret: client_secret } = await makeClient(t, owner);
        return { client_id, client_secret };
      },
    ],
    [
      'another app with no proof but some verifier',
      async () => {
        const { clientId: client_id } = await makeClient(t, owner);
        return { client_id, client_secret: undefined, code_verifier: newPkce().verifier };
      },
    ],
    [
      'a caller who knows the app’s public id and guesses a verifier',
      async () => ({
        client_secret: undefined,
        code_verifier: newPkce().verifier,
      }),
    ],
    ['a caller who knows the app’s public id and guesses its secret', async () => ({ client_secret: wrongSecret })],
  ])('replayed by %s, it is refused and takes back nothing', async (_who, change) => {
    const { verifier, challenge } = newPkce();
    const mine = await code({ codeChallenge: challenge, codeChallengeMethod: 'S256' });
    const { body } = await exchange(t, client, { code: mine, code_verifier: verifier });
    clock.nowMs += 10;
    const replay = await exchange(t, client, { code: mine, ...(await change()) });
    expect(replay.body.error).toMatch(/^invalid_(grant|client)$/);
    expect(await works(body.access_token)).toBe(true);
    // The public client itself, proved by the verifier, does take it back.
    await exchange(t, client, { code: mine, client_secret: undefined, code_verifier: verifier });
    expect(await works(body.access_token)).toBe(false);
  });

  test('also a replay hours later', async () => {
    const mine = await code();
    const { body } = await exchange(t, client, { code: mine });
    clock.nowMs += 20 * 3_600_000;
    await exchange(t, client, { code: mine });
    expect(await works(body.access_token)).toBe(false);
  });

  test('of 100 parallel exchanges one gets the token, which stays good; a later replay ends it', async () => {
    const mine = await code();
    const before = await tokenCount();
    // Holds the code's row until every request has come, so that none of them can be a replay.
    const holder = new pg.Client({ connectionString: t.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from oauth_code for update');
    let arrived = 0;
    const allArrived = new Promise<void>((resolve) => {
      t.server.fastify.server.on('request', () => {
        arrived += 1;
        if (arrived === 100) resolve();
      });
    });
    const answering = Array.from({ length: 100 }, () => exchange(t, client, { code: mine }));
    await allArrived;
    // An answer that needs no database comes after the bodies of all requests before it were read.
    await t.rest('GET', '/nowhere');
    clock.nowMs += 10;
    await holder.query('commit');
    await holder.end();
    const answers = await Promise.all(answering);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant')).toHaveLength(99);
    expect(await tokenCount()).toBe(before + 1);
    expect(await works(won[0]!.body.access_token)).toBe(true);
    clock.nowMs += 10;
    expect((await exchange(t, client, { code: mine })).status).toBe(400);
    expect(await works(won[0]!.body.access_token)).toBe(false);
  });

  test('a code stays good where the answer could not be made', async () => {
    const mine = await code();
    const before = await tokenCount();
    await t.app.db.rows('alter table avatar_image rename to avatar_image_away');
    const failed = await exchange(t, client, { code: mine });
    await t.app.db.rows('alter table avatar_image_away rename to avatar_image');
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(await tokenCount()).toBe(before);
    expect((await exchange(t, client, { code: mine })).status).toBe(200);
  });

  test('parallel exchanges by all the wrong means give nothing', async () => {
    const mine = await code();
    const before = await tokenCount();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => exchange(t, client, { code: mine, redirect_uri: 'https://evil.example/' })),
    );
    expect(answers.every(({ body }) => body.error === 'invalid_grant')).toBe(true);
    expect(await tokenCount()).toBe(before);
  });
});
