/**
 * A whole instance for a suite: own database, own media folder, a web server on a free port and, when asked, a worker.
 * Tests speak to it as callers do: REST with fetch, GraphQL over HTTP. Engines are the ones that do nothing unless
 * `engines: 'real'`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { type App, openApp } from '../../src/app/app.ts';
import { type RunningWorker, startWorker } from '../../src/app/worker.ts';
import type { RunningEngines } from '../../src/engines/create.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../src/http/connection-limits.ts';
import { type RunningServer, startServer } from '../../src/http/server.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { sharedDecoders } from './decoders.ts';
import { freePort } from './machine.ts';
import { drawnSmall } from './small-images.ts';
import { untilIs } from './until.ts';

export { freePort } from './machine.ts';

export const OPERATOR = { email: 'operator@example.com', password: 'operator-password' };

/** Real ones cost 30 ms of computing each, and each app and each person of a test has one. */
const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1, outputLen: 32 };

export interface TestOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** Default: no worker; jobs wait. */
  work?: boolean;
  /** Real ones draw portraits and talking heads small, a quarter of the computing, unless `env` says otherwise. */
  engines?: 'real' | 'noop' | RunningEngines;
  /** Deadlines and bounds of connections, instead of the usual ones. */
  connectionLimits?: Partial<ConnectionLimits>;
  /** Instead of a database of its own. */
  database?: TestDatabase;
  /** What stands between the platform and its database, which then is DATABASE_DIRECT_URL. */
  pooler?: (databaseUrl: string) => Promise<{ url: string; close(): Promise<void> }>;
  /** Where log lines go, those of decoders of its own too; default: only fatal ones, to the console. */
  log?: Logger;
  /** What hashing a password takes; `default` is what it takes in production, else hardly anything. */
  passwordCost?: 'default';
}

export interface Answer<T = any> {
  status: number;
  body: T;
  headers: Headers;
}

/** Someone with an account: a session token and an API key. */
export interface TestUser {
  userId: string;
  email: string;
  session: string;
  apiKey: string;
}

export interface TestApp {
  app: App;
  url: string;
  databaseUrl: string;
  server: RunningServer;
  /** One REST request; `as` is a raw bearer token. */
  rest<T = any>(method: string, path: string, options?: RestOptions): Promise<Answer<T>>;
  /** One GraphQL operation; throws nothing, `body` is the GraphQL answer. */
  graphql<T = any>(
    query: string,
    variables?: Record<string, unknown>,
    as?: string,
  ): Promise<Answer<{ data: T; errors?: any[] }>>;
  person(name?: string, credits?: number): Promise<TestUser>;
  operator(): Promise<string>;
  /** Resolves with the conversation once every turn has ended; rejects after two minutes. */
  settled(slug: string, as: string): Promise<any>;
  close(): Promise<void>;
}

export interface RestOptions {
  as?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The status of an address that is read to its end: an answer whose body is not read keeps its connection. */
export async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
}

export async function openTestApp(options: TestOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase());
  const pooler = await options.pooler?.(database.url);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'avatar-media-'));
  const config = readConfig({
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    RATE_LIMITS: 'off',
    OPERATOR_EMAILS: OPERATOR.email,
    OPERATOR_PASSWORD: OPERATOR.password,
    DATABASE_POOL: '8',
    ...(options.engines === 'real' ? { ENGINES: 'real', TALKING_HEAD_SIZE: '256' } : { ENGINES: 'noop' }),
    ...(pooler ? { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url } : {}),
    ...options.env,
  });
  const app = await openApp({
    config,
    databaseUrl: pooler?.url ?? database.url,
    work: options.work ?? false,
    ...(options.passwordCost === 'default' ? {} : { passwordCost: CHEAP }),
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.log ? { log: options.log } : { decoders: sharedDecoders() }),
    ...(typeof options.engines === 'object' ? { engines: options.engines } : {}),
  });
  if (options.engines === 'real') app.engines.portrait = drawnSmall(app.engines.portrait);
  const worker: RunningWorker | undefined = options.work ? await startWorker(app) : undefined;
  const server = await startServer(app, {
    connectionLimits: { ...CONNECTION_LIMITS, lingerMs: 0, answerMs: 1_000, ...options.connectionLimits },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const test: TestApp = {
    app,
    url,
    databaseUrl: database.url,
    server,
    rest: (method, where, request) => rest(url, method, where, request),
    graphql: (query, variables, as) =>
      rest(url, 'POST', '/graphql', { body: { query, variables }, ...(as ? { as } : {}) }),
    person: (name, credits) => signUp(test, name, credits),
    operator: async () => (await signIn(test, OPERATOR)).idToken,
    settled: (slug, as) => settled(test, slug, as),
    async close() {
      await server.close();
      await worker?.stop();
      await app.close();
      await pooler?.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      // A test file is never forgotten, nor is what its variables hold; an instance that is has no part in that.
      for (const key of Object.keys(test)) Reflect.deleteProperty(test, key);
    },
  };
  return test;
}

async function rest<T>(url: string, method: string, where: string, options: RestOptions = {}): Promise<Answer<T>> {
  const response = await fetch(url + where, {
    method,
    redirect: 'manual',
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.as ? { authorization: `Bearer ${options.as}` } : {}),
      ...options.headers,
    },
    ...(options.body === undefined
      ? {}
      : { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: (isJson && text ? JSON.parse(text) : text) as T, headers: response.headers };
}

export async function signIn(
  test: TestApp,
  who: { email: string; password: string },
): Promise<{ idToken: string; userId: string }> {
  const { body } = await test.graphql<any>(
    'mutation($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { idToken user { userId } } }',
    who,
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return { idToken: body.data.signIn.idToken, userId: body.data.signIn.user.userId };
}

let users = 0;

async function signUp(test: TestApp, name = 'Ada', credits = 0): Promise<TestUser> {
  users += 1;
  const email = `${name.toLowerCase().replace(/\W/g, '')}-${users}-${process.pid}@example.com`;
  const { body } = await test.graphql<any>(
    `mutation($email: String!, $name: String) { signUp(input: { email: $email, password: "correct horse", displayName: $name }) {
      idToken user { userId } } }`,
    { email, name },
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  const session = body.data.signUp.idToken as string;
  const userId = body.data.signUp.user.userId as string;
  const key = await test.rest('POST', '/api-keys', { as: session, body: { name: 'test' } });
  if (credits > 0) await grant(test, userId, credits);
  return { userId, email, session, apiKey: key.body.token };
}

/** Operators that grant credits: to sign in for each person would cost a password's hash. */
const granting = new WeakMap<TestApp, string>();

async function grant(test: TestApp, userId: string, amount: number): Promise<void> {
  const ask = async (as: string) => {
    const query =
      'mutation($userId: ID!, $amount: Credits!) { grantCredits(input: { userId: $userId, amount: $amount }) { available } }';
    return (await test.graphql(query, { userId, amount }, as)).body.errors;
  };
  const known = granting.get(test);
  if (known && !(await ask(known))) return;
  // No session yet, or one that the test has ended.
  const fresh = await test.operator();
  granting.set(test, fresh);
  const errors = await ask(fresh);
  if (errors) throw new Error(JSON.stringify(errors));
}

const DONE = { video: ['video', 'error'], audio: ['audio', 'error'], text: ['ready', 'error'] };

async function settled(test: TestApp, slug: string, as: string): Promise<any> {
  const read = async () => {
    // Asked first: turns that were read before the last reply was done may lack its last chunk. And it computes a fifth.
    const [waiting] = await test.app.db.rows<{ is: boolean }>(
      `select exists (select 1 from injection i where i.conversation_id = c.id and i.state <> 'done')
        or exists (select 1 from conversation_turn t where t.conversation_id = c.id and t.status = 'pending') as is
       from conversation c where c.share_slug = $1`,
      [slug],
    );
    if (waiting?.is) return undefined;
    const { status, body } = await test.rest('GET', `/conversations/by-slug/${slug}`, { as });
    if (status !== 200) throw new Error(`Reading ${slug} answered ${status}: ${JSON.stringify(body)}`);
    const pending = body.turns.filter(
      (turn: any) => !DONE[(turn.output ?? 'text') as keyof typeof DONE].includes(turn.status),
    );
    return { pending, body };
  };
  return (await untilIs(read, (found) => found?.pending.length === 0))?.body;
}
