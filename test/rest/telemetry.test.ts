/**
 * What operators see of a turn: one trace from the caller over web, jobs and worker to the live viewer, sent to a collector;
 * the name of the request in each log line; and metrics of each part.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createLog } from '../../src/kernel/log.ts';
import { Watcher } from '../graphql/live-viewers.ts';
// @ts-expect-error plain JavaScript, which runs without a build
import { load, shareOut } from '../load/load.mjs';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { isInstalled } from '../support/machine.ts';
import { type CollectedSpan, type OtlpServer, startOtlpServer } from '../support/otlp-server.ts';
import { until, untilIs } from '../support/until.ts';

const [TRACE, CALLER] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const UNSAMPLED = '5cf92f3577b34da6a3ce929d0e0e4736';

const hasPromtool = isInstalled('promtool');

let collector: OtlpServer;
let logged = '';
let t: TestApp;
let owner: TestUser;
let slug: string;
let say: (headers: Record<string, string>) => Promise<string>;

beforeAll(async () => {
  collector = await startOtlpServer();
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  t = await openTestApp({
    work: true,
    log: createLog('info', sink),
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
      OTEL_SERVICE_NAME: 'avatars-test',
      // No trace begins here: what is collected is what a caller asked for.
      OTEL_TRACES_SAMPLER_ARG: '0',
    },
  });
  owner = await t.person('Ada', 100);
  const as = owner.apiKey;
  const { avatarId } = (await t.rest('POST', '/avatars', { as, body: { displayName: 'Nova', ttsVoiceId: 'noop' } }))
    .body.avatar;
  const body = { avatarOwnerUserId: owner.userId, avatarId };
  slug = (await t.rest('POST', '/conversations', { as, body })).body.shareSlug;
  say = async (headers) => {
    const turn = { userText: 'Tell me of bees.', output: 'audio' };
    const { status, headers: answered } = await t.rest('POST', `/conversations/${slug}/turn`, {
      as,
      body: turn,
      headers,
    });
    expect(status).toBe(202);
    return answered.get('x-request-id')!;
  };
});
afterAll(async () => {
  await t?.close();
  await collector?.close();
});

const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
const linesOf = (requestId: string): any[] =>
  logged
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((line) => line.requestId === requestId);

test('a turn is one trace: the caller’s, the request, its jobs, their parts, and what viewers are pushed', async () => {
  const watcher = new Watcher(t.url, slug, { as: owner.apiKey });
  await until(async () => t.server.live.stats.sockets > 0 && t.app.services.live.feeds.stats.viewers > 0);
  const requestId = await say({ 'x-request-id': 'deploy/42', traceparent: `00-${TRACE}-${CALLER}-01` });
  expect(requestId).toBe('deploy/42');
  await watcher.until(({ updates }) => updates.some(({ turn }) => turn.status === 'audio'));
  await t.settled(slug, owner.apiKey);
  const NAMES = [
    'POST /conversations/:conversationId/turn',
    'job reply',
    'job render',
    'live push',
    'accept',
    'speech',
    'store',
    'settle',
  ];
  const names = () => NAMES.filter((name) => !spansOf(TRACE).some((span) => span.name === name));
  await untilIs(
    async () => names(),
    (missing) => missing.length === 0,
  );
  const spans = spansOf(TRACE);
  await watcher.stop();

  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const ancestors = (span: CollectedSpan): string[] => {
    const parent = byId.get(span.parentSpanId ?? '');
    return parent ? [parent.name, ...ancestors(parent)] : [String(span.parentSpanId)];
  };
  const of = (name: string) => spans.find((span) => span.name === name)!;
  const request = of('POST /conversations/:conversationId/turn');
  expect([request.kind, request.parentSpanId, request.attributes['http.response.status_code']]).toEqual([
    2,
    CALLER,
    202,
  ]);
  // Each goes back to the caller, by what caused it.
  for (const span of spans) expect(ancestors(span).at(-1)).toBe(CALLER);
  expect(ancestors(of('job reply'))).toContain(request.name);
  expect(ancestors(of('job render'))).toContain('job reply');
  expect(ancestors(of('speech'))).toContain('job render');
  const pushes = spans.filter(({ name }) => name === 'live push');
  expect(pushes.some((push) => ancestors(push).includes('job render'))).toBe(true);
  expect(request.resource).toMatchObject({ 'service.name': 'avatars-test', 'service.namespace': 'avatar-platform' });
  expect(collector.headers).toMatchObject({ 'x-tenant': 'a b' });
  expect(spans.every(({ status }) => status !== 2)).toBe(true);
});

test('the log lines of web and worker name the request and its trace', () => {
  const lines = linesOf('deploy/42');
  const said = lines.map(({ msg }) => msg);
  expect(said).toEqual(expect.arrayContaining(['turn accepted', 'request', 'turn rendered']));
  for (const line of lines) expect(line.traceId).toBe(TRACE);
  // Once in a line.
  for (const line of logged.split('\n')) expect(line.split('"requestId"').length).toBeLessThanOrEqual(2);
});

test('replies that wait for earlier ones are written in the name of their own request', async () => {
  const ids = await Promise.all(['first', 'second', 'third'].map((name) => say({ 'x-request-id': name })));
  await t.settled(slug, owner.apiKey);
  for (const id of ids) await until(async () => linesOf(id).some(({ msg }) => msg === 'turn rendered'));
});

test('what a caller does not want traced is not', async () => {
  await say({ 'x-request-id': 'quiet', traceparent: `00-${UNSAMPLED}-${CALLER}-00` });
  await say({ traceparent: `00-${TRACE.replace('4', '6')}-${CALLER}-01` });
  await t.settled(slug, owner.apiKey);
  // The later one is here, so the earlier one would be.
  await until(async () => spansOf(TRACE.replace('4', '6')).length > 0);
  expect(spansOf(UNSAMPLED)).toEqual([]);
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(2);
  expect(linesOf('quiet').every(({ traceId }) => traceId === UNSAMPLED)).toBe(true);
});

test('metrics of each part of a turn, of jobs, credits, connections and the store', async () => {
  const text = await (await fetch(`${t.url}/metrics`)).text();
  const value = (pattern: string) => Number(new RegExp(`^${pattern} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  for (const phase of ['accept', 'words', 'speech', 'settle', 'shown', 'done'])
    expect(value(`avatar_turn_seconds_count\\{process="web",phase="${phase}",output="audio"\\}`)).toBeGreaterThan(0);
  for (const queue of ['reply', 'render']) {
    expect(value(`avatar_job_wait_seconds_count\\{process="web",queue="${queue}"\\}`)).toBeGreaterThan(0);
    expect(value(`avatar_job_seconds_count\\{process="web",queue="${queue}",outcome="done"\\}`)).toBeGreaterThan(0);
    expect(value(`avatar_jobs_oldest_seconds\\{queue="${queue}"\\}`)).toBeGreaterThanOrEqual(0);
  }
  expect(value('avatar_media_store_seconds_count\\{process="web",operation="write",outcome="done"\\}')).toBeGreaterThan(
    0,
  );
  expect(value('avatar_pool_connections\\{process="web",state="most"\\}')).toBe(8);
  expect(value('avatar_live_push_seconds_count\\{process="web"\\}')).toBeGreaterThan(0);
});

test('the dashboard and the alert rules name metrics that there are, and labels that those have', async () => {
  const text = await (await fetch(`${t.url}/metrics`)).text();
  const shown = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
  const dashboard = JSON.parse(await readFile('deploy/grafana/avatar-platform.json', 'utf8'));
  const rules = parse(await readFile('deploy/prometheus/alerts.yaml', 'utf8')).groups.flatMap(
    ({ rules }: any) => rules,
  );
  const queries: string[] = [
    ...dashboard.panels.flatMap(({ targets = [] }: any) => targets.map(({ expr }: any) => expr)),
    ...rules.map(({ expr }: any) => expr),
  ];
  expect(queries.length).toBeGreaterThan(50);
  const named = queries.flatMap((query) =>
    [...query.matchAll(/\b(?:avatar|process|nodejs)_\w+/g)].map(([name]) => name),
  );
  const missing = named.filter((name) => {
    const [, base] = /^(.*)_(?:bucket|count|sum)$/.exec(name) ?? [];
    return !shown.has(name) && shown.get(base ?? '') !== 'histogram';
  });
  expect(missing).toEqual([]);
  // Prometheus' own opinion of both, where this machine has it.
  if (hasPromtool) {
    execFileSync('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml'], { stdio: 'pipe' });
    const ours = text.match(/^(?:# \w+ )?avatar_.*\n/gm)!.join('');
    execFileSync('promtool', ['check', 'metrics'], { input: ours, stdio: 'pipe' });
  }
  // What is not in the documents, an operator who is woken cannot look up.
  const manual = await readFile('docs/operations.md', 'utf8');
  const undocumented = [...shown.keys()].filter((name) => name.startsWith('avatar_') && !manual.includes(name));
  expect(undocumented).toEqual([]);
  for (const { annotations, labels } of rules) {
    expect(annotations).toMatchObject({ summary: expect.any(String), action: expect.any(String) });
    expect(['page', 'ticket']).toContain(labels.severity);
  }
});

test('users of a deployment: who talks, polls and watches is measured, and nothing of them is left', async () => {
  expect(shareOut(10, { poll: 4, watch: 5, talk: 1 })).toEqual([{ pollers: 4, watchers: 5 }]);
  expect(shareOut(7, { poll: 1, watch: 1, talk: 1 })).toEqual([
    { pollers: 1, watchers: 1 },
    { pollers: 2, watchers: 1 },
  ]);
  const before = (await t.rest('GET', '/conversations', { as: owner.apiKey })).body.conversations.length;
  const { rows, errors } = await load({
    url: t.url,
    key: owner.apiKey,
    users: 6,
    seconds: 2,
    output: 'audio',
    mix: { poll: 2, watch: 2, talk: 2 },
  });
  expect(errors).toEqual([]);
  const counts = new Map(rows.map(({ kind, count }: any) => [kind, count]));
  for (const kind of ['create', 'connect', 'accept', 'words', 'shown', 'poll', 'spread'])
    expect(counts.get(kind)).toBeGreaterThan(0);
  for (const { p50, p95, p99, max } of rows)
    expect([p50, p95, p99]).toEqual([p50, p95, p99].map((ms) => Math.min(ms, max)));
  const after = (await t.rest('GET', '/conversations', { as: owner.apiKey })).body.conversations.length;
  expect(after).toBe(before);
});
