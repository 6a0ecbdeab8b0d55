/**
 * What is held of an account, as files of its export: lists as JSON, media as they are stored. Everything is read page by
 * page when its turn comes, so that an export takes the same memory however large the account is. No hash of a secret and
 * nothing of another person is among it but what they gave to this account.
 */
import type { Loaded } from '@mikro-orm/core';
import {
  AvatarEntity,
  AvatarFolderEntity,
  AvatarImageEntity,
  CustomVoiceEntity,
  TrainingEntity,
} from '../../../schema/entities/avatars.ts';
import { BrainEntity, BrainEntryEntity, BrainExternalEntity } from '../../../schema/entities/brain.ts';
import { AccessLinkEntity, ConversationEntity } from '../../../schema/entities/conversations.ts';
import {
  ImageGenerationEntity,
  SpeechGenerationEntity,
  VideoGenerationEntity,
} from '../../../schema/entities/generations.ts';
import { GiftIntentEntity } from '../../../schema/entities/gifts.ts';
import { OAuthChoiceEntity, OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import { StreamAccountEntity, TribeEntity, TribeMemberEntity } from '../../../schema/entities/tribes.ts';
import { TurnEntity } from '../../../schema/entities/turns.ts';
import { UploadEntity } from '../../../schema/entities/uploads.ts';
import { ApiKeyEntity, SessionEntity } from '../../../schema/entities/users.ts';
import { VisitorEntity } from '../../../schema/entities/visitors.ts';
import { fromMicro } from '../../kernel/credits.ts';
import type { Connection, PageRequest } from '../../kernel/keyset.ts';
import { balanceOf, ledgerPage } from '../../ledger/reads.ts';
import { idleKeyOf } from '../avatars/idle-video.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { AuditEvents } from './audit.service.ts';
import { showUser, users } from './user.repository.ts';

/** Rows that are in memory at once. */
const PAGE = 200;

type Keys = readonly (string | null | undefined)[];

/** One list of an export, and the media that its rows name. */
export interface ExportList {
  name: string;
  rows(): AsyncIterable<object>;
  /** Keys in the store. */
  mediaKeys(): AsyncIterable<string>;
}

function list<Row extends object>(
  name: string,
  rows: () => AsyncIterable<Row>,
  mediaOf?: (row: Row) => Keys,
): ExportList {
  return {
    name,
    rows,
    async *mediaKeys() {
      if (!mediaOf) return;
      for await (const row of rows()) for (const key of mediaOf(row)) if (key) yield key;
    },
  };
}

/** All rows, a page at a time, each page behind the last row. */
async function* paged<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  let rows: Row[] = [];
  do {
    rows = await read(rows.at(-1));
    yield* rows;
  } while (rows.length === PAGE);
}

const byId = <Row extends { id: string }>(read: (after: string) => Promise<Row[]>): AsyncGenerator<Row> =>
  paged((last) => read(last?.id ?? ''));

async function* together<Row>(...parts: AsyncIterable<Row>[]): AsyncGenerator<Row> {
  for (const part of parts) yield* part;
}

async function* byCursor<Item>(read: (page: PageRequest) => Promise<Connection<Item>>): AsyncGenerator<Item> {
  let after: string | null = null;
  do {
    const page: Connection<Item> = await read({ first: PAGE, after });
    yield* page.nodes;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
}

async function* few<Row>(read: () => Promise<readonly Row[]>): AsyncGenerator<Row> {
  yield* await read();
}

const PAGED = { orderBy: { id: 'asc' }, limit: PAGE } as const;

/** Everything that is held of an account. */
export function contentsOf(db: Platform['db'], audit: Pick<AuditEvents, 'own'>, userId: string): ExportList[] {
  const ofOwner = (after: string) => ({ owner: userId, id: { $gt: after } });
  const ofUser = (after: string) => ({ user: userId, id: { $gt: after } });
  const find = db.em.bind(db);
  return [
    list('profile', () =>
      few(async () => [{ ...showUser(await users(find()).withId(userId)), balance: await balanceOf(db, userId) }]),
    ),
    list('sessions', () =>
      byId((after) =>
        find().find(SessionEntity, ofUser(after), { ...PAGED, fields: ['createdAt', 'expiresAt', 'revokedAt'] }),
      ),
    ),
    list('api-keys-and-tokens', () =>
      byId((after) =>
        find().find(ApiKeyEntity, ofUser(after), {
          ...PAGED,
          fields: ['name', 'clientId', 'avatarId', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'],
        }),
      ),
    ),
    list('apps', () =>
      byId((after) =>
        find().find(OAuthClientEntity, ofOwner(after), {
          ...PAGED,
          fields: ['name', 'redirectDomains', 'scopes', 'serviceAvatar', 'createdAt'],
        }),
      ),
    ),
    list('app-consents', () => consentsOf(db, userId)),
    list(
      'avatar-folders',
      () => byId((after) => find().find(AvatarFolderEntity, ofOwner(after), PAGED)),
      ({ iconKey }) => [iconKey],
    ),
    // Settings of external memory systems hold secrets.
    list('avatars', () =>
      byId((after) => find().find(AvatarEntity, ofOwner(after), { ...PAGED, exclude: ['brainSettings'] })),
    ),
    list(
      'avatar-images',
      () => byId((after) => find().find(AvatarImageEntity, { avatar: { owner: userId }, id: { $gt: after } }, PAGED)),
      ({ mediaKey }) => [mediaKey, idleKeyOf(mediaKey)],
    ),
    list('voices', () => byId((after) => find().find(CustomVoiceEntity, ofOwner(after), PAGED))),
    list('trainings', () =>
      byId((after) => find().find(TrainingEntity, { avatar: { owner: userId }, id: { $gt: after } }, PAGED)),
    ),
    list('conversations', () =>
      byId((after) =>
        find().find(ConversationEntity, ofOwner(after), {
          ...PAGED,
          fields: ['shareSlug', 'avatar', 'image', 'title', 'isPublic', 'clientId', 'createdAt'],
        }),
      ),
    ),
    list('access-links', () =>
      byId((after) =>
        find().find(
          AccessLinkEntity,
          { conversation: { owner: userId }, id: { $gt: after } },
          { ...PAGED, fields: ['conversation', 'createdAt', 'revokedAt'] },
        ),
      ),
    ),
    list(
      'turns',
      () => turnsOf(db, userId),
      ({ audioKey, videoKey }) => [audioKey, videoKey],
    ),
    list(
      'images',
      () =>
        byId((after) => find().find(ImageGenerationEntity, ofUser(after), { ...PAGED, exclude: ['rig', 'drawing'] })),
      ({ mediaKey }) => [mediaKey],
    ),
    list(
      'speech',
      () =>
        byId((after) =>
          find().find(
            SpeechGenerationEntity,
            { caller: userId, id: { $gt: after } },
            { ...PAGED, exclude: ['dedupKey', 'talkingHeadOrder', 'marks', 'attempt'] },
          ),
        ),
      ({ audioKey, videoKey }) => [audioKey, videoKey],
    ),
    list(
      'videos',
      () => byId((after) => find().find(VideoGenerationEntity, ofUser(after), { ...PAGED, exclude: ['attempt'] })),
      ({ mediaKey, stillKey }) => [mediaKey, stillKey],
    ),
    list(
      'uploads',
      () => byId((after) => find().find(UploadEntity, ofOwner(after), { ...PAGED, exclude: ['tokenHash', 'rig'] })),
      ({ mediaKey }) => [mediaKey],
    ),
    list('memories', () => memoriesOf(db, userId)),
    list('external-memories', () => externalMemoriesOf(db, userId)),
    list('ledger', () => byCursor((page) => ledgerPage(db, userId, page))),
    list('gifts', () => together<object>(giftsSent(db, userId), giftsReceived(db, userId))),
    list('tribe', () => few(() => find().find(TribeEntity, { creator: userId }))),
    list('tribe-members', () => together(membersOf(db, userId), membershipsOf(db, userId))),
    list('visits', () =>
      byId((after) =>
        find().find(VisitorEntity, ofUser(after), { ...PAGED, fields: ['avatar', 'createdAt', 'seenAt'] }),
      ),
    ),
    list('streaming-account', () =>
      few(() => find().find(StreamAccountEntity, { user: userId }, { fields: ['platformUserId', 'linkedAt'] })),
    ),
    list('activity', () => byCursor((page) => audit.own({ userId }, page))),
  ];
}

/** Conversation by conversation: rows of one lie together, those of an account do not. */
async function* turnsOf(db: Platform['db'], userId: string) {
  const conversations = byId((after) =>
    db.em().find(ConversationEntity, { owner: userId, id: { $gt: after } }, { ...PAGED, fields: ['id'] }),
  );
  for await (const { id: conversation } of conversations) {
    yield* byId((after) =>
      db.em().find(
        TurnEntity,
        { conversation, id: { $gt: after } },
        {
          ...PAGED,
          exclude: ['attempt', 'version', 'marks', 'streamKey', 'talkingHeadOrder', 'hold', 'mediaError'],
        },
      ),
    );
  }
}

/** Which apps the account let in, and as which avatar; their tokens are among the keys. */
async function* consentsOf(db: Platform['db'], userId: string) {
  const choices = paged<Loaded<OAuthChoiceEntity, 'client'>>((last) =>
    db
      .em()
      .find(
        OAuthChoiceEntity,
        { user: userId, client: { $gt: last?.client.id ?? '' } },
        { populate: ['client'], orderBy: { client: 'asc' }, limit: PAGE },
      ),
  );
  for await (const { client, avatar } of choices) yield { clientId: client.id, name: client.$.name, avatar: avatar.id };
}

const giftsSent = (db: Platform['db'], userId: string) =>
  byId((after) => db.em().find(GiftIntentEntity, { from: userId, id: { $gt: after } }, PAGED));

/** As its recipient sees a gift: once it is confirmed, and without how its sender or an app called the recipient. */
const giftsReceived = (db: Platform['db'], userId: string) =>
  byId((after) =>
    db
      .em()
      .find(
        GiftIntentEntity,
        { to: userId, status: 'confirmed', id: { $gt: after } },
        { ...PAGED, exclude: ['toAsSent', 'clientId'] },
      ),
  );

const membersOf = (db: Platform['db'], userId: string) =>
  paged<TribeMemberEntity>((last) =>
    db
      .em()
      .find(
        TribeMemberEntity,
        { creator: userId, member: { $gt: last?.member.id ?? '' } },
        { orderBy: { member: 'asc' }, limit: PAGE },
      ),
  );

const membershipsOf = (db: Platform['db'], userId: string) =>
  paged<TribeMemberEntity>((last) =>
    db
      .em()
      .find(
        TribeMemberEntity,
        { member: userId, creator: { $gt: last?.creator.id ?? '' } },
        { orderBy: { creator: 'asc' }, limit: PAGE },
      ),
  );

/** A sandbox with a colon in its stored name is of another caller: see services/brain/memory/memory.access.ts. */
const OF_OWNER = { $not: { sandboxId: { $like: '%:%' } } };

const byOthers = (userId: string) => ({ $or: [{ savedBy: null }, { savedBy: { $ne: userId } }] });

/** Memories that the account saved, in any avatar, and those that other speakers stated to its avatars outside of sandboxes of their own. */
async function* memoriesOf(db: Platform['db'], userId: string) {
  const saved = byId((after) =>
    db.em().find(BrainEntryEntity, { savedBy: userId, id: { $gt: after } }, { ...PAGED, populate: ['brain'] }),
  );
  for await (const entry of saved) yield memory(entry, entry.brain.$);
  for await (const avatarId of avatarsOf(db, userId)) {
    for (const brain of await db.em().find(BrainEntity, { avatarId, ...OF_OWNER })) {
      const entries = paged<BrainEntryEntity>((last) =>
        db
          .em()
          .find(
            BrainEntryEntity,
            { brain: brain.scopeId, seq: { $gt: last?.seq ?? -1 }, ...byOthers(userId) },
            { orderBy: { seq: 'asc' }, limit: PAGE },
          ),
      );
      for await (const entry of entries) yield memory(entry, brain);
    }
  }
}

const memory = (
  { id, content, source, speakerRef, createdAt, savedBy }: Omit<BrainEntryEntity, 'brain'>,
  { avatarId, sandboxId }: Pick<BrainEntity, 'avatarId' | 'sandboxId'>,
) => ({ id, avatarId, sandboxId, content, source, speakerRef, savedBy, createdAt });

/** The same of memories whose texts are in the systems that the avatars' owners chose. */
async function* externalMemoriesOf(db: Platform['db'], userId: string) {
  // A memory of ours may be several of theirs.
  const read = (where: object) =>
    paged<BrainExternalEntity>((last) => {
      const behind = last
        ? { $or: [{ id: { $gt: last.id } }, { id: last.id, externalId: { $gt: last.externalId } }] }
        : {};
      return db
        .em()
        .find(
          BrainExternalEntity,
          { $and: [where, behind] },
          { orderBy: { id: 'asc', externalId: 'asc' }, limit: PAGE },
        );
    });
  yield* read({ savedBy: userId });
  for await (const avatarId of avatarsOf(db, userId)) yield* read({ avatarId, ...OF_OWNER, ...byOthers(userId) });
}

async function* avatarsOf(db: Platform['db'], userId: string) {
  const avatars = byId((after) =>
    db.em().find(AvatarEntity, { owner: userId, id: { $gt: after } }, { ...PAGED, fields: ['id'] }),
  );
  for await (const { id } of avatars) yield id;
}

/** Amounts are decimals, as everywhere in the API; the ORM would write micro-credits. */
const asShown =
  (row: object) =>
  (name: string, value: unknown): unknown => {
    const amount: unknown = Reflect.get(row, name) ?? value;
    return typeof amount === 'bigint' ? fromMicro(amount) : value;
  };

/** Every piece is written to the store by itself. */
const PIECE_CHARS = 64 * 1024;

/** Rows as one JSON array, piece by piece. */
export async function* jsonOf(rows: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  let text = '[';
  let before = '\n';
  for await (const row of rows) {
    text += before + JSON.stringify(row, asShown(row));
    before = ',\n';
    if (text.length < PIECE_CHARS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}\n]\n`);
}
