/**
 * The audit log: every sensitive action leaves one line in its own transaction, saying who did what, with which
 * credential and from where; its account reads it, operators read all, no one changes it.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AUDIT_ACTIONS } from '../../schema/audit.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { OPERATOR, openTestApp, signIn, type TestApp, type TestUser } from '../support/app.ts';
import { codeFor, exchange, makeAvatar, makeClient, tokenFor } from '../support/oauth.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;
let conversation: { conversationId: string; shareSlug: string };
let nowMs = Date.now();

beforeAll(async () => {
  t = await openTestApp({ clock: { now: () => nowMs } });
  ada = await t.person('Ada', 10);
  bob = await t.person('Bob');
  avatarId = await makeAvatar(t, ada);
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  conversation = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
});
afterAll(() => t.close());

const EVENT = `id action userId actorUserId credentialKind credentialId clientId subject detail address requestId createdAt`;
const mine = async (as = ada.session, first = 100) => {
  const query = `query($first: Int) { auditEvents(first: $first) { nodes { ${EVENT} } } }`;
  const { body } = await t.graphql(query, { first }, as);
  return body.data.auditEvents.nodes as any[];
};
/** What an action adds to the account's lines; the clock moves, so that lines are in order. */
const added = async (work: () => Promise<unknown>, as = ada.session) => {
  nowMs += 1_000;
  const since = nowMs;
  await work();
  return (await mine(as)).filter(({ createdAt }) => createdAt >= since).reverse();
};
const rest = (method: string, path: string, body?: object, as = ada.session) =>
  t.rest(method, path, { as, ...(body ? { body } : {}) });
const graphql = (query: string, as = ada.session) => t.graphql(query, {}, as);

describe('an action leaves a line', () => {
  test('signing up and in, failing to, and signing out', async () => {
    const eve = await t.person('Eve');
    expect((await mine(eve.session)).map(({ action }) => action).sort()).toEqual([
      'account_created',
      'api_key_created',
      'signed_in',
    ]);
    const failed = await added(async () => {
      await t.graphql(`mutation { signIn(email: "${eve.email}", password: "wrong password") { idToken } }`);
    }, eve.session);
    expect(failed).toMatchObject([
      { action: 'sign_in_failed', userId: eve.userId, actorUserId: null, subject: null, address: '127.0.0.1' },
    ]);
    const session = await signIn(t, { email: eve.email, password: 'correct horse' });
    const out = await added(() => graphql('mutation { signOut }', session.idToken), eve.session);
    expect(out).toMatchObject([{ action: 'signed_out', actorUserId: eve.userId, credentialKind: 'session' }]);
  });

  const link = () => rest('POST', `/conversations/${conversation.conversationId}/access-link`);
  const app = () => makeClient(t, ada, { serviceAvatarId: avatarId });
  const gift = async () => {
    const { body } = await rest('POST', '/donations/intents', { to: bob.userId, amount: 1 });
    await rest('POST', `/donations/intents/${body.intentId}/confirm`);
  };
  const memory = (system: string) =>
    graphql(`mutation { selectBrainSystem(avatarId: "${avatarId}", system: "${system}") { avatarId } }`);
  const video = async () => {
    const { body } = await rest('POST', '/videos/generate', { prompt: 'A boat', duration: 1 });
    const set = `mutation { setVideoVisibility(generationId: "${body.generationId}", visibility: public) { generationId } }`;
    await graphql(set);
  };

  test.each<[string, () => Promise<unknown>, [string, (string | null)?][]]>([
    ['a key made', () => rest('POST', '/api-keys', { name: 'CI' }), [['api_key_created']]],
    [
      'a key revoked',
      async () => {
        const { body } = await rest('POST', '/api-keys', { name: 'CI' });
        await rest('DELETE', `/api-keys/${body.id}`);
      },
      [['api_key_created'], ['api_key_revoked']],
    ],
    ['an app registered', app, [['app_registered']]],
    [
      'its secret replaced',
      async () => rest('POST', `/oauth/clients/${(await app()).clientId}/secret`),
      [['app_registered'], ['app_secret_rotated']],
    ],
    [
      'its service avatar changed',
      async () => rest('PATCH', `/oauth/clients/${(await app()).clientId}`, { serviceAvatarId: null }),
      [['app_registered'], ['app_changed']],
    ],
    [
      'it deleted, with what it held',
      async () => {
        const client = await app();
        await tokenFor(t, ada, avatarId, client, 'profile');
        await rest('DELETE', `/oauth/clients/${client.clientId}`);
      },
      [['app_registered'], ['consent_given'], ['grant_given'], ['app_deleted'], ['grant_revoked']],
    ],
    [
      'a grant taken back',
      async () => {
        await tokenFor(t, ada, avatarId, await app(), 'profile');
        const { grants } = (await rest('GET', '/oauth/grants')).body;
        await rest('DELETE', `/oauth/grants/${grants[0].tokenId}`);
      },
      [['app_registered'], ['consent_given'], ['grant_given'], ['grant_revoked']],
    ],
    ['a gift confirmed', gift, [['gift_confirmed']]],
    [
      'a conversation made public and private again',
      async () => {
        for (const isPublic of [true, false]) {
          await rest('POST', `/conversations/${conversation.conversationId}/visibility`, { isPublic });
        }
      },
      [
        ['visibility_changed', 'private'],
        ['visibility_changed', 'public'],
      ],
    ],
    [
      'an avatar made public',
      () => rest('POST', `/avatars/${avatarId}/public`, { publiclyRenderable: true }),
      [['visibility_changed', 'public']],
    ],
    ['a video made public', video, [['visibility_changed', 'public']]],
    ['an access link made', link, [['access_link_created']]],
    [
      'it revoked',
      async () => {
        const { linkId } = (await link()).body;
        await rest('DELETE', `/conversations/${conversation.conversationId}/access-link/${linkId}`);
      },
      [['access_link_created'], ['access_link_revoked']],
    ],
    ['a memory system selected', () => memory('managed'), [['memory_system_selected', 'managed']]],
  ])('%s', async (_name, work, expected) => {
    const lines = await added(work);
    const met = lines.map(({ action, detail }) => (detail === null ? [action] : [action, detail]));
    expect(met.sort()).toEqual([...expected].sort());
    for (const { action, userId, actorUserId, clientId, address, requestId, subject } of lines) {
      expect([action, userId, address, Boolean(subject)]).toEqual([action, ada.userId, '127.0.0.1', true]);
      expect(requestId).toMatch(/^req_/);
      expect([action, Boolean(actorUserId ?? clientId)]).toEqual([action, true]);
    }
  });

  test('credits granted: to the account, without where the operator sat', async () => {
    const grant = `mutation { grantCredits(userId: "${ada.userId}", amount: 2.5) { available } }`;
    const operator = await t.operator();
    const [line] = await added(() => t.graphql(grant, {}, operator));
    expect(line).toMatchObject({ action: 'credits_granted', detail: '2.5', address: null, credentialId: null });
    expect(line.actorUserId).not.toBe(ada.userId);
  });

  test('a refused one leaves none', async () => {
    const lines = await added(async () => {
      await rest('DELETE', '/api-keys/key_none');
      await rest('POST', '/api-keys', { name: '' });
      await rest('DELETE', '/oauth/clients/svcc_none');
      const { body } = await rest('POST', '/donations/intents', { to: bob.userId, amount: 1 });
      await rest('POST', `/donations/intents/${body.intentId}/confirm`, undefined, bob.session);
    });
    expect(lines).toEqual([]);
  });

  test('the replay of a code says which app it was', async () => {
    const client = await makeClient(t, ada);
    const code = await codeFor(t, ada, avatarId, { clientId: client.clientId });
    await exchange(t, client, { code });
    const lines = await added(() => exchange(t, client, { code }));
    expect(lines).toMatchObject([{ action: 'grant_revoked', actorUserId: null, clientId: client.clientId }]);
  });

  test('the action fails where its line cannot be written', async () => {
    await t.app.db.rows(
      `alter table audit_event add constraint broken check (action <> 'access_link_created') not valid`,
    );
    try {
      const before = await t.app.db.rows('select id from access_link');
      expect((await link()).status).toBe(500);
      expect(await t.app.db.rows('select id from access_link')).toEqual(before);
    } finally {
      await t.app.db.rows('alter table audit_event drop constraint broken');
    }
  });
});

describe('reading it', () => {
  test('goes page by page, newest first, and shows no other account’s', async () => {
    const all = await mine();
    const paged: any[] = [];
    let after: string | null = null;
    do {
      const query = `query($after: String) { auditEvents(first: 7, after: $after) {
        pageInfo { endCursor hasNextPage } nodes { ${EVENT} } } }`;
      const { auditEvents }: any = (await t.graphql<any>(query, { after }, ada.session)).body.data;
      paged.push(...auditEvents.nodes);
      after = auditEvents.pageInfo.hasNextPage ? auditEvents.pageInfo.endCursor : null;
    } while (after);
    expect(paged).toEqual(all);
    expect(all.every(({ userId }) => userId === ada.userId)).toBe(true);
    expect((await mine(bob.session)).some(({ userId }) => userId !== bob.userId)).toBe(false);
  });

  test('is for operators as a whole, by account and by action', async () => {
    const operator = await t.operator();
    const ask = async (where: string, as = operator) =>
      (await t.graphql<any>(`{ auditLog${where} { nodes { action userId address } } }`, {}, as)).body;
    const everything = (await ask('(first: 100)')).data!.auditLog.nodes;
    expect(new Set(everything.map(({ userId }: any) => userId)).size).toBeGreaterThan(2);
    const failed = (await ask('(action: sign_in_failed)')).data!.auditLog.nodes;
    expect(failed.every(({ action }: any) => action === 'sign_in_failed')).toBe(true);
    const bobs = (await ask(`(userId: "${bob.userId}", action: account_created)`)).data.auditLog.nodes;
    expect(bobs).toEqual([{ action: 'account_created', userId: bob.userId, address: '127.0.0.1' }]);
    expect((await ask('(action: nothing)')).errors![0].message).toContain('"nothing" does not exist in "AuditAction"');
    expect((await ask('', ada.session)).errors![0].extensions.code).toBe('FORBIDDEN');
  });

  test.each([[0], [101]])('asked for %i lines is a 400', async (first) => {
    const { body } = await t.graphql(`{ auditEvents(first: ${first}) { nodes { id } } }`, {}, ada.session);
    expect(body.errors![0].message).toBe('first must be from 1 to 100.');
  });

  test('a failed sign-in at no account is on record, without what was typed', async () => {
    await t.graphql('mutation { signIn(email: "hunter2-typed-here", password: "x") { idToken } }');
    const rows = await t.app.db.rows('select * from audit_event where user_id is null');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('hunter2');
  });
});

describe('keeping it', () => {
  test.each([`update audit_event set action = 'nothing'`, 'delete from audit_event', 'truncate audit_event'])(
    '%s is refused by the database',
    async (sql) => {
      await expect(t.app.db.rows(sql)).rejects.toThrow('audit_event is append-only');
    },
  );

  test('counts by action', async () => {
    const metrics = await (await fetch(`${t.url}/metrics`)).text();
    expect(metrics).toMatch(/avatar_audit_events\{action="api_key_created"\} [1-9]/);
    // The process's own stand beside them, once.
    expect(metrics.match(/^process_resident_memory_bytes\{process="web"\} [1-9]/gm)).toHaveLength(1);
    expect(metrics.match(/^nodejs_eventloop_lag_p99_seconds\{process="web"\} \d/gm)).toHaveLength(1);
  });

  test('ends with AUDIT_DAYS, by the retention cleanup alone', async () => {
    const old = await mine();
    const [{ first }] = (await t.app.db.rows('select min(created_at)::float8 as first from audit_event')) as any;
    const last = nowMs;
    nowMs = first + t.app.config.AUDIT_DAYS * DAY_MS;
    expect((await t.app.retentionCleanup.run()).auditEvents).toBe(0);
    nowMs = last + t.app.config.AUDIT_DAYS * DAY_MS + 1;
    const { idToken } = await signIn(t, { email: ada.email, password: 'correct horse' });
    // More than one statement removes.
    const more = 2_100;
    await t.app.db.rows(
      `insert into audit_event (id, action, created_at) select 'aud_000' || i, 'signed_in', 0 from generate_series(1, $1::int) i`,
      [more],
    );
    expect((await t.app.retentionCleanup.run()).auditEvents).toBeGreaterThanOrEqual(old.length + more);
    expect((await mine(idToken)).map(({ action }) => action)).toEqual(['signed_in']);
  });
});

test('a new operator password is on record', async () => {
  await t.app.db.rows(`update app_user set password_hash = null where email = '${OPERATOR.email}'`);
  await t.app.services.accounts.ensureOperators();
  const [row] = await t.app.db.rows(`select e.user_id = u.id as own from audit_event e
    join app_user u on u.email = '${OPERATOR.email}' where action = 'password_changed'`);
  expect(row).toEqual({ own: true });
});

test('every action has words on the account page', async () => {
  const { ACTION_WORDS } = await import('../../src/pages/account-security.ts');
  const ofAccounts = AUDIT_ACTIONS.filter((action) => action !== 'instance_keys_rotated');
  expect(Object.keys(ACTION_WORDS).sort()).toEqual([...ofAccounts].sort());
});
