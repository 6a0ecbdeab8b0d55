/** Two changes of one thing at the same moment: both hold, as if one had come after the other. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let ada: TestUser;
let server: Server;
let address: string;
const arrived: { body: string; headers: Record<string, string> }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    arrived.push({ body, headers: request.headers as Record<string, string> });
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  address = `http://${host}/hook`;
  t = await openTestApp({ work: true, env: { FETCH_ALLOW_HOSTS: host } });
  ada = await t.person();
});
afterAll(async () => {
  await t.close();
  server.closeAllConnections();
  server.close();
});

const ask = async (query: string, variables: object): Promise<any> => {
  const { body } = await t.graphql<any>(query, { ...variables }, ada.session);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
};

/** What these answer that come at one moment: each waits for the row, which is given free when all do. */
async function atOnce<T>(row: string, id: string, works: (() => Promise<T>)[]): Promise<T[]> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let all: Promise<T[]> | undefined;
  await t.app.db.transaction(async (tx) => {
    await tx.rows(row, [id]);
    all = Promise.all(works.map((work) => work()));
    await until(async () => (await t.app.db.rows(waiting)).length >= works.length);
  });
  return all!;
}

test('two new secrets of a webhook: the first is the one before the second, so both sign', async () => {
  const create =
    'mutation($url: URL!) { createWebhookEndpoint(input: { url: $url, events: ["turn.completed"] }) { endpoint { id } } }';
  const { id } = (await ask(create, { url: address })).createWebhookEndpoint.endpoint;
  const rotate = async () =>
    (await ask('mutation($id: ID!) { rotateWebhookSecret(input: { id: $id }) { secret } }', { id })).rotateWebhookSecret
      .secret as string;
  const secrets = await atOnce('select 1 from webhook_endpoint where id = $1 for update', id, [rotate, rotate]);
  await ask('mutation($id: ID!) { testWebhookEndpoint(input: { id: $id }) { delivery { id } } }', { id });
  await until(async () => arrived.length > 0);
  for (const secret of secrets) {
    expect(() => new Webhook(secret).verify(arrived[0]!.body, arrived[0]!.headers)).not.toThrow();
  }
});

test('a page that is opened twice has one address, and the cap that one of them names', async () => {
  const { avatarId } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova' } })).body;
  const set = async (more: object) => {
    const input = { avatarId, audience: 'everyone', ...more };
    const query = `mutation($input: SetTalkSettingsInput!) { setTalkSettings(input: $input) {
      settings { url creditsPerDay } } }`;
    return (await ask(query, { input })).setTalkSettings.settings;
  };
  const answers = await atOnce('select 1 from avatar where id = $1 for update', avatarId, [
    () => set({ creditsPerDay: 7 }),
    () => set({}),
  ]);
  const { talkSettings } = await ask('query($id: ID!) { talkSettings(avatarId: $id) { url creditsPerDay } }', {
    id: avatarId,
  });
  expect(answers.map(({ url }) => url)).toEqual([talkSettings.url, talkSettings.url]);
  expect(talkSettings.creditsPerDay).toBe(7);
});
