/**
 * Webhooks, as a receiver meets them: what is notified, to whom, signed how, and what becomes of an address that does not
 * answer. The receiver verifies with the library that its authors would use.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { WEBHOOK_EVENT_NAMES } from '../../src/kernel/webhook-events.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar, makeClient, tokenFor } from '../support/oauth.ts';
import { until, untilIs } from '../support/until.ts';

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  event: { type: string; timestamp: string; data: Record<string, any> };
}

const DAY_MS = 86_400_000;

let received: Received[] = [];
/** Statuses that each path answers next; then 200. */
const answers = new Map<string, number[]>();
/** What each path waits for before it answers. */
const held = new Map<string, Promise<void>>();
const receiver = createServer(async (request, response) => {
  const body = await textOf(request);
  const path = request.url ?? '';
  received.push({ path, headers: request.headers as Record<string, string>, body, event: JSON.parse(body) });
  await held.get(path);
  response.writeHead(answers.get(path)?.shift() ?? 200).end();
});
let base: string;
let aheadMs = 0;
let t: TestApp;
let ada: TestUser;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

async function ask<T = any>(query: string, variables: Record<string, unknown> = {}, as = ada.session): Promise<T> {
  const { body } = await t.graphql<T>(query, variables, as);
  if (body.errors) throw Object.assign(new Error(body.errors[0].message), body.errors[0].extensions);
  return body.data;
}

const CREATE = `mutation($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { secret endpoint { id events isEnabled } } }`;

async function endpoint(
  path: string,
  events: readonly string[],
  { as = ada, clientId }: { as?: TestUser; clientId?: string } = {},
): Promise<{ id: string; secret: string }> {
  const input = { url: base + path, events, clientId };
  const { createWebhookEndpoint: made } = await ask(CREATE, { input }, as.session);
  return { id: made.endpoint.id, secret: made.secret };
}

const at = (path: string): Received[] => received.filter((one) => one.path === path);
const arrived = (path: string, count: number): Promise<Received[]> =>
  untilIs(
    async () => at(path),
    (all) => all.length >= count,
  );
const logOf = async (id: string): Promise<any[]> =>
  (
    await ask(
      `query($id: ID!) { node(id: $id) { ... on WebhookEndpoint { deliveries {
        nodes { id eventType subjectId state attempts status error nextAttemptAt } } } } }`,
      { id },
    )
  ).node.deliveries.nodes;

/** An avatar that can speak. */
const voiced = async (): Promise<{ avatarId: string }> =>
  (await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'N', ttsVoiceId: 'noop' } })).body;

async function conversation(as: string, ownerUserId: string, avatarId: string): Promise<any> {
  return (await t.rest('POST', '/conversations', { as, body: { avatarOwnerUserId: ownerUserId, avatarId } })).body;
}
const say = async (conversationId: string, body: object, as = ada.apiKey): Promise<any> =>
  (await t.rest('POST', `/conversations/${conversationId}/turn`, { as, body })).body;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  t = await openTestApp({
    work: true,
    clock: { now: () => Date.now() + aheadMs },
    env: { FETCH_ALLOW_HOSTS: new URL(base).host },
  });
  ada = await t.person('Ada', 10);
});
afterAll(async () => {
  await t.close();
  receiver.close();
});
beforeEach(() => {
  received = [];
});

test('turns that have ended are notified once each, signed, with ids and no words', async () => {
  const { secret, id } = await endpoint('/turns', ['turn.completed', 'turn.failed']);
  const avatar = await voiced();
  const { conversationId, shareSlug } = await conversation(ada.apiKey, ada.userId, avatar.avatarId);
  const written = await say(conversationId, { userText: 'Well?', avatarText: 'A written secret.', output: 'text' });
  const spoken = await say(conversationId, { userText: 'Well?', avatarText: 'A spoken secret.', output: 'audio' });
  const notified = await arrived('/turns', 2);
  const data = { conversationId, shareSlug, avatarId: avatar.avatarId, errorMessage: null };
  expect(notified.map(({ event }) => [event.type, event.data])).toEqual(
    expect.arrayContaining([
      ['turn.completed', { ...data, turnId: written.turn.id, output: 'text', status: 'ready' }],
      ['turn.completed', { ...data, turnId: spoken.turn.id, output: 'audio', status: 'audio' }],
    ]),
  );
  for (const { headers, body } of notified) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'turn.completed' });
    expect(() => new Webhook(secret).verify(body.replace('turn', 'tern'), headers)).toThrow();
    expect(body).not.toContain('secret');
  }
  const log = await until(async () => {
    const lines = await logOf(id);
    return lines.every(({ state }) => state === 'delivered') && lines;
  });
  expect(log.map(({ id: line }) => line).sort()).toEqual(notified.map(({ headers }) => headers['webhook-id']).sort());
  expect(log).toHaveLength(2);
});

test('every other kind of work is notified of when it ends, and gifts to both sides', async () => {
  const bob = await t.person('Bob');
  const all = await endpoint('/all', WEBHOOK_EVENT_NAMES);
  await endpoint('/bob', ['gift.received'], { as: bob });
  const { avatarId } = await voiced();
  const speech = await t.rest('POST', `/avatars/${avatarId}/speak`, { as: ada.apiKey, body: { text: 'Hello.' } });
  await t.rest('POST', '/images/generate', { as: ada.apiKey, body: { prompt: 'A boat' } });
  const { body: video } = await t.rest('POST', '/videos/generate', {
    as: ada.apiKey,
    body: { prompt: 'A boat', duration: 1 },
  });
  await ask('mutation($id: ID!) { trainAvatar(avatarId: $id) { status } }', { id: avatarId });
  const gift = await t.rest('POST', '/donations/intents', { as: ada.apiKey, body: { to: bob.userId, amount: 0.5 } });
  await ask('mutation($id: ID!) { confirmGift(intentId: $id) { status } }', { id: gift.body.intentId });
  const notified = await untilIs(
    async () => Object.fromEntries(at('/all').map(({ event }) => [event.type, event.data])),
    (types) => Object.keys(types).length >= 5,
  );
  expect(Object.keys(notified).sort()).toEqual([
    'gift.confirmed',
    'image.completed',
    'speech.completed',
    'training.completed',
    'video.completed',
  ]);
  expect(notified['video.completed']).toMatchObject({ generationId: video.generationId, status: 'ready' });
  expect(notified['speech.completed']).toMatchObject({ generationId: speech.body.generationId, status: 'audio' });
  expect(notified['gift.confirmed']).toEqual({ intentId: gift.body.intentId, amount: 0.5 });
  const [received] = await arrived('/bob', 1);
  expect(received!.event).toMatchObject({ type: 'gift.received', data: { amount: 0.5 } });
  await ask('mutation($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }', { id: all.id });
});

test('an app is notified of what is made through it, and of nothing else', async () => {
  const client = await makeClient(t, ada, { scopes: ['profile', 'generate'] });
  await endpoint('/app', ['turn.completed'], { clientId: client.clientId });
  const bob = await t.person('Bob', 1);
  const avatarId = await makeAvatar(t, bob);
  const token = await tokenFor(t, bob, avatarId, client, 'profile generate');
  // What the owner of the app makes without it is none of the app's either.
  const hers = await conversation(ada.apiKey, ada.userId, await makeAvatar(t, ada));
  await say(hers.conversationId, { userText: 'Well?', avatarText: 'Not through the app.', output: 'text' });
  const own = await conversation(bob.apiKey, bob.userId, avatarId);
  await say(own.conversationId, { userText: 'Well?', avatarText: 'Not through the app.', output: 'text' }, bob.apiKey);
  const through = await conversation(token, bob.userId, avatarId);
  await say(through.conversationId, { userText: 'Well?', avatarText: 'Through the app.', output: 'text' }, token);
  const notified = await arrived('/app', 1);
  expect(notified.map(({ event }) => event.data.conversationId)).toEqual([through.conversationId]);
});

test('who fails is asked again later, under the same id, and given up after three days', async () => {
  const { id } = await endpoint('/failing', ['turn.completed']);
  answers.set('/failing', Array(40).fill(500));
  await ask('mutation($id: ID!) { testWebhookEndpoint(id: $id) { delivery { id state } } }', { id });
  await arrived('/failing', 1);
  // Each step passes the longest wait; the clock is the platform's.
  const [line] = await until(async () => {
    const lines = await logOf(id);
    if (lines[0].state === 'waiting') aheadMs += Math.max(0, lines[0].nextAttemptAt - (Date.now() + aheadMs)) + 1;
    return lines[0].state === 'failed' && lines;
  });
  expect(line).toMatchObject({
    eventType: 'webhook.test',
    status: 500,
    error: 'It answered 500.',
    nextAttemptAt: null,
  });
  expect(line.attempts).toBe(at('/failing').length);
  expect(line.attempts).toBeGreaterThan(10);
  expect(new Set(at('/failing').map(({ headers }) => headers['webhook-id']))).toEqual(new Set([line.id]));
  const times = at('/failing').map(({ headers }) => Number(headers['webhook-timestamp']) * 1_000);
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(2 * DAY_MS);
  expect(times.at(-1)! - times[0]!).toBeLessThanOrEqual(3 * DAY_MS);
  const shown = await ask('{ webhookEndpoints { nodes { id isEnabled disabledReason } } }');
  expect(shown.webhookEndpoints.nodes.find((one: any) => one.id === id)).toMatchObject({
    isEnabled: false,
    disabledReason: 'failing',
  });
  const resend = 'mutation($id: ID!) { resendWebhook(deliveryId: $id) { delivery { state } } }';
  await expect(ask(resend, { id: line.id })).rejects.toMatchObject({ code: 'CONFLICT' });
  await ask('mutation($id: ID!) { updateWebhookEndpoint(input: { id: $id, isEnabled: true }) { endpoint { id } } }', {
    id,
  });
  // One more failure is the first of three more days.
  answers.set('/failing', [500]);
  await ask(resend, { id: line.id });
  const [again] = await untilIs(
    () => logOf(id),
    ([first]) => first.attempts === 1,
  );
  expect(again).toMatchObject({ state: 'waiting', status: 500 });
  await ask(resend, { id: line.id });
  await untilIs(
    () => logOf(id),
    ([first]) => first.state === 'delivered',
  );
});

test('a secret that is replaced signs beside the new one for a while', async () => {
  const { id, secret } = await endpoint('/rotated', ['turn.completed']);
  const rotate = `mutation($id: ID!) { rotateWebhookSecret(input: { id: $id, keepOldFor: 60 }) { secret } }`;
  const { rotateWebhookSecret: rotated } = await ask(rotate, { id });
  const send = 'mutation($id: ID!) { testWebhookEndpoint(id: $id) { delivery { id } } }';
  const verifies = ({ body, headers }: Received, by: string): boolean => {
    // The library refuses times that are not now, and the platform's clock may be ahead.
    const now = Date.now;
    Date.now = () => Number(headers['webhook-timestamp']) * 1_000;
    try {
      new Webhook(by).verify(body, headers);
      return true;
    } catch {
      return false;
    } finally {
      Date.now = now;
    }
  };
  await ask(send, { id });
  const [both] = await arrived('/rotated', 1);
  expect([verifies(both!, secret), verifies(both!, rotated.secret)]).toEqual([true, true]);
  aheadMs += 61_000;
  await ask(send, { id });
  const [, after] = await arrived('/rotated', 2);
  expect([verifies(after!, secret), verifies(after!, rotated.secret)]).toEqual([false, true]);
});

test('who answers 410 is notified nothing more, and who deletes an endpoint neither', async () => {
  const gone = await endpoint('/gone', ['turn.completed']);
  const kept = await endpoint('/kept', ['turn.completed']);
  answers.set('/gone', [410]);
  await ask('mutation($id: ID!) { testWebhookEndpoint(id: $id) { delivery { id } } }', { id: gone.id });
  await untilIs(
    async () =>
      (await ask('query($id: ID!) { node(id: $id) { ... on WebhookEndpoint { disabledReason } } }', gone)).node,
    ({ disabledReason }) => disabledReason === 'gone',
  );
  const avatarId = await makeAvatar(t, ada);
  const { conversationId } = await conversation(ada.apiKey, ada.userId, avatarId);
  await say(conversationId, { userText: 'Well?', avatarText: 'Once.', output: 'text' });
  await arrived('/kept', 1);
  expect(at('/gone')).toHaveLength(1);
  await ask('mutation($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }', { id: kept.id });
  await expect(ask('query($id: ID!) { node(id: $id) { id } }', { id: kept.id })).resolves.toEqual({ node: null });
});

test('an endpoint is deleted while what was sent to it is noted: neither waits for the other', async () => {
  const { db } = t.app;
  const one = await endpoint('/answering', ['turn.completed']);
  let answer!: () => void;
  held.set('/answering', new Promise((resolve) => (answer = resolve)));
  await ask('mutation($id: ID!) { testWebhookEndpoint(id: $id) { delivery { id } } }', { id: one.id });
  await arrived('/answering', 1);
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await db.transaction(async (tx) => {
    await tx.rows('select 1 from webhook_endpoint where id = $1 for update', [one.id]);
    answer();
    await until(async () => (await db.rows(waiting)).length > 0);
    const log = 'select 1 from webhook_delivery where endpoint_id = $1 for update nowait';
    expect(await tx.rows(log, [one.id])).toHaveLength(1);
    await tx.rows('delete from webhook_endpoint where id = $1', [one.id]);
  });
  await expect(ask('query($id: ID!) { node(id: $id) { id } }', { id: one.id })).resolves.toEqual({ node: null });
});

test.each([
  [{ url: 'http://10.0.0.1:9000/hook' }, 'BAD_INPUT', /^url must be/],
  [{ url: 'http://10.0.0.1/hook' }, 'BAD_INPUT', /^url must be/],
  [{ url: 'https://169.254.169.254/hook' }, 'BAD_INPUT', /^url must be/],
  [{ url: 'https://[::1]/hook' }, 'BAD_INPUT', /^url must be/],
  [{ url: 'https://[::ffff:10.0.0.1]/hook' }, 'BAD_INPUT', /^url must be/],
  [{ url: 'ftp://example.com/hook' }, 'BAD_INPUT', /^url must be/],
  [{ url: 'no address' }, 'BAD_INPUT', /^url must be/],
  [{ events: [] }, 'BAD_INPUT', /^events must not be empty/],
  [{ events: ['turn.exploded'] }, 'BAD_INPUT', /^events must be one of turn\.completed/],
  [{ clientId: 'svcc_nobody' }, 'NOT_FOUND', /./],
])('%j is refused by name', async (wrong, code, message) => {
  const input = { url: `${base}/refused`, events: ['turn.completed'], ...wrong };
  await expect(ask(CREATE, { input })).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test('other accounts’ endpoints are not there, and an account has at most twenty', async () => {
  const { id } = await endpoint('/mine', ['turn.completed']);
  const bob = await t.person('Bob');
  const update =
    'mutation($id: ID!) { updateWebhookEndpoint(input: { id: $id, isEnabled: false }) { endpoint { id } } }';
  for (const query of [
    update,
    'mutation($id: ID!) { rotateWebhookSecret(input: { id: $id }) { secret } }',
    'mutation($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }',
    'mutation($id: ID!) { testWebhookEndpoint(id: $id) { delivery { id } } }',
  ]) {
    await expect(ask(query, { id }, bob.session)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  const made = await Promise.allSettled(
    Array.from({ length: 25 }, () => endpoint('/many', ['turn.completed'], { as: bob })),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(made.filter(({ status }) => status === 'rejected').map((one: any) => one.reason.code)).toEqual(
    Array(5).fill('QUOTA_EXCEEDED'),
  );
});
