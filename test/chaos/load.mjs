/**
 * Mixed load by a few users on two web processes. Every write has an Idempotency-Key and words of its own, and is sent again, to
 * either process, until it is answered for good: then it was acknowledged, or refused.
 */

import { randomUUID } from 'node:crypto';
import http from 'node:http';

const USERS = 6;
const REQUEST_MS = 20_000;
const AGAIN_MS = 300;
/** A request that is not answered for good by then has found an error of ours. */
const GIVE_UP_MS = 600_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Load {
  /** Turns and speeches that were acknowledged: id -> the words. */
  turns = new Map();
  speeches = new Map();
  users = [];
  /** Answers by status; 0: none. */
  statuses = new Map();
  refused = [];
  requests = 0;
  dropped = 0;
  #urls;
  #random;
  #dropping = false;
  #isOver = false;
  #count = 0;

  constructor(urls, random) {
    this.#urls = urls;
    this.#random = random;
  }

  hurt() {
    this.#dropping = true;
  }

  mend() {
    this.#dropping = false;
  }

  async open(users = USERS) {
    for (let n = 0; n < users; n += 1) this.users.push(await this.#person(n));
  }

  /** Runs until `end` is called; `gapMs` between a person's requests. */
  async run(gapMs) {
    await Promise.all(
      this.users.map(async (person) => {
        while (!this.#isOver) {
          await this.#act(person);
          await pause(gapMs * (0.5 + this.#random()));
        }
      }),
    );
  }

  end() {
    this.#isOver = true;
  }

  async #act(person) {
    const drawn = this.#random();
    const slug = person.slugs[Math.floor(this.#random() * person.slugs.length)];
    this.#count += 1;
    const words = `Line number ${this.#count} of ${person.email}.`;
    if (drawn < 0.35) {
      const body =
        drawn < 0.15
          ? { userText: words, output: 'text' }
          : { userText: words, mode: 'speak', output: drawn < 0.3 ? 'audio' : 'video' };
      const answer = await this.write(`/conversations/${slug}/turn`, person.key, body);
      if (answer.status === 202) this.turns.set(answer.body.turn.id, { words, slug, person });
    } else if (drawn < 0.5) {
      const answer = await this.write(`/avatars/${person.avatarId}/speak`, person.key, {
        text: words,
        output: 'audio',
      });
      if (answer.status === 202) this.speeches.set(answer.body.generationId, { words, person });
    } else if (drawn < 0.9) await this.#once('GET', `/conversations/by-slug/${slug}`, person.key);
    else await this.#once('GET', '/avatars', person.key);
  }

  /** Sends until it is answered for good, to either process, or to one until that is gone. */
  async write(path, key, body, which, isGone = () => false) {
    const headers = { 'idempotency-key': randomUUID() };
    const endMs = Date.now() + GIVE_UP_MS;
    for (;;) {
      const answer = await this.#once('POST', path, key, body, headers, which);
      // 408: it came too late, from a machine as slow as this one may be. 409: the same request is under way at the other process.
      const isOpen = answer.status >= 500 || [0, 408, 409, 429].includes(answer.status);
      if (!isOpen || isGone() || Date.now() > endMs) {
        if (answer.status >= 300 || answer.status === 0)
          this.refused.push({ path, status: answer.status, body: answer.body });
        return answer;
      }
      await pause(AGAIN_MS);
    }
  }

  /** Reads until it is answered well. */
  async read(path, key) {
    const endMs = Date.now() + GIVE_UP_MS;
    for (;;) {
      const answer = await this.#once('GET', path, key);
      if (answer.status === 200 || Date.now() > endMs) return answer.body;
      await pause(AGAIN_MS);
    }
  }

  /** One request at one of the two; status 0 where no answer came, or it was dropped on its way. */
  #once(method, path, key, body, headers = {}, which = this.#random() < 0.5 ? 0 : 1) {
    this.requests += 1;
    const url = this.#urls[which];
    const isDropped = this.#dropping && this.#random() < 0.5;
    const dropAfterMs = this.#random() * 30;
    return new Promise((resolve) => {
      const done = (status, text = '') => {
        this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
        resolve({ status, body: text.startsWith('{') ? JSON.parse(text) : text });
      };
      const sent = http.request(
        url + path,
        {
          method,
          timeout: REQUEST_MS,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        },
        async (response) => {
          let text = '';
          try {
            for await (const chunk of response) text += chunk;
            done(response.statusCode, text);
          } catch {
            done(0);
          }
        },
      );
      sent.on('error', () => done(0));
      sent.on('timeout', () => sent.destroy());
      sent.end(body && JSON.stringify(body));
      if (!isDropped) return;
      this.dropped += 1;
      setTimeout(() => sent.destroy(), dropAfterMs);
    });
  }

  async #graphql(query, variables, key = '') {
    const answer = await fetch(`${this.#urls[0]}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await answer.json();
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }

  async #person(n) {
    const email = `person-${n}@example.com`;
    // In the form of 1.2, which later versions read too: the version before answers this while both serve one database.
    const { signUp } = await this.#graphql(
      'mutation($email: String!) { signUp(email: $email, password: "correct horse") { idToken user { userId } } }',
      { email },
    );
    const { idToken, user } = signUp;
    const made = await this.write('/api-keys', idToken, { name: 'load' });
    const key = made.body.token;
    if (!key) throw new Error(`No key: ${JSON.stringify(made)}`);
    const { avatarId } = (await this.write('/avatars', key, { displayName: 'Nova', ttsVoiceId: 'noop' })).body.avatar;
    const slugs = [];
    for (let m = 0; m < 3; m += 1) {
      const talk = await this.write('/conversations', key, { avatarOwnerUserId: user.userId, avatarId });
      slugs.push(talk.body.shareSlug);
    }
    return { email, userId: user.userId, key, avatarId, slugs };
  }
}
