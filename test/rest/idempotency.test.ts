/**
 * Idempotency-Key where the outcome is unknown: the database's answer to the commit is lost, or the web process is killed
 * behind it. The same key again answers what was done, and charges nothing a second time.
 */
import { spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openApp } from '../../src/app/app.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { startServer } from '../../src/http/server.ts';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type BrokenConnection, openBrokenConnection } from '../support/broken-connection.ts';
import { openDatabaseLine } from '../support/database-proxy.ts';
import { until, untilIs } from '../support/until.ts';
import { openWorker } from '../support/workers.ts';

/** The statement that writes what a request did to its key. */
const KEEPS = 'update "idempotency_key" set "body"';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;
let slug: string;
let line: BrokenConnection | undefined;
const closing: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  t = await openTestApp();
  [ada, bob] = [await t.person('Ada', 50), await t.person('Bob', 50)];
  const avatar = { displayName: 'Nova', ttsVoiceId: 'noop', publiclyRenderable: true };
  avatarId = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: avatar })).body.avatarId;
  const conversation = { avatarOwnerUserId: ada.userId, avatarId };
  slug = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: conversation })).body.shareSlug;
  await t.graphql('mutation { updateTribe(joinCost: 2) { joinCost } }', {}, bob.session);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  line?.close();
  line = undefined;
});
afterAll(() => t.close());

interface Write {
  path: string;
  body?: object;
  as: string;
}

const post = (url: string, { path, body, as }: Write, key: string) =>
  fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      'idempotency-key': key,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

const moved = async () => {
  const [row] = await t.app.db.rows<any>(
    `select (select count(*)::int from ledger_hold) as holds, (select count(*)::int from ledger_transfer) as transfers,
       (select count(*)::int from injection) as injections`,
  );
  return row;
};

async function giftTo(userId: string): Promise<string> {
  const body = { to: userId, amount: 1 };
  return (await t.rest('POST', '/donations/intents', { as: ada.apiKey, body })).body.intentId;
}

/** Every charging write; made when its test begins. */
const WRITES: Record<string, () => Promise<Write> | Write> = {
  turn: () => ({ path: `/conversations/${slug}/turn`, body: { userText: 'Hi', output: 'audio' }, as: ada.apiKey }),
  speech: () => ({ path: `/avatars/${avatarId}/speak`, body: { text: 'Good day' }, as: ada.apiKey }),
  video: () => ({ path: '/videos/generate', body: { prompt: 'The sea', duration: 1 }, as: ada.apiKey }),
  image: () => ({ path: '/images/generate', body: { prompt: 'A boat' }, as: ada.apiKey }),
  tribe: () => ({ path: `/tribes/${bob.userId}/join`, as: ada.apiKey }),
  gift: async () => ({ path: `/donations/intents/${await giftTo(bob.userId)}/confirm`, as: ada.session }),
};

/** A web process in this one whose line to the database breaks behind the commit that keeps a result. */
async function webOnBrokenConnection(): Promise<string> {
  line = await openBrokenConnection(t.databaseUrl, KEEPS);
  const port = await freePort();
  const app = await openApp({ config: { ...t.app.config, PORT: port }, databaseUrl: line.url, work: false });
  const server = await startServer(app);
  closing.push(
    () => app.close(),
    () => server.close(),
  );
  return `http://127.0.0.1:${port}`;
}

describe('the database’s answer to the commit is lost', () => {
  test.each(Object.keys(WRITES))('%s: the same key answers what was done', async (name) => {
    const write = await WRITES[name]!();
    const url = await webOnBrokenConnection();
    // What an image did is written by the worker that makes it.
    if (name === 'image') closing.push((await openWorker({ ...t, databaseUrl: line!.url }, createNoopEngines())).stop);
    const before = await moved();
    const first = await post(url, write, `lost ${name}`);
    expect(line!.lost).toBe(1);
    // An image that is found to be charged is answered at once.
    if (!first.ok) expect(first.status).toBe(503);
    const after = await moved();
    expect(after).not.toEqual(before);
    const answers = [await post(t.url, write, `lost ${name}`), await post(t.url, write, `lost ${name}`)];
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(answers.map(({ ok, headers }) => [ok, headers.get('idempotency-replayed')])).toEqual([
      [true, 'true'],
      [true, 'true'],
    ]);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(await moved()).toEqual(after);
  });
});

/** A web process of its own on this database. */
async function webProcess(databaseUrl: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const web = spawn(process.execPath, ['--no-warnings', 'dist/src/main.js'], {
    env: {
      ...process.env,
      ROLE: 'web',
      DATABASE_URL: databaseUrl,
      DATA_DIR: t.app.config.DATA_DIR,
      PORT: String(port),
      LOG_LEVEL: 'fatal',
      ENGINES: 'noop',
    },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => web.once('exit', resolve));
  closing.push(() => {
    web.kill('SIGKILL');
    return ended;
  });
  await until(() =>
    fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { url, web, ended };
}

test('a web process that is killed between the commit and its answer: the same key answers the turn it made', async () => {
  line = await openBrokenConnection(t.databaseUrl, KEEPS, () => void web.kill('SIGKILL'));
  const { url, web, ended } = await webProcess(line.url);
  const write = await WRITES.turn!();
  const before = await moved();
  await expect(post(url, write, 'killed')).rejects.toThrow();
  await ended;
  const again = await post(t.url, write, 'killed');
  const { turn } = (await again.json()) as any;
  expect([again.status, turn.status]).toEqual([202, 'pending']);
  const [made] = await t.app.db.rows<any>(
    'select id from conversation_turn where chunk = 1 order by created_at desc limit 1',
  );
  expect(turn.id).toBe(made.id);
  expect(await moved()).toEqual({ ...before, holds: before.holds + 1, injections: before.injections + 1 });
});

test('a web process that is killed before it commits: its key is blocked while it lives, and free at once behind it', async () => {
  const { url, web, ended } = await webProcess(t.databaseUrl);
  const write = await WRITES.turn!();
  const before = await moved();
  const blocking = await t.app.db.pool.connect();
  closing.push(() => blocking.release());
  await blocking.query('begin');
  await blocking.query('lock table injection in access exclusive mode');
  const cut = expect(post(url, write, 'blocked')).rejects.toThrow();
  const isTaken = async () => (await t.app.db.rows(`select 1 from idempotency_key where key = 'blocked'`)).length > 0;
  await until(isTaken);
  const meanwhile = await post(t.url, write, 'blocked');
  expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([409, '1']);
  web.kill('SIGKILL');
  await Promise.all([ended, cut]);
  await blocking.query('rollback');
  // PostgreSQL lets go of the lock when it finds that the line is closed.
  const again = await untilIs(
    () => post(t.url, write, 'blocked'),
    ({ status }) => status !== 409,
  );
  expect(again.status).toBe(202);
  expect(await moved()).toEqual({ ...before, holds: before.holds + 1, injections: before.injections + 1 });
});

test('a request that failed while the database was away leaves its key free once that answers again', async () => {
  const cable = await openDatabaseLine(t.databaseUrl);
  closing.push(() => cable.close());
  const port = await freePort();
  const app = await openApp({ config: { ...t.app.config, PORT: port }, databaseUrl: cable.url, work: false });
  const server = await startServer(app);
  closing.push(
    () => app.close(),
    () => server.close(),
  );
  const write = await WRITES.turn!();
  const before = await moved();
  const blocking = await t.app.db.pool.connect();
  closing.push(() => blocking.release());
  await blocking.query('begin');
  await blocking.query('lock table injection in access exclusive mode');
  const failed = post(`http://127.0.0.1:${port}`, write, 'away');
  await until(async () => (await t.app.db.rows(`select 1 from idempotency_key where key = 'away'`)).length > 0);
  cable.cut();
  expect((await failed).status).toBe(503);
  await blocking.query('rollback');
  cable.mend();
  // The process that lost it lives: only it knows that nothing is in flight any more.
  const again = await untilIs(
    () => post(t.url, write, 'away'),
    ({ status }) => status !== 409,
  );
  expect(again.status).toBe(202);
  expect(await moved()).toEqual({ ...before, holds: before.holds + 1, injections: before.injections + 1 });
});

describe('a key that was given up for dead', () => {
  test('a process that comes back late commits nothing', async () => {
    const { idempotency } = t.app;
    const dead = await idempotency.begin('somebody', 'late', { requestHash: 'hash', sortedHash: null });
    await t.app.db.rows(`update idempotency_key set created_at = created_at - 600000 where key = 'late'`);
    const taken = await idempotency.begin('somebody', 'late', { requestHash: 'hash', sortedHash: null });
    expect('request' in taken && taken.result === undefined).toBe(true);
    const { keepResult } = await import('../../src/services/accounts/idempotency.service.ts');
    const late = t.app.db.transaction(async (tx) => {
      tx.send(
        'insert into injection (id, conversation_id, state, request, created_at) select $1, id, $2, $3, 0 from conversation',
        ['inj_late', 'done', {}],
      );
      if ('request' in dead) keepResult(tx, { keyed: dead.request }, { made: 'late' });
    });
    await expect(late).rejects.toMatchObject({ code: 'IN_FLIGHT' });
    expect(await t.app.db.rows(`select 1 from injection where id = 'inj_late'`)).toEqual([]);
  });

  test('a request that was refused is forgotten, and may be sent again', async () => {
    const write = { path: `/conversations/${slug}/turn`, body: { userText: '' }, as: ada.apiKey };
    const answers = [await post(t.url, write, 'refused'), await post(t.url, write, 'refused')];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  });
});
