/**
 * Each subscription to what is one's own, over both transports by their stock clients: a change comes, what changed while the
 * connection was lost comes once behind the cursor, no other user is notified, and the budgets hold.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient as createEvents } from 'graphql-sse';
import { createClient as createSockets } from 'graphql-ws';
import { WebSocket } from 'ws';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';
import { until, untilIs } from '../support/until.ts';
import { BareSocket } from './live-viewers.ts';

let t: TestApp;
let operator: string;
const stops: (() => void)[] = [];

beforeAll(async () => {
  t = await openTestApp({ work: true });
  operator = await t.operator();
});
afterAll(async () => {
  for (const stop of stops.splice(0)) stop();
  await t.close();
});

async function ask<T = any>(query: string, variables: Record<string, unknown>, as: string): Promise<T> {
  const { body } = await t.graphql<T>(query, variables, as);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

async function rest(method: string, path: string, { apiKey: as }: TestUser, body?: object): Promise<any> {
  const answer = await t.rest(method, path, { as, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** What can be followed, how something of it is made, and how it is then changed in a single transaction. */
interface Kind {
  selection: string;
  /** Makes one and waits until it is done; its id. */
  make(person: TestUser): Promise<string>;
  /** An update shows it as it is then. */
  isMade(update: any): boolean;
  /** Changes it, in a single transaction; returns whether an update shows that. */
  change(person: TestUser, id: string): Promise<(update: any) => boolean>;
}

const CONVERSATION: Kind = {
  selection: '... on ConversationUpdate { conversation { title } }',
  make: async (person) => {
    const body = { avatarOwnerUserId: person.userId, avatarId: await makeAvatar(t, person) };
    return (await rest('POST', '/conversations', person, body)).conversationId;
  },
  isMade: ({ conversation }) => conversation !== null,
  change: async (person, id) => {
    const rename =
      'mutation($input: RenameConversationInput!) { renameConversation(input: $input) { conversationId } }';
    await ask(rename, { input: { conversationId: id, title: 'Tea' } }, person.session);
    return ({ conversation }) => conversation?.title === 'Tea';
  },
};

let texts = 0;

/** By the subscription's field. */
const KINDS: Record<string, Kind> = {
  conversationUpdated: CONVERSATION,
  events: CONVERSATION,
  videoUpdated: {
    selection: 'video { status progress }',
    make: async (person) => {
      const { generationId } = await rest('POST', '/videos/generate', person, { prompt: 'A boat', duration: 1 });
      const read = () => rest('GET', `/videos/${generationId}`, person);
      await untilIs(read, ({ status }) => status === 'ready');
      return generationId;
    },
    isMade: ({ video }) => video?.status === 'ready',
    change: async (person, id) => {
      await rest('DELETE', `/videos/${id}`, person);
      return ({ video }) => video === null;
    },
  },
  speechUpdated: {
    selection: 'speech { status }',
    make: async (person) => {
      texts += 1;
      const avatarId = await makeAvatar(t, person);
      await rest('POST', `/avatars/${avatarId}/voice`, person, { voiceId: 'noop' });
      const { generationId } = await rest('POST', `/avatars/${avatarId}/speak`, person, { text: `Hello ${texts}` });
      await untilIs(
        () => rest('GET', `/avatars/speak/${generationId}`, person),
        ({ status }) => status === 'audio',
      );
      return generationId;
    },
    isMade: ({ speech }) => speech?.status === 'audio',
    change: async (person, id) => {
      await rest('DELETE', `/avatars/speak/${id}`, person);
      return ({ speech }) => speech === null;
    },
  },
  imageUpdated: {
    selection: 'image { id imageUrl }',
    make: async (person) => {
      const { imageUrl } = await rest('POST', '/images/generate', person, { prompt: 'A red boat' });
      const { images } = await rest('GET', '/images', person);
      const nameOf = (url: string) => new URL(url).pathname;
      return images.find((image: any) => nameOf(image.imageUrl) === nameOf(imageUrl)).imageId;
    },
    isMade: ({ image }) => image !== null,
    change: async (person, id) => {
      await rest('DELETE', `/images/${id}`, person);
      return ({ image }) => image === null;
    },
  },
  balanceUpdated: {
    selection: 'balance { available }',
    make: async ({ userId }) => {
      await grant(userId);
      return userId;
    },
    isMade: ({ balance }) => balance.available > 100,
    change: async (_, userId) => {
      const { grantCredits } = await grant(userId);
      return ({ balance }) => balance.available === grantCredits.available;
    },
  },
  giftUpdated: {
    selection: 'gift { status }',
    make: async (person) => {
      const friend = await t.person('Friend');
      return (await rest('POST', '/donations/intents', person, { to: friend.userId, amount: 1 })).intentId;
    },
    isMade: ({ gift }) => gift?.status === 'pending',
    change: async (person, id) => {
      await ask('mutation($id: ID!) { cancelGift(input: { intentId: $id }) { intentId } }', { id }, person.session);
      return ({ gift }) => gift?.status === 'cancelled';
    },
  },
  trainingUpdated: {
    selection: 'training { status }',
    make: async (person) => {
      const avatarId = await makeAvatar(t, person);
      await rest('POST', `/avatars/${avatarId}/train`, person);
      const read = () =>
        ask('query($id: ID!) { avatar(avatarId: $id) { training { status } } }', { id: avatarId }, person.session);
      await untilIs(read, ({ avatar }) => avatar.training?.status === 'trained');
      return avatarId;
    },
    isMade: ({ training }) => training?.status === 'trained',
    change: async (person, id) => {
      await rest('DELETE', `/avatars/${id}`, person);
      return ({ training }) => training === null;
    },
  },
};

const grant = (userId: string): Promise<any> =>
  ask(
    'mutation($userId: ID!) { grantCredits(input: { userId: $userId, amount: 1 }) { available } }',
    { userId },
    operator,
  );
const cursorOf = async ({ session }: TestUser): Promise<string> =>
  (await ask('{ updateCursor }', {}, session)).updateCursor;
const documentOf = (field: string): string =>
  `subscription($after: String) { update: ${field}(after: $after) { cursor subjectId ${KINDS[field]!.selection} } }`;

interface Payload {
  query: string;
  variables: Record<string, unknown>;
}
interface Sink {
  next(result: any): void;
  error(error: unknown): void;
  complete(): void;
}

/** The stock clients; neither connects again by itself here. */
const TRANSPORTS: Record<string, (payload: Payload, as: string | undefined, sink: Sink) => () => void> = {
  'graphql-ws': (payload, as, sink) => {
    const client = createSockets({
      url: `${t.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      ...(as ? { connectionParams: { authorization: `Bearer ${as}` } } : {}),
    });
    client.subscribe(payload, sink);
    return () => void client.dispose();
  },
  'graphql-sse': (payload, as, sink) => {
    const headers: Record<string, string> = as ? { authorization: `Bearer ${as}` } : {};
    const client = createEvents({ url: `${t.url}/graphql`, retryAttempts: 0, headers });
    client.subscribe(payload, sink);
    return () => client.dispose();
  },
};

/** A client that follows a field until its connection is lost. */
class Follower {
  readonly updates: any[] = [];
  readonly errors: any[] = [];
  readonly lose: () => void;

  constructor(transport: string, field: string, as: string | undefined, after?: string) {
    const keep = (error: unknown) => this.errors.push(...[error].flat());
    this.lose = TRANSPORTS[transport]!({ query: documentOf(field), variables: { after } }, as, {
      next: ({ data, errors }) => {
        if (errors) keep(errors);
        if (data?.update) this.updates.push(data.update);
      },
      error: keep,
      complete: () => {},
    });
    stops.push(this.lose);
  }

  /** Waits for an update of this one that is as it should be. */
  async sees(id: string, isIt: (update: any) => boolean): Promise<void> {
    const found = async () => this.updates.some((update) => update.subjectId === id && isIt(update));
    await until(found).catch((cause) => {
      throw new Error(JSON.stringify({ id, errors: this.errors, updates: this.updates }), { cause });
    });
  }

  get subjects(): string[] {
    return this.updates.map(({ subjectId }) => subjectId);
  }
}

/** The changes of one kind come once to who follows it, over a connection that is lost meanwhile, and to no other user. */
async function follow(field: string, transport: string): Promise<void> {
  const kind = KINDS[field]!;
  const [owner, nonOwner] = [await t.person('Owner', 100), await t.person('Noa', 100)];
  const first = new Follower(transport, field, owner.session, await cursorOf(owner));
  const foreign = new Follower(transport, field, nonOwner.session, await cursorOf(nonOwner));
  const made = [await kind.make(owner), await kind.make(owner), await kind.make(owner)] as const;
  for (const id of made) await first.sees(id, kind.isMade);
  await first.sees(made[0], await kind.change(owner, made[0]));
  first.lose();

  // Nothing is before its cursor that was not seen.
  const after = first.updates.at(-1).cursor;
  const isMissed = await kind.change(owner, made[1]);
  const again = new Follower(transport, field, owner.session, after);
  await again.sees(made[1], isMissed);
  await again.sees(made[2], await kind.change(owner, made[2]));
  expect(again.subjects).toEqual([made[1], made[2]]);
  const cursors = [...first.updates, ...again.updates].map(({ cursor }) => Number(cursor));
  expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b));

  const own = await kind.make(nonOwner);
  await foreign.sees(own, kind.isMade);
  expect(new Set(foreign.subjects)).toEqual(new Set([own]));
  expect([first.errors, again.errors, foreign.errors]).toEqual([[], [], []]);
}

const EACH = Object.keys(TRANSPORTS).flatMap((transport) => Object.keys(KINDS).map((field) => [field, transport]));

describe('each', () => {
  /** All are followed at once: most of the time is that of changes that are found by the sweep, within a second. */
  const all = new Map<string, Promise<void>>();
  beforeAll(() => {
    for (const [field, transport] of EACH as [string, string][]) {
      const one = follow(field, transport);
      // Its test says why, when it is its turn.
      one.catch(() => {});
      all.set(`${field} ${transport}`, one);
    }
  });

  test.each(EACH)(
    '%s over %s comes, comes once after a lost connection, and comes to no other user',
    (field, transport) => all.get(`${field} ${transport}`),
  );

  test.each(EACH)(
    '%s over %s is refused without a credential, and behind what is no cursor',
    async (field, transport) => {
      const person = await t.person('Owner');
      const codeFor = async (as: string | undefined, after: string): Promise<string> => {
        const follower = new Follower(transport!, field!, as, after);
        await until(async () => follower.errors.length > 0);
        return follower.errors[0].extensions.code;
      };
      expect(await codeFor(undefined, '0')).toBe('UNAUTHENTICATED');
      expect(await codeFor(person.session, 'tea')).toBe('BAD_INPUT');
    },
  );
});

describe('budgets', () => {
  const FIELDS = Object.keys(KINDS);
  /** What an address may have open at once, instead of a thousand. */
  const MOST = 12;
  let limited: TestApp;
  let key: string;

  beforeAll(async () => {
    limited = await openTestApp({ env: { RATE_LIMITS: 'on' }, connectionLimits: { requests: MOST } });
    key = (await limited.person('Lim')).apiKey;
  });
  afterAll(() => limited.close());

  /** A stream of events as it is answered; it goes with its signal. */
  const stream = (field: string, signal: AbortSignal): Promise<Response> =>
    fetch(`${limited.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ query: documentOf(field) }),
      signal,
    });
  const refusedStream = async (field: string): Promise<unknown> => {
    const reading = new AbortController();
    const answer = await stream(field, reading.signal);
    if (answer.ok) reading.abort();
    return answer.ok || [answer.status, ((await answer.json()) as { code: string }).code];
  };
  const socketTo = async (app: TestApp, token: string): Promise<BareSocket> => {
    const socket = new BareSocket(app.url);
    stops.push(() => socket.socket.terminate());
    return socket.ready({ authorization: `Bearer ${token}` });
  };
  const codeOn = async (socket: BareSocket, field: string): Promise<string> =>
    (await socket.ask(documentOf(field), {}, `more ${field}`)).payload[0].extensions.code;

  test('a socket has fifty of any of them, and the next is refused', async () => {
    const socket = await socketTo(limited, key);
    const ids = Array.from({ length: 50 }, (_, index) => `${index}`);
    for (const [index, id] of ids.entries()) {
      const payload = { query: documentOf(FIELDS[index % FIELDS.length]!) };
      socket.send({ id, type: 'subscribe', payload });
    }
    for (const field of FIELDS) expect([field, await codeOn(socket, field)]).toEqual([field, 'RATE_LIMITED']);
    // One that ends makes room.
    socket.send({ id: '0', type: 'complete' });
    expect(await socket.ask('{ __typename }', {}, 'room')).toMatchObject({ type: 'next' });
  });

  test('an address has so many streams, and the next is refused', async () => {
    const leaving = new AbortController();
    stops.push(() => leaving.abort());
    const open = Array.from({ length: MOST }, (_, index) => stream(FIELDS[index % FIELDS.length]!, leaving.signal));
    for (const { status } of await Promise.all(open)) expect(status).toBe(200);
    for (const field of FIELDS) expect([field, await refusedStream(field)]).toEqual([field, [429, 'RATE_LIMITED']]);
    leaving.abort();
    await until(async () => (await limited.graphql('{ __typename }')).status === 200);
  });

  test('each costs of the requests that an address has a minute, over both transports', async () => {
    const socket = await socketTo(limited, key);
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const ids = Array.from({ length: 100 }, (_, index) => `cnv_${index}`);
    const spend = async (): Promise<boolean> => {
      const { status, body } = await limited.graphql(query, { ids }, key);
      return status === 429 || body.errors?.[0].extensions.code === 'RATE_LIMITED';
    };
    for (const field of FIELDS) {
      // Again, where the minute has ended in between.
      await until(async () => {
        while (!(await spend()));
        const payload = { query: documentOf(field) };
        const id = `${field} ${socket.messages.length}`;
        socket.send({ id, type: 'subscribe', payload });
        const answered = [
          refusedStream(field),
          until(async () => socket.messages.find((message) => message.id === id)),
        ];
        const [http, live] = (await Promise.all(answered)) as [unknown, any];
        socket.send({ id, type: 'complete' });
        return String(http) === '429,RATE_LIMITED' && live.payload[0]?.extensions.code === 'RATE_LIMITED';
      });
    }
  });
});
