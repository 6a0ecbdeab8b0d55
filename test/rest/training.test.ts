/** Training and conversations that use memory, with the embedded responder itself. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createResponder } from '../../src/engines/embedded/chat/responder.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until, untilIs } from '../support/until.ts';

const PAGE = (fact: string) => `<!doctype html><html><head><title>The Aldermoor lighthouse</title></head><body>
  <nav><a href="/">Home</a></nav><main><h1>The Aldermoor lighthouse</h1><p>${fact} It stands on the northern cliff above
  the harbour, and its lamp can be seen from twenty miles away on a clear night.</p></main></body></html>`;
const BUILT = 'The Aldermoor lighthouse was built in 1847 by Henrietta Quill.';
const TRAINING = `query($avatarId: ID!) { training(avatarId: $avatarId) {
  status done total passages error failures { url reason } requestedAt finishedAt } }`;

let t: TestApp;
let ada: TestUser;
let site: Server;
let root: string;
/** What the site answers, by path; a promise is waited for, a function called. */
const pages = new Map<string, string | Promise<string> | (() => Promise<string>)>();

beforeAll(async () => {
  site = createServer(async (request, response) => {
    const known = pages.get(request.url!);
    const page = await (typeof known === 'function' ? known() : known);
    if (page === undefined) return void response.writeHead(404).end('no');
    response.writeHead(200, { 'content-type': page.startsWith('%PDF') ? 'application/pdf' : 'text/html' }).end(page);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(site.address() as { port: number }).port}`;
  root = `http://${host}`;
  t = await openTestApp({
    work: true,
    env: { FETCH_ALLOW_HOSTS: host },
    engines: { ...createNoopEngines(), chat: createResponder(), chatIsEmbedded: true, close: async () => {} },
  });
  ada = await t.person('Ada', 100);
});
afterAll(async () => {
  await t.close();
  site.closeAllConnections();
  site.close();
});
beforeEach(() => {
  pages.clear();
  pages.set('/lighthouse', PAGE(BUILT));
});

async function newAvatar(urls: string[], more: object = {}): Promise<string> {
  const body = {
    displayName: 'Nova',
    personalityPrompt: 'You are Nova, a friendly guide of few words.',
    knowledgeBaseUrls: urls.map((url) => (url.startsWith('/') ? root + url : url)),
    ...more,
  };
  const answer = await t.rest('POST', '/avatars', { as: ada.apiKey, body });
  expect(answer.status).toBe(200);
  return answer.body.avatarId;
}
const train = (avatarId: string, as = ada.apiKey) => t.rest('POST', `/avatars/${avatarId}/train`, { as });
const training = async (avatarId: string) => (await t.graphql(TRAINING, { avatarId }, ada.session)).body.data.training;
const gemRef = async (avatarId: string) => {
  const { body } = await t.rest('GET', '/avatars', { as: ada.apiKey });
  return body.avatars.find((avatar: any) => avatar.avatarId === avatarId).gemRef;
};

const ended = (avatarId: string) =>
  untilIs(
    () => training(avatarId),
    (seen) => !['queued', 'running'].includes(seen.status),
  );

async function converse(
  avatarId: string,
  as: TestUser = ada,
): Promise<(userText: string, body?: object) => Promise<string>> {
  const { body } = await t.rest('POST', '/conversations', {
    as: as.apiKey,
    body: { avatarOwnerUserId: ada.userId, avatarId },
  });
  return async (userText, more = {}) => {
    const { status } = await t.rest('POST', `/conversations/${body.conversationId}/turn`, {
      as: as.apiKey,
      body: { userText, output: 'text', ...more },
    });
    expect(status).toBe(202);
    const { turns } = await t.settled(body.shareSlug, as.apiKey);
    const last = turns.map(({ role }: any) => role).lastIndexOf('user');
    return turns
      .slice(last + 1)
      .map(({ avatarText }: any) => avatarText)
      .join(' ');
  };
}

describe('POST /avatars/{avatarId}/train', () => {
  test('a reply states what only the page holds after training, and not before', async () => {
    const avatarId = await newAvatar(['/lighthouse']);
    expect(await training(avatarId)).toBeNull();
    const question = 'When was the Aldermoor lighthouse built?';
    expect(await (await converse(avatarId))(question)).not.toContain('1847');

    const { status, body } = await train(avatarId);
    expect([status, body]).toEqual([200, { ok: true, status: 'queued', gemRef: null }]);
    expect(await ended(avatarId)).toEqual({
      status: 'trained',
      done: 1,
      total: 1,
      passages: expect.any(Number),
      error: null,
      failures: [],
      requestedAt: expect.any(Number),
      finishedAt: expect.any(Number),
    });
    expect(await gemRef(avatarId)).toMatch(/^gem_/);
    expect(await (await converse(avatarId))(question)).toContain('1847');
  });

  test('what is learned is known to a question that points back, and to one in other words', async () => {
    pages.set(
      '/kettle',
      `<!doctype html><html><body><main><h1>Kettle</h1><h2>Cleaning</h2><p>Descale the kettle every four weeks. Fill it with
      water and add citric acid.</p><h2>Returns</h2><p>Refunds arrive within five working days.</p></main></body></html>`,
    );
    const avatarId = await newAvatar(['/kettle']);
    await train(avatarId);
    expect(await ended(avatarId)).toMatchObject({ status: 'trained' });
    const say = await converse(avatarId);
    expect(await say('How often should I descale it?')).toContain('every four weeks');
    expect(await say('How do I do that?')).toContain('citric acid');
    expect(await say('And when will I get my money back?')).toContain('five working days');
  });

  test('what was learned is recalled by the owner, not by others', async () => {
    const avatarId = await newAvatar(['/lighthouse'], { publiclyRenderable: true });
    await train(avatarId);
    await ended(avatarId);
    const bob = await t.person('Bob');
    const ask = (as: string) =>
      t.rest('POST', `/avatars/${avatarId}/brain/recall`, { as, body: { query: 'lighthouse built' } });
    const mine = (await ask(ada.apiKey)).body.memories;
    expect(mine[0]).toMatchObject({ namespace: 'knowledge', content: expect.stringContaining('1847') });
    expect((await ask(bob.apiKey)).body.memories).toEqual([]);
    const listed = await t.graphql(
      'query($a: ID!) { memories(avatarId: $a) { nodes { namespace source content } } }',
      { a: avatarId },
      ada.session,
    );
    const all = listed.body.data.memories.nodes;
    expect(all.map(({ source }: any) => source)).toContain(`${root}/lighthouse`);
    expect(all.some(({ content }: any) => content.includes('friendly guide'))).toBe(true);
  });

  test('progress is seen while it runs, and the old knowledge answers until it is replaced', async () => {
    const avatarId = await newAvatar(['/lighthouse', '/slow']);
    pages.set('/slow', '<main><p>The ferry costs four crowns on weekdays and five on Sundays.</p></main>');
    await train(avatarId);
    await ended(avatarId);
    const before = await gemRef(avatarId);
    const talk = await converse(avatarId);
    expect(await talk('How much does the ferry cost?')).toContain('four crowns');

    const held = Promise.withResolvers<string>();
    pages.set('/lighthouse', PAGE('The Aldermoor lighthouse was rebuilt in 1902 by Henrietta Quill.'));
    pages.set('/slow', held.promise);
    expect((await train(avatarId)).body).toEqual({ ok: true, status: 'queued', gemRef: before });
    const midway = await untilIs(
      () => training(avatarId),
      ({ done }) => done === 1,
    );
    expect(midway).toMatchObject({ status: 'running', done: 1, total: 2 });
    expect(await (await converse(avatarId))('When was the Aldermoor lighthouse built?')).toContain('1847');
    expect(await gemRef(avatarId)).toBe(before);

    held.resolve('<main><p>The ferry costs nine crowns on every day of the week.</p></main>');
    await ended(avatarId);
    expect(await gemRef(avatarId)).not.toBe(before);
    const retrained = await converse(avatarId);
    expect(await retrained('When was the Aldermoor lighthouse rebuilt?')).toContain('1902');
    expect(await retrained('How much does the ferry cost?')).toContain('nine crowns');
    const { body } = await t.rest('POST', `/avatars/${avatarId}/brain/recall`, {
      as: ada.apiKey,
      body: { query: 'ferry crowns lighthouse', limit: 100 },
    });
    expect(JSON.stringify(body)).not.toMatch(/four crowns|1847/);
  });

  test('other pages are learned by training again, and the ones before are forgotten', async () => {
    pages.set('/ferry', '<main><p>The ferry costs four crowns on weekdays and five on Sundays.</p></main>');
    const avatarId = await newAvatar(['/lighthouse']);
    await train(avatarId);
    await ended(avatarId);
    const { body } = await t.graphql(
      'mutation($id: ID!, $urls: [String!]) { updateAvatar(avatarId: $id, input: { knowledgeBaseUrls: $urls }) { knowledgeBaseUrls } }',
      { id: avatarId, urls: [`${root}/ferry`] },
      ada.session,
    );
    expect(body.data.updateAvatar.knowledgeBaseUrls).toEqual([`${root}/ferry`]);
    const talk = await converse(avatarId);
    expect(await talk('When was the Aldermoor lighthouse built?')).toContain('1847');
    await train(avatarId);
    expect(await ended(avatarId)).toMatchObject({ status: 'trained', total: 1 });
    const retrained = await converse(avatarId);
    expect(await retrained('How much does the ferry cost?')).toContain('four crowns');
    expect(await retrained('When was the Aldermoor lighthouse built?')).not.toContain('1847');
  });

  test('its owner sees what was learned of which page, searches it, and makes it forget one for good', async () => {
    pages.set('/ferry', '<main><p>The ferry costs four crowns on weekdays and five on Sundays.</p></main>');
    const avatarId = await newAvatar(['/lighthouse', '/ferry']);
    await train(avatarId);
    await ended(avatarId);
    const ask = async (operation: string, more: object = {}, as = ada) =>
      (await t.graphql<any>(operation, { id: avatarId, ...more }, as.session)).body;
    const SOURCES = 'query($id: ID!) { knowledgeSources(avatarId: $id) { source passages learnedAt } }';
    const PASSAGES = `query($id: ID!, $source: String, $search: String, $first: Int, $after: String) {
      knowledge(avatarId: $id, source: $source, search: $search, first: $first, after: $after) {
        nodes { content source } pageInfo { endCursor hasNextPage } } }`;
    const FORGET = `mutation($id: ID!, $source: String!) { forgetKnowledge(avatarId: $id, source: $source) { source passages } }`;
    const { knowledgeSources } = (await ask(SOURCES)).data;
    expect(knowledgeSources.map(({ source }: any) => source)).toEqual([null, `${root}/lighthouse`, `${root}/ferry`]);
    expect(knowledgeSources.every(({ passages, learnedAt }: any) => passages > 0 && learnedAt > 0)).toBe(true);
    const contents = async (more: object): Promise<string> =>
      JSON.stringify((await ask(PASSAGES, more)).data.knowledge.nodes.map(({ content }: any) => content));
    expect(await contents({ source: `${root}/ferry` })).toMatch(/four crowns/);
    expect(await contents({ source: `${root}/ferry` })).not.toMatch(/1847/);
    expect(await contents({ search: 'HENRIETTA' })).toMatch(/1847/);
    expect(await contents({ search: 'nowhere in it' })).toBe('[]');
    // Page by page, every passage once.
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { nodes, pageInfo }: any = (await ask(PASSAGES, { first: 1, after })).data.knowledge;
      seen.push(...nodes.map(({ source }: any) => source));
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(new Set(seen)).toEqual(new Set([`${root}/lighthouse`, `${root}/ferry`]));

    const ferry = { source: `${root}/ferry` };
    const nonOwner = await t.person('Bob');
    for (const operation of [SOURCES, PASSAGES, FORGET]) {
      expect((await ask(operation, ferry, nonOwner)).errors![0].extensions.code).toBe('NOT_FOUND');
    }
    const forgotten = (await ask(FORGET, ferry)).data.forgetKnowledge;
    expect(forgotten).toEqual({ ...ferry, passages: seen.filter((source) => source === ferry.source).length });
    expect((await ask(FORGET, ferry)).errors![0].extensions.code).toBe('NOT_FOUND');
    const talk = await converse(avatarId);
    expect(await talk('How much does the ferry cost?')).not.toContain('four crowns');
    expect(await talk('When was the Aldermoor lighthouse built?')).toContain('1847');
    // It is not read again.
    await train(avatarId);
    expect(await ended(avatarId)).toMatchObject({ status: 'trained', total: 1 });
    expect(await contents({})).not.toMatch(/four crowns/);
    const { n, count } = (
      await t.app.db.rows(
        'select b.n, (select count(*)::int from brain_entry e where e.scope_id = b.scope_id) from brain b where avatar_id = $1',
        [avatarId],
      )
    )[0] as { n: number; count: number };
    expect(n).toBe(count);
  });

  test('a page that is forgotten while it is read is not learned', async () => {
    let answer = (_: string): void => {};
    pages.set('/slow', new Promise<string>((resolve) => (answer = resolve)));
    const avatarId = await newAvatar(['/lighthouse', '/slow']);
    await train(avatarId);
    await untilIs(
      () => training(avatarId),
      ({ done }) => done === 1,
    );
    const { body } = await t.graphql<any>(
      'mutation($id: ID!, $source: String!) { forgetKnowledge(avatarId: $id, source: $source) { passages } }',
      { id: avatarId, source: `${root}/slow` },
      ada.session,
    );
    expect(body.data.forgetKnowledge).toEqual({ passages: 0 });
    answer('<main><p>The slow page says that the ferry sank in 1911.</p></main>');
    expect(await ended(avatarId)).toMatchObject({ status: 'trained' });
    const found = await t.app.db.rows(
      'select distinct e.source from brain_entry e join brain b on b.scope_id = e.scope_id where b.avatar_id = $1 and e.source is not null',
      [avatarId],
    );
    expect(found).toEqual([{ source: `${root}/lighthouse` }]);
  });

  test('a page that fails is named, the rest is kept', async () => {
    pages.set('/paper', '%PDF-1.4');
    pages.set('/empty', '<html><body><script>1</script></body></html>');
    const inside = 'http://127.0.0.1:1/private';
    const avatarId = await newAvatar(['/gone', '/lighthouse', '/paper', '/empty', inside]);
    await train(avatarId);
    const seen = await ended(avatarId);
    expect(seen).toMatchObject({ status: 'trained', done: 5, total: 5 });
    expect(seen.failures).toEqual([
      { url: `${root}/gone`, reason: 'Could not be fetched.' },
      { url: `${root}/paper`, reason: 'Could not be fetched.' },
      { url: `${root}/empty`, reason: 'The page holds no readable text.' },
      { url: inside, reason: 'Could not be fetched.' },
    ]);
    expect(await (await converse(avatarId))('When was the Aldermoor lighthouse built?')).toContain('1847');
  });

  test('when every page fails it failed, and what was learned before is kept', async () => {
    const avatarId = await newAvatar(['/lighthouse']);
    await train(avatarId);
    await ended(avatarId);
    const before = await gemRef(avatarId);
    pages.clear();
    await train(avatarId);
    expect(await ended(avatarId)).toMatchObject({
      status: 'failed',
      passages: 0,
      error: expect.stringContaining('kept'),
    });
    expect(await gemRef(avatarId)).toBe(before);
    expect(await (await converse(avatarId))('When was the Aldermoor lighthouse built?')).toContain('1847');
  });

  test('asked for many times at once it is one training', async () => {
    const avatarId = await newAvatar(['/lighthouse']);
    const held = Promise.withResolvers<string>();
    pages.set('/lighthouse', held.promise);
    const answers = await Promise.all(Array.from({ length: 8 }, () => train(avatarId)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    held.resolve(PAGE(BUILT));
    await untilIs(
      () => t.app.db.rows('select status from training where avatar_id = $1', [avatarId]),
      (rows) => rows.every(({ status }) => status === 'trained' || status === 'superseded'),
    );
    const rows = await t.app.db.rows('select 1 from training where avatar_id = $1', [avatarId]);
    expect(rows.length).toBeLessThanOrEqual(3);
  });

  test('one asked for while another begins waits for that one, which may have read the older list, and is a second', async () => {
    const avatarId = await newAvatar(['/lighthouse']);
    await t.app.db.rows(
      `insert into training (id, avatar_id, status, total, requested_at) values ('trg_begins', $1, 'queued', 1, 1)`,
      [avatarId],
    );
    const client = await t.app.db.pool.connect();
    try {
      await client.query('begin');
      await client.query(`select 1 from training where id = 'trg_begins' for update`);
      const asked = train(avatarId);
      await until(async () => {
        const blocked = await t.app.db.rows(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database() and query like '%training%'`);
        return blocked.length > 0;
      });
      await client.query(`update training set status = 'running' where id = 'trg_begins'`);
      await client.query('commit');
      expect((await asked).status).toBe(200);
    } finally {
      client.release();
    }
    expect(await ended(avatarId)).toMatchObject({ status: 'trained' });
  });

  test('one that a dead worker left half done is done again', async () => {
    const avatarId = await newAvatar(['/lighthouse']);
    await t.app.db.rows(
      `insert into training (id, avatar_id, status, done, total, requested_at) values ('trg_half', $1, 'running', 1, 1, 1)`,
      [avatarId],
    );
    const { signal } = new AbortController();
    await t.app.services.training.run({ id: 'trg_half', isLastAttempt: false, signal });
    expect(await training(avatarId)).toMatchObject({ status: 'trained', done: 1, total: 1 });
    const before = await gemRef(avatarId);
    await t.app.services.training.run({ id: 'trg_half', isLastAttempt: false, signal });
    expect(await gemRef(avatarId)).toBe(before);
  });

  test('an older one that ends late does not replace a newer one', async () => {
    const avatarId = await newAvatar(['/lighthouse']);
    const [old, met] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    pages.set('/lighthouse', () => {
      met.resolve();
      return old.promise;
    });
    await train(avatarId);
    await met.promise;
    pages.set('/lighthouse', PAGE('The Aldermoor lighthouse was rebuilt in 1902 by Henrietta Quill.'));
    await train(avatarId);
    expect(await ended(avatarId)).toMatchObject({ status: 'trained' });
    old.resolve(PAGE(BUILT));
    const states = await untilIs(
      () => t.app.db.rows('select status from training where avatar_id = $1 order by id', [avatarId]),
      (rows) => rows.every(({ status }) => status !== 'running'),
    );
    expect(states.map(({ status }) => status)).toEqual(['superseded', 'trained']);
    expect(await (await converse(avatarId))('When was the Aldermoor lighthouse rebuilt?')).toContain('1902');
  });

  test('without pages it learns the persona alone', async () => {
    const avatarId = await newAvatar([]);
    await train(avatarId);
    expect(await ended(avatarId)).toMatchObject({ status: 'trained', done: 0, total: 0, passages: 1 });
  });

  test('is the owner’s alone', async () => {
    const avatarId = await newAvatar([], { publiclyRenderable: true });
    const bob = await t.person('Bob');
    expect((await train(avatarId, bob.apiKey)).status).toBe(404);
    expect((await train('avt_none')).status).toBe(404);
    const { body } = await t.graphql(TRAINING, { avatarId }, bob.session);
    expect(body.errors![0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('what a speaker states', () => {
  let avatarId: string;
  beforeAll(async () => {
    avatarId = await newAvatar([], { publiclyRenderable: true });
  });

  test('is known in their next conversation, and to no other speaker', async () => {
    const [bob, eve] = [await t.person('Bob'), await t.person('Eve')];
    await (await converse(avatarId, bob))('Hello! My name is Balthazar and my dog is called Pickle.');
    const next = await converse(avatarId, bob);
    expect(await next('What is my name?')).toContain('Balthazar');
    expect(await next('What is my dog called?')).toContain('Pickle');
    for (const nonOwner of [eve, ada]) {
      const other = await converse(avatarId, nonOwner);
      expect(await other('What is my name?')).not.toContain('Balthazar');
      expect(await other('What do you know about me?')).not.toMatch(/Balthazar|Pickle/);
    }
    expect(await (await converse(avatarId, bob))('What do you know about me?')).toMatch(/Balthazar|Pickle/);
  });

  test('a later statement corrects an earlier one; the same one is kept once', async () => {
    const zed = await t.person('Zed');
    const talk = await converse(avatarId, zed);
    for (const line of ['My name is Zebulon.', 'As I said, my name is Zebulon.', 'Call me Zack.']) await talk(line);
    expect(await (await converse(avatarId, zed))('What is my name?')).toContain('Zack');
    const kept = await t.app.db.rows<{ content: string }>('select content from brain_entry where speaker_ref = $1', [
      `${zed.userId}:`,
    ]);
    expect(kept.map(({ content }) => content)).toEqual(["The speaker's name is Zack."]);
  });

  test('is kept once when a reply is written again', async () => {
    const ida = await t.person('Ida');
    await (await converse(avatarId, ida))('I live in Reykjavik.');
    const [row] = await t.app.db.rows<{ id: string }>(
      `select i.id from injection i join conversation c on c.id = i.conversation_id where c.owner_user_id = $1`,
      [ida.userId],
    );
    const slice = [`${ida.userId}:`];
    const kept = () => t.app.db.rows('select 1 from brain_entry where speaker_ref = $1', slice);
    const forget = () => t.app.db.rows('delete from brain_entry where speaker_ref = $1', slice);
    // As a worker leaves it that died before it remembered; its job is then done twice at once.
    await forget();
    await t.app.db.rows('update injection set remembered = false where id = $1', [row!.id]);
    await Promise.all([t.app.memory.remember(row!.id), t.app.memory.remember(row!.id)]);
    expect(await kept()).toHaveLength(1);
    await forget();
    await t.app.memory.remember(row!.id);
    expect(await kept()).toEqual([]);
  });

  test('is remembered too where the avatar says a given line', async () => {
    const max = await t.person('Max');
    await (await converse(avatarId, max))('My favourite colour is teal.', { avatarText: 'Good to know.' });
    await untilIs(
      () => t.app.db.rows('select 1 from brain_entry where speaker_ref = $1', [`${max.userId}:`]),
      (rows) => rows.length === 1,
    );
    expect(await (await converse(avatarId, max))('What is my favourite colour?')).toContain('teal');
  });

  test('as another avatar it is that avatar’s, not the caller’s own', async () => {
    const ned = await t.person('Ned', 10);
    const mask = await t.rest('POST', '/avatars', { as: ned.apiKey, body: { displayName: 'Mask' } });
    const speakerAvatarId = mask.body.avatarId;
    const talk = await converse(avatarId, ned);
    await talk('My name is Maskerade.', { speakerAvatarId, userOutput: 'text' });
    expect(await (await converse(avatarId, ned))('What is my name?')).not.toContain('Maskerade');
    const asked = { speakerAvatarId, userOutput: 'text' };
    expect(await (await converse(avatarId, ned))('What is my name?', asked)).toContain('Maskerade');
  });

  test('what they saved through the API and what is public is used, private memories are not', async () => {
    const avatar = await newAvatar([], { publiclyRenderable: true });
    const pat = await t.person('Pat');
    const save = (as: TestUser, body: object) =>
      t.rest('POST', `/avatars/${avatar}/brain/pages`, { as: as.apiKey, body });
    await save(ada, { content: 'The garden party starts at half past four.' });
    await save(ada, { content: 'The garden party cake is a secret sponge.', namespace: 'private' });
    await save(pat, { content: 'The speaker lives in Valparaiso.' });
    const talk = await converse(avatar, pat);
    expect(await talk('When does the garden party start?')).toContain('half past four');
    expect(await talk('What about the garden party cake?')).not.toContain('sponge');
    expect(await talk('Where do I live?')).toContain('Valparaiso');
  });
});

test('the training service that fails is a 502, and nothing is queued', async () => {
  const avatarId = await newAvatar([]);
  await t.app.db.rows('alter table pgboss.job rename to job_away');
  try {
    const { status, body } = await train(avatarId);
    expect([status, body.code]).toEqual([502, 'UPSTREAM_FAILED']);
    expect(JSON.stringify(body)).not.toMatch(/pgboss|job_away|relation/);
  } finally {
    await t.app.db.rows('alter table pgboss.job_away rename to job');
  }
  expect(await training(avatarId)).toBeNull();
});
