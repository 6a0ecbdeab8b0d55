/** The examples of the developers' page, as developers copy them: each is run against this instance. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { Visitor } from '../support/page-client.ts';
import { until } from '../support/until.ts';
import { createConversation, say, type TestConversation } from './stage.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const SECRET = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;

let t: TestApp;
let ada: TestUser;
let room: TestConversation;
let folder: string;
let examples: Record<string, string>;
const running: ChildProcess[] = [];

beforeAll(async () => {
  [t, folder] = await Promise.all([openTestApp({ work: true }), mkdtemp(path.join(os.tmpdir(), 'examples-'))]);
  ada = await t.person('Ada', 10);
  room = await createConversation(t, ada, null);
  await say(t, ada, room, { output: 'text' });
  const visitor = await new Visitor(t.url).signIn(ada.email);
  const { text } = await visitor.get('/studio/developers');
  const shown = text.matchAll(/<pre [^>]*aria-labelledby="example-(\w+)">([^<]+)<\/pre>/g);
  examples = Object.fromEntries(
    [...shown].map(([, name, code]) => [name, plain(code ?? '').replaceAll('YOUR_KEY', ada.apiKey)]),
  );
});
afterAll(async () => {
  for (const program of running) program.kill();
  await t?.close();
  await rm(folder, { recursive: true, force: true });
});

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (html: string): string => html.replace(/&(#?\w+);/g, (_, name: string) => ENTITIES[name] ?? _);

/** What it has printed once that fits, or all of it when it ends. */
function output(program: string, args: string[], wanted: RegExp, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, NODE_OPTIONS: '', ...env } });
  running.push(child);
  return new Promise((resolve) => {
    let said = '';
    const hear = (bytes: Buffer): void => {
      said += bytes;
      if (wanted.test(said)) resolve(said);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', () => resolve(said));
  });
}

/** A module, as one runs it that has installed what it imports. */
const runModule = (code: string | undefined, wanted: RegExp, env?: NodeJS.ProcessEnv): Promise<string> =>
  output(
    process.execPath,
    [
      '--no-warnings',
      '--input-type=module',
      '--eval',
      (code ?? '').replace("'avatar-platform-client'", "'./clients/typescript/src/index.ts'"),
    ],
    wanted,
    env,
  );
const runShell = (code: string | undefined, wanted: RegExp): Promise<string> =>
  output('bash', ['-c', `exec ${code}`], wanted);

test('there is one for each way', () => {
  expect(Object.keys(examples)).toEqual(['rest', 'typescript', 'subscriptions', 'streams', 'webhooks', 'tools']);
  expect(Object.values(examples).filter((code) => /undefined|YOUR_/.test(code))).toEqual([]);
});

test('what is said by REST is answered, and the other programs hear of it', async () => {
  const heard = Promise.all([
    // Until the balance or a conversation has changed: the programs beside it see to that.
    runModule(examples.subscriptions, /kind: '\w+'/),
    runShell(examples.streams, /"userText":"Hello, who are you\?"/),
  ]);
  const [asked, reply, [events, stream]] = await Promise.all([
    runShell(examples.rest, /"turn"/),
    runModule(examples.typescript, /ready .+/),
    // What the account does goes on until it was heard: a subscription without a cursor begins when it has come through.
    untilHeard(heard),
  ]);
  expect(asked).toMatch(/"role":"avatar".*"status":"pending"/);
  expect(reply).toMatch(/ready \S+/);
  expect(events).toMatch(/kind: '\w+'/);
  expect(stream).toMatch(/event: next/);
});

async function untilHeard<T>(heard: Promise<T>): Promise<T> {
  let isHeard = false;
  void heard.then(() => {
    isHeard = true;
  });
  const rename =
    'mutation ($id: ID!, $title: String) { renameConversation(conversationId: $id, title: $title) { title } }';
  let renamed = 0;
  await until(async () => {
    renamed += 1;
    await t.graphql(rename, { id: room.conversationId, title: `Name ${renamed}` }, ada.apiKey);
    return isHeard;
  });
  return heard;
}

test('the receiver of webhooks takes what is signed, and nothing else', async () => {
  const socketPath = path.join(folder, 'webhooks');
  await runModule(examples.webhooks, /ready/, { PORT: socketPath, WEBHOOK_SECRET: SECRET });
  const body = JSON.stringify({
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: { endpointId: 'whe_1' },
  });
  const post = (secret: string): Promise<number | undefined> => {
    const at = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    };
    return new Promise((resolve, reject) => {
      const asked = request({ socketPath, method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.once('error', reject);
      asked.end(body);
    });
  };
  expect(await post(SECRET)).toBe(204);
  expect(await post(`whsec_${Buffer.from('another one').toString('base64')}`)).toBe(400);
});

test('the tools are where the command says, and answer how to sign in', async () => {
  const [, url = ''] = /^claude mcp add --transport http avatars (\S+)$/.exec(examples.tools ?? '') ?? [];
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toContain('resource_metadata');
});
