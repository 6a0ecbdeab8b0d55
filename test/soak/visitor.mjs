/**
 * Someone who uses the platform through its public API: an account with an API key, an avatar and a conversation. Every
 * action draws what it does from `random`, so that a seed repeats the load.
 */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

const PASSWORD = 'correct horse battery';
const TURNS_A_CONVERSATION = 12;
const PROMPTS = [
  'Portrait of an old fisherman with a grey beard and a yellow raincoat',
  'A lighthouse on a cliff above a stormy sea at dusk',
  'A red bicycle beside a flower shop in spring',
  'Abstract waves in purple and gold',
  'A poster with the words "OPEN ALL NIGHT"',
];
const SAYINGS = [
  'Hello, who are you and what do you like best?',
  'Tell me about the sea.',
  'I live in Lisbon and I have two cats. What do you think of that?',
  'What did I say about my cats?',
  'Can you say something funny about rain in the city? I like long answers with several sentences. Please go on!',
];
const EDITS = ['Make it grey', 'Sepia', 'Blur the background', 'Warm it up', 'Flip it'];
const WATCH = `subscription($slug: String!, $token: String) {
  turnUpdated(slug: $slug, viewerToken: $token, after: "0") { cursor turn { id status audioUrl videoUrl } } }`;

let count = 0;

/** @param world { url, random, files, grant(userId) } */
export async function openVisitor(world) {
  count += 1;
  const visitor = new Visitor(world, `visitor-${count}@example.com`);
  await visitor.arrive();
  return visitor;
}

class Visitor {
  #world;
  #email;
  #session;
  #key;
  #userId;
  #avatarId;
  #conversation;
  #turns = 0;
  #etag;
  #media;
  #viewers = new Set();

  constructor(world, email) {
    this.#world = world;
    this.#email = email;
  }

  async arrive() {
    const signedUp = await this.#graphql(
      `mutation($email: String!, $password: String!) { signUp(input: { email: $email, password: $password, displayName: "Ada" }) {
        idToken user { userId } } }`,
      { email: this.#email, password: PASSWORD },
    );
    this.#session = signedUp.signUp.idToken;
    this.#userId = signedUp.signUp.user.userId;
    await this.#world.grant(this.#userId);
    this.#key = (await this.#rest('POST', '/api-keys', { name: 'soak' }, this.#session)).token;
    const { voices } = await this.#rest('GET', '/voices');
    const { avatar } = await this.#rest('POST', '/avatars', {
      displayName: 'Nova',
      personalityPrompt: 'You are Nova, a calm keeper of a harbour observatory with short grey hair and a navy coat.',
      ttsVoiceId: voices[0].id,
      ...(this.#world.random() < 0.5 ? { imageUrl: this.#pick(this.#world.files.images) } : {}),
    });
    this.#avatarId = avatar.avatarId;
    await this.newConversation();
  }

  leave() {
    for (const close of [...this.#viewers]) close();
  }

  async newConversation() {
    const body = { avatarOwnerUserId: this.#userId, avatarId: this.#avatarId };
    this.#conversation = await this.#rest('POST', '/conversations', body);
    this.#turns = 0;
    this.#etag = undefined;
  }

  async poll() {
    const { turns } = await this.#rest('GET', `/conversations/by-slug/${this.#conversation.shareSlug}`);
    this.#media = turns.map((turn) => turn.videoUrl ?? turn.audioUrl).findLast(Boolean) ?? this.#media;
  }

  async pollUnchanged() {
    const headers = { authorization: `Bearer ${this.#key}`, ...(this.#etag ? { 'if-none-match': this.#etag } : {}) };
    const where = `${this.#world.url}/conversations/by-slug/${this.#conversation.shareSlug}`;
    const answer = await fetch(where, { headers });
    this.#etag = answer.headers.get('etag') ?? undefined;
    await finish(answer);
  }

  async turn(output) {
    if (this.#turns >= TURNS_A_CONVERSATION) await this.newConversation();
    this.#turns += 1;
    await this.#rest('POST', `/conversations/${this.#conversation.conversationId}/turn`, {
      userText: this.#pick(SAYINGS),
      output,
    });
  }

  async speak() {
    const text = `The number of the day is ${Math.floor(this.#world.random() * 1e6)}.`;
    await this.#rest('POST', `/avatars/${this.#avatarId}/speak`, { text, output: 'audio' });
  }

  async image() {
    await this.#rest('POST', '/images/generate', { prompt: this.#pick(PROMPTS) });
  }

  async edit() {
    const body = { prompt: this.#pick(EDITS), imageUrl: this.#pick(this.#world.files.images) };
    await this.#rest('POST', '/images/edit', body);
  }

  /** The face of such an image is looked for, the image re-encoded. */
  async upload() {
    await this.#rest('POST', '/avatars', {
      displayName: `Friend ${Math.floor(this.#world.random() * 100)}`,
      imageUrl: this.#pick(this.#world.files.images),
    });
  }

  async video() {
    const { random, files } = this.#world;
    const body = { prompt: this.#pick(PROMPTS), model: 'cinematic', resolution: '720p', draft: true };
    const source =
      random() < 0.5 ? { image: this.#pick(files.images), duration: 1 } : { audio: this.#pick(files.sounds) };
    await this.#rest('POST', '/videos/generate', { ...body, ...source });
  }

  async signIn() {
    await this.#graphql(
      'mutation($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { idToken } }',
      { email: this.#email, password: PASSWORD },
    );
  }

  async save() {
    const content = `On day ${Math.floor(this.#world.random() * 1e4)} the harbour had ${this.#pick(SAYINGS)}`;
    await this.#rest('POST', `/avatars/${this.#avatarId}/brain/pages`, { content });
  }

  async recall() {
    await this.#rest('POST', `/avatars/${this.#avatarId}/brain/recall`, { query: this.#pick(SAYINGS) });
  }

  async ask() {
    await this.#rest('POST', `/avatars/${this.#avatarId}/brain/query`, { query: this.#pick(SAYINGS) });
  }

  /** A live viewer that stays for a while. */
  async watch() {
    const { shareSlug: slug, viewerToken: token } = this.#conversation;
    const page = await fetch(`${this.#world.url}/live/${slug}?token=${token}`);
    await finish(page);
    const client = createClient({
      url: `${this.#world.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    const stop = client.subscribe(
      { query: WATCH, variables: { slug, token } },
      { next() {}, error() {}, complete() {} },
    );
    const close = () => {
      clearTimeout(timer);
      this.#viewers.delete(close);
      stop();
      // The platform may have closed the socket first.
      Promise.resolve(client.dispose()).catch(() => {});
    };
    const timer = setTimeout(close, 20_000 + this.#world.random() * 60_000);
    this.#viewers.add(close);
  }

  async media() {
    if (this.#media) await finish(await fetch(this.#media));
  }

  async docs() {
    await finish(await fetch(`${this.#world.url}/${this.#pick(['', 'docs', 'openapi.json', 'signin'])}`));
  }

  #pick(list) {
    return list[Math.floor(this.#world.random() * list.length)];
  }

  async #rest(method, where, body, as = this.#key) {
    const answer = await fetch(this.#world.url + where, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return JSON.parse(await finish(answer));
  }

  async #graphql(query, variables) {
    const answer = await fetch(`${this.#world.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = JSON.parse(await finish(answer));
    if (errors) throw new Error(errors[0].message);
    return data;
  }
}

/** The body, read out; throws for answers that are no success. */
async function finish(answer) {
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${answer.status} ${new URL(answer.url).pathname}: ${text.slice(0, 200)}`);
  return text;
}
