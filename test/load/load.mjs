/**
 * Users of a deployment, over its public API and nothing else: some talk and wait for the reply, some poll a conversation,
 * some watch one by WebSocket. It makes an avatar and conversations by an API key, and deletes them at the end.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** How often a poller asks, and how long a talker thinks. */
const POLL_MS = 1_000;
const THINK_MS = 2_000;
/** What did not come by then is an error. */
const PATIENCE_MS = 60_000;
/** Conversations have so many users each: one who talks, and those who poll and watch. */
const SAYINGS = ['Tell me something about bees.', 'What would you do on a rainy day?', 'I like the sea, and you?'];
const WATCH = `subscription($slug: String!, $after: String) { turnUpdated(slug: $slug, after: $after) {
  cursor isDraft turn { id role status avatarText audioUrl } } }`;
/** A subscription is not acknowledged: what is said before the server has begun it is shown all the same. */
const FROM_THE_START = '0';
/** When a turn of each output is there. */
const SHOWN = { text: ['ready'], audio: ['audio'], video: ['audio', 'video'] };

/** Latencies by kind, and errors by kind and cause. */
export class Figures {
  #times = new Map();
  #errors = new Map();

  time(kind, ms) {
    const times = this.#times.get(kind) ?? [];
    this.#times.set(kind, times);
    times.push(ms);
  }

  error(kind, cause) {
    const key = `${kind}: ${cause}`;
    this.#errors.set(key, (this.#errors.get(key) ?? 0) + 1);
  }

  /** { kind, count, p50, p95, p99, max } in milliseconds, and { cause, count }. */
  report() {
    const rows = [...this.#times].map(([kind, times]) => {
      const sorted = times.toSorted((a, b) => a - b);
      const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
      return { kind, count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) };
    });
    return { rows, errors: [...this.#errors].map(([cause, count]) => ({ cause, count })) };
  }
}

class Deployment {
  #url;
  #key;
  #figures;

  constructor(url, key, figures) {
    this.#url = url.replace(/\/+$/, '');
    this.#key = key;
    this.#figures = figures;
  }

  /** One request; its time counts under `kind`. Throws where it is not answered with 2xx or 304. */
  async ask(kind, method, path, { body, headers = {} } = {}) {
    const startedAtMs = performance.now();
    const answer = await fetch(this.#url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    if (!answer.ok && answer.status !== 304) {
      throw Object.assign(new Error(`${answer.status} ${text.slice(0, 200)}`), { cause: `status ${answer.status}` });
    }
    if (kind) this.#figures.time(kind, performance.now() - startedAtMs);
    return { etag: answer.headers.get('etag'), body: text ? JSON.parse(text) : undefined };
  }

  /** Watches a conversation; resolves once the server has acknowledged, with what stops it. */
  watch(slug, onUpdate, onEnd) {
    const startedAtMs = performance.now();
    const socket = new WebSocket(`${this.#url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
    const send = (message) => socket.send(JSON.stringify(message));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('timeout')), PATIENCE_MS);
      let stops = false;
      socket.on('error', (error) => reject(error));
      socket.on('close', (code) => {
        clearTimeout(timer);
        reject(new Error(`closed ${code}`));
        if (!stops) onEnd(`closed ${code}`);
      });
      socket.on('open', () => send({ type: 'connection_init', payload: { authorization: `Bearer ${this.#key}` } }));
      socket.on('message', (data) => {
        const { type, payload } = JSON.parse(String(data));
        if (type === 'ping') send({ type: 'pong' });
        if (type === 'next') onUpdate(payload.data?.turnUpdated);
        if (type === 'error') onEnd('refused');
        if (type !== 'connection_ack') return;
        clearTimeout(timer);
        this.#figures.time('connect', performance.now() - startedAtMs);
        send({ id: '1', type: 'subscribe', payload: { query: WATCH, variables: { slug, after: FROM_THE_START } } });
        resolve(() => {
          stops = true;
          socket.close(1000);
        });
      });
    });
  }
}

/** How users are shared out over conversations: one who talks in each, the others poll or watch. */
export function shareOut(users, { poll, watch, talk }) {
  const talkers = Math.max(1, Math.round((users * talk) / (poll + watch + talk)));
  const others = users - talkers;
  const pollers = poll + watch === 0 ? 0 : Math.round((others * poll) / (poll + watch));
  return Array.from({ length: talkers }, (_, index) => ({
    pollers: spread(pollers, talkers, index),
    watchers: spread(others - pollers, talkers, index),
  }));
}

const spread = (count, over, index) => Math.floor((count * (index + 1)) / over) - Math.floor((count * index) / over);

/**
 * Runs users for so many seconds.
 * @param options { url, key, users, seconds, output: text|audio|video, mix: { poll, watch, talk }, say }
 */
export async function load({ url, key, users, seconds, output, mix, say = () => {} }) {
  const figures = new Figures();
  const to = new Deployment(url, key, figures);
  const { userId } = (await to.ask(undefined, 'GET', '/me')).body ?? {};
  const ending = new AbortController();
  const made = [];
  const avatar = { displayName: 'Load test', ...(await voiceFor(to, output)) };
  const { avatarId } = (await to.ask(undefined, 'POST', '/avatars', { body: avatar })).body.avatar;
  try {
    const groups = shareOut(users, mix);
    for (const group of groups) {
      const body = { avatarOwnerUserId: userId, avatarId };
      const { conversationId, shareSlug } = (await to.ask('create', 'POST', '/conversations', { body })).body;
      made.push({ ...group, conversationId, slug: shareSlug });
    }
    say(`${users} users in ${made.length} conversations, ${seconds} s, output ${output}.`);
    const timer = setTimeout(() => ending.abort(), seconds * 1_000);
    await Promise.all(made.map((group) => runGroup(to, figures, group, output, ending.signal)));
    clearTimeout(timer);
  } finally {
    for (const { conversationId } of made)
      await to.ask(undefined, 'DELETE', `/conversations/${conversationId}`).catch(() => {});
    await to.ask(undefined, 'DELETE', `/avatars/${avatarId}`).catch(() => {});
  }
  return figures.report();
}

/** The first voice that there is, where anything is to be spoken. */
async function voiceFor(to, output) {
  if (output === 'text') return {};
  const { voices } = (await to.ask(undefined, 'GET', '/voices')).body;
  return { ttsVoiceId: voices[0].voiceId ?? voices[0].id };
}

/** One who talks, with those who poll and watch the same conversation, until it ends. */
async function runGroup(to, figures, { slug, pollers, watchers }, output, signal) {
  /** Turns of replies that are awaited: { saidAtMs, onUpdate }. */
  const awaited = new Set();
  const seenAt = new Map();
  const onUpdate = (update) => {
    if (!update?.turn) return;
    for (const each of awaited) each(update);
    if (update.isDraft) return;
    // How much later than the first of them each other viewer of this conversation is handed a change.
    const firstAtMs = seenAt.get(update.cursor);
    if (firstAtMs === undefined) seenAt.set(update.cursor, performance.now());
    else figures.time('spread', performance.now() - firstAtMs);
  };
  const note = (kind) => (error) => figures.error(kind, error.cause ?? error.name ?? String(error));
  const onEnd = (cause) => figures.error('watch', cause);
  const stops = [];
  // The talker watches too: it is how a reply is seen.
  for (let count = 0; count < watchers + 1; count += 1)
    await to.watch(slug, onUpdate, onEnd).then((stop) => stops.push(stop), note('connect'));
  await Promise.all([
    talk(to, figures, slug, output, awaited, signal).catch(note('talk')),
    ...Array.from({ length: pollers }, () => poll(to, figures, slug, signal)),
  ]);
  for (const stop of stops) stop();
}

async function poll(to, figures, slug, signal) {
  let etag;
  // Not all at once.
  await pause(Math.random() * POLL_MS, signal);
  while (!signal.aborted) {
    try {
      const headers = etag ? { 'if-none-match': etag } : {};
      ({ etag } = await to.ask('poll', 'GET', `/conversations/by-slug/${slug}`, { headers }));
    } catch (error) {
      figures.error('poll', error.cause ?? error.name);
    }
    await pause(POLL_MS, signal);
  }
}

async function talk(to, figures, slug, output, awaited, signal) {
  for (let turn = 0; !signal.aborted; turn += 1) {
    try {
      await say(to, figures, slug, { userText: SAYINGS[turn % SAYINGS.length], output }, awaited);
    } catch (error) {
      figures.error('talk', error.cause ?? error.name);
    }
    await pause(THINK_MS, signal);
  }
}

/** Says something and waits until the first part of the reply is there. */
async function say(to, figures, slug, input, awaited) {
  const saidAtMs = performance.now();
  const shown = Promise.withResolvers();
  const updates = [];
  let turnId;
  let hasWords = false;
  const look = ({ turn, atMs }) => {
    if (turn.id !== turnId) return;
    if (turn.avatarText && !hasWords) {
      hasWords = true;
      figures.time('words', atMs - saidAtMs);
    }
    if (SHOWN[input.output].includes(turn.status)) shown.resolve(atMs);
    if (turn.status === 'error') shown.reject(Object.assign(new Error('error'), { cause: 'turn failed' }));
  };
  const listen = (update) => {
    const seen = { turn: update.turn, atMs: performance.now() };
    // What comes before the answer of the request is looked at behind it.
    if (turnId) look(seen);
    else updates.push(seen);
  };
  const timer = setTimeout(() => {
    shown.reject(Object.assign(new Error('timeout'), { cause: `nothing shown in ${PATIENCE_MS / 1_000} s` }));
  }, PATIENCE_MS);
  awaited.add(listen);
  try {
    const { body } = await to.ask('accept', 'POST', `/conversations/${slug}/turn`, { body: input });
    turnId = body.turn.id ?? body.turn.turnId;
    for (const seen of updates) look(seen);
    figures.time('shown', (await shown.promise) - saidAtMs);
  } finally {
    clearTimeout(timer);
    awaited.delete(listen);
    shown.promise.catch(() => {});
  }
}

const pause = (ms, signal) => wait(ms, undefined, { signal }).catch(() => {});
