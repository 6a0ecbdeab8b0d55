/** Fields of lists are read for the whole list: a list of 50 runs each of its statements once, not once a row. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AvatarEntity, AvatarFolderEntity, AvatarImageEntity } from '../../schema/entities/avatars.ts';
import { ConversationEntity } from '../../schema/entities/conversations.ts';
import { LedgerAccountEntity, LedgerEntryEntity, LedgerTransferEntity } from '../../schema/entities/ledger.ts';
import { OAuthClientEntity } from '../../schema/entities/oauth.ts';
import { InjectionEntity, TurnEntity } from '../../schema/entities/turns.ts';
import { ApiKeyEntity, UserEntity } from '../../schema/entities/users.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

const ROWS = 50;
/** Beyond what runs by the clock meanwhile, far below a statement a row. */
const MOST = 5;

let t: TestApp;
let ada: TestUser;
const ran = new Map<string, number>();
/** Restores what runs statements. */
let restore: () => void = () => {};

beforeAll(async () => {
  t = await openTestApp();
  ada = await t.person('Ada');
  await fill();
  restore = await count();
});
afterAll(async () => {
  restore();
  await t.close();
});

/** Counts each statement that any connection of the app runs, by its text. */
async function count(): Promise<() => void> {
  const client = await t.app.db.pool.connect();
  const connection: { query(...args: unknown[]): unknown } = Object.getPrototypeOf(client);
  client.release();
  const { query } = connection;
  connection.query = function counted(...args) {
    const [statement] = args as [string | { text: string }];
    const sql = typeof statement === 'string' ? statement : statement.text;
    // The ORM writes some values into the text.
    const text = sql.replace(/'(?:[^']|'')*'|\$\d+/g, '?');
    ran.set(text, (ran.get(text) ?? 0) + 1);
    return query.apply(this, args);
  };
  // A connection keeps the method that it found when it was made.
  const { pool } = t.app.db;
  const before = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const each of before) each.release(true);
  return () => {
    connection.query = query;
  };
}

/** Fifty of everything of Ada's, and fifty public avatars of as many owners. */
async function fill(): Promise<void> {
  const createdAt = Date.now();
  await t.app.db.transaction(async ({ em }) => {
    const avatar = (id: string, owner: string) =>
      em.create(AvatarEntity, {
        ...{ id, owner, displayName: id, createdAt, updatedAt: createdAt },
        publiclyRenderable: owner !== ada.userId,
      });
    em.create(LedgerAccountEntity, { id: 'acc_of_ada', kind: 'locked', user: ada.userId, creator: ada.userId });
    for (let i = 0; i < ROWS; i += 1) {
      em.create(UserEntity, { id: `usr_${i}`, displayName: `Owner ${i}`, createdAt });
      const image = (of: string) =>
        em.create(AvatarImageEntity, {
          ...{ id: `img_${of}`, avatar: of, mediaKey: `images/${of}.png`, isPrimary: true },
          ...{ width: 1, height: 1, rig: null, createdAt },
        });
      avatar(`avt_own${i}`, ada.userId);
      avatar(`avt_public${i}`, `usr_${i}`);
      image(`avt_own${i}`);
      image(`avt_public${i}`);
      em.create(AvatarFolderEntity, { id: `fld_${i}`, owner: ada.userId, name: `Folder ${i}`, createdAt });
      em.create(ApiKeyEntity, { id: `key_${i}`, user: ada.userId, name: `Key ${i}`, tokenHash: `${i}`, createdAt });
      em.create(ConversationEntity, {
        ...{ id: `cnv_${i}`, shareSlug: `c-own${i}`, owner: ada.userId, avatar: `avt_own${i}` },
        ...{ image: `img_avt_own${i}`, viewerToken: `${i}`, createdAt },
      });
      em.create(InjectionEntity, {
        ...{ id: `inj_${i}`, conversation: `cnv_${i}`, number: 1, state: 'done', request: {}, createdAt },
      });
      for (const chunk of [1, 2]) {
        em.create(TurnEntity, {
          ...{ id: `trn_${i}_${chunk}`, conversation: `cnv_${i}`, injection: `inj_${i}`, number: 1, chunk },
          ...{ role: 'avatar', avatarText: `Words ${chunk}.`, status: 'ready', voicedBy: `avt_own${i}` },
          ...{ version: chunk, createdAt: createdAt + chunk },
        });
      }
      // A turn and a tribe in turn.
      const transfer = `tfr_${i}`;
      em.create(LedgerTransferEntity, {
        ...{ id: transfer, source: i % 2 ? `turn:trn_${i}_1` : `tribe:usr_${i}:${ada.userId}`, leg: 'pay' },
        ...{ kind: i % 2 ? 'turn' : 'tribe', createdAt },
      });
      const balance = { amount: 1n, balanceBefore: 0n, balanceAfter: 1n };
      em.create(LedgerEntryEntity, { transfer, account: 'acc_of_ada', ...balance });
      em.create(OAuthClientEntity, {
        ...{ id: `app_${i}`, owner: ada.userId, name: `App ${i}`, redirectDomains: ['example.com'] },
        ...{ scopes: [], secretHash: `${i}`, createdAt },
      });
    }
  });
}

const AVATAR = 'avatarId displayName avatarImageUrl avatarOwnerDisplayName avatarOwnerStreamUsername';

test.each([
  ['avatars', `{ avatars { nodes { ${AVATAR} } } }`],
  ['publicAvatars', `{ publicAvatars(first: ${ROWS}) { nodes { ${AVATAR} } } }`],
  ['avatarFolders', '{ avatarFolders { nodes { folderId name icon } } }'],
  [
    'conversations',
    `query($n: Int) { conversations(first: $n) { nodes { turns(last: 5) { nodes { id voicedBy { id } } } avatar {
      images(first: 5) { nodes { url } } voice { id } folder { id } training { status } } } } }`,
  ],
  [
    'conversations',
    `query($n: Int) { conversations(first: $n) { nodes { avatar { conversations(first: 2) { edges { cursor node { id } } }
      owner { displayName avatars(first: 50) { nodes { id } } } } } } }`,
  ],
  [
    'ledgerEntries',
    `query($n: Int) { ledgerEntries(first: $n) { nodes { source { __typename ... on Turn { id voicedBy { id } }
      ... on Tribe { tribeName } } } } }`,
  ],
  ['apiKeys', '{ apiKeys { nodes { id name lastUsedAt } } }'],
  ['oauthClients', '{ oauthClients { nodes { clientId name redirectDomains } } }'],
])('%s', async (name, document) => {
  ran.clear();
  const { body } = await t.graphql(document, { n: ROWS }, ada.session);
  expect(body.errors).toBeUndefined();
  const list = body.data[name];
  expect(list.nodes.length).toBeGreaterThanOrEqual(ROWS);
  expect(ran.size).toBeGreaterThan(0);
  expect(list.nodes).not.toContainEqual({ source: null });
  expect([...ran].filter(([, times]) => times > MOST)).toEqual([]);
});

test('fifty conversations with their last turn and their avatar are six statements', async () => {
  const query = `{ conversations(first: ${ROWS}) { nodes { id title updatedAt lastTurn { id avatarText status }
    avatar { id displayName avatarImageUrl } } } }`;
  // The credential of the caller is known from now on.
  await t.graphql(query, {}, ada.session);
  ran.clear();
  const { body } = await t.graphql(query, {}, ada.session);
  expect(body.errors).toBeUndefined();
  expect(body.data.conversations.nodes).toHaveLength(ROWS);
  const [newest] = body.data.conversations.nodes;
  const number = newest.id.slice('cnv_'.length);
  expect(newest.lastTurn).toEqual({ id: `trn_${number}_2`, avatarText: 'Words 2.', status: 'ready' });
  expect(newest.avatar).toMatchObject({ id: `avt_own${number}`, displayName: `avt_own${number}` });
  const statements = [...ran].flatMap(([text, times]) => Array(times).fill(text) as string[]);
  const ours = statements.filter((text) => /conversation|avatar|turn/.test(text) && !/pgboss/.test(text));
  expect(ours.length).toBeGreaterThan(0);
  expect(ours.length).toBeLessThanOrEqual(6);
});
