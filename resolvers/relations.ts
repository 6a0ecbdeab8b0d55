/**
 * From one thing of the graph to the next, read through loaders. Whatever is reached is shown as its own query shows it:
 * null where this caller may not see it.
 */
import { Args, Ctx, Extensions, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import {
  Avatar,
  AvatarConnection,
  AvatarFolder,
  type AvatarImage,
  AvatarImageConnection,
  Voice,
} from '../schema/avatar.ts';
import { Training } from '../schema/brain.ts';
import { Conversation, ConversationConnection } from '../schema/conversation.ts';
import { type SentGift, SentGiftConnection, SentGifts } from '../schema/gift.ts';
import { PageArgs, TurnsArgs, WholeListArgs } from '../schema/inputs/page.ts';
import { LedgerSource } from '../schema/ledger-source.ts';
import { EpochMillis } from '../schema/scalars.ts';
import { Turn, TurnConnection } from '../schema/turn.ts';
import { LedgerEntry, User } from '../schema/user.ts';
import { ReferencedAvatar, Video } from '../schema/video.ts';
import { type Connection, cutPage, type Listing, PAGE_ITEMS } from '../src/kernel/keyset.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { type Context, caller } from './context.ts';

/** The primary one first. */
const IMAGES: Listing<AvatarImage> = {
  name: 'AvatarImage',
  order: 'asc',
  keyOf: ({ isPrimary, createdAt, assetId }) => `${isPrimary ? 0 : 1}.${createdAt}.${assetId ?? ''}`,
  key: /^[01]\.\d{1,15}\.\w{0,80}$/,
};

@Resolver(() => Conversation)
export class ConversationRelations {
  @FieldResolver(() => Avatar, {
    nullable: true,
    description: 'Who answers; null where you may not see it: an avatar of another user that is not public any more.',
  })
  avatar(@Ctx() { loaders }: Context, @Root() { avatarId }: Conversation): Promise<Avatar | null> {
    return loaders.avatar.load(avatarId);
  }

  @FieldResolver(() => TurnConnection, {
    description: `Its turns, in the order they are shown; without first and last the newest ${PAGE_ITEMS}. For what changed: conversationBySlug.`,
  })
  turns(
    @Ctx() { loaders }: Context,
    @Root() { conversationId: id, version }: Conversation,
    @Args(() => TurnsArgs) { first, last, ...cursors }: TurnsArgs,
  ): Promise<Connection<Turn>> {
    const newest = last ?? PAGE_ITEMS;
    // The default of `last` gives way to a `first`.
    const size = first == null ? { last: newest } : { first, last: last === PAGE_ITEMS ? null : last };
    return loaders.turns.load({ ...cursors, ...size, id, version });
  }

  @FieldResolver(() => Turn, { nullable: true, description: 'The last one that is shown; null while there is none.' })
  async lastTurn(
    @Ctx() { loaders }: Context,
    @Root() { conversationId: id, version }: Conversation,
  ): Promise<Turn | null> {
    const { nodes } = await loaders.turns.load({ id, version, last: 1 });
    return nodes[0] ?? null;
  }

  @FieldResolver(() => Boolean, {
    description:
      'True while a reply is still being written: more turns of it may come, beside those that are not finished.',
  })
  isReplyPending(@Ctx() { loaders }: Context, @Root() { conversationId }: Conversation): Promise<boolean> {
    return loaders.replyPending.load(conversationId);
  }

  @FieldResolver(() => EpochMillis, { description: 'When its last turn came, or it was made.' })
  async updatedAt(
    @Ctx() { loaders }: Context,
    @Root() { conversationId: id, version, createdAt }: Conversation,
  ): Promise<number> {
    const { nodes } = await loaders.turns.load({ id, version, last: 1 });
    return nodes[0]?.createdAt ?? createdAt;
  }
}

@Resolver(() => Turn)
export class TurnRelations {
  @FieldResolver(() => Avatar, {
    nullable: true,
    description: 'Whose voice and face it has; null where you may not see that avatar.',
  })
  async voicedBy(@Ctx() { loaders }: Context, @Root() { id }: Turn): Promise<Avatar | null> {
    const avatarId = await loaders.voicedBy.load(id);
    return avatarId === null ? null : loaders.avatar.load(avatarId);
  }
}

@Resolver(() => Avatar)
export class AvatarRelations {
  @FieldResolver(() => AvatarImageConnection, {
    description:
      'Its images, the primary one first; none without a credential. Without first and last all, at most 100.',
  })
  @Extensions({ items: LIMITS.pageSize })
  async images(
    @Ctx() { loaders }: Context,
    @Root() { avatarId }: Avatar,
    @Args(() => WholeListArgs) page: WholeListArgs,
  ): Promise<Connection<AvatarImage>> {
    return cutPage(page, IMAGES, await loaders.imagesOfAvatar.load(avatarId));
  }

  @FieldResolver(() => Voice, {
    nullable: true,
    description:
      'What it speaks with; null when it has no voice, or one that its owner made and you are not the owner.',
  })
  async voice(@Ctx() { loaders }: Context, @Root() { ttsVoiceId }: Avatar): Promise<Voice | null> {
    return ttsVoiceId ? loaders.voice.load(ttsVoiceId) : null;
  }

  @FieldResolver(() => AvatarFolder, {
    nullable: true,
    description: 'Where its owner keeps it; null for everyone else.',
  })
  async folder(@Ctx() { loaders }: Context, @Root() { folderId }: Avatar): Promise<AvatarFolder | null> {
    return folderId ? loaders.folder.load(folderId) : null;
  }

  @FieldResolver(() => User, { nullable: true, description: 'Whose it is.' })
  async owner(@Ctx() { loaders }: Context, @Root() { avatarOwnerUserId }: Avatar): Promise<User | null> {
    return (await loaders.owner.load(avatarOwnerUserId)) ?? null;
  }

  @FieldResolver(() => ConversationConnection, { description: 'Your own conversations with it, newest first.' })
  conversations(
    @Ctx() { loaders }: Context,
    @Root() { avatarId }: Avatar,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<Conversation>> {
    return loaders.conversationsOfAvatar.load({ ...page, id: avatarId });
  }

  @FieldResolver(() => Training, {
    nullable: true,
    description: 'Its latest training, for its owner; null before the first, and for everyone else.',
  })
  training(@Ctx() { loaders }: Context, @Root() { avatarId }: Avatar): Promise<Training | null> {
    return loaders.trainingOfAvatar.load(avatarId);
  }
}

@Resolver(() => User)
export class UserRelations {
  @FieldResolver(() => AvatarConnection, {
    description: 'Your own avatars; of another user, those that are public. Oldest first.',
  })
  avatars(
    @Ctx() { loaders }: Context,
    @Root() { userId }: User,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<Avatar>> {
    return loaders.avatarsOfUser.load({ ...page, id: userId });
  }
}

@Resolver(() => LedgerEntry)
export class LedgerEntryRelations {
  @FieldResolver(() => LedgerSource, {
    nullable: true,
    description:
      'What it is for; null for a grant, for what was deleted since, and for what is not yours to see, as what a visitor of your avatar said.',
  })
  source(@Ctx() { loaders }: Context, @Root() { sourceRef }: LedgerEntry): Promise<object | null> {
    return loaders.ledgerSource.load(sourceRef);
  }
}

@Resolver(() => SentGifts)
export class SentGiftsRelations {
  @FieldResolver(() => SentGiftConnection, { description: 'The gifts one by one, newest first.' })
  gifts(
    @Ctx() context: Context,
    @Root() sent: SentGifts,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<SentGift>> {
    return context.services.gifts.sentOneByOne(caller(context), sent, page);
  }
}

@Resolver(() => Video)
export class VideoRelations {
  @FieldResolver(() => Int, {
    nullable: true,
    description:
      'Its place among the videos that wait, the next one being 1; counted to 1001. Those of an account that has its ' +
      'share of the workers are passed over, so it may be sooner. Null once it is begun.',
  })
  queuePosition(@Ctx() { loaders }: Context, @Root() { generationId }: Video): Promise<number | null> {
    return loaders.queuePosition.load(generationId);
  }
}

@Resolver(() => ReferencedAvatar)
export class ReferencedAvatarRelations {
  @FieldResolver(() => Avatar, {
    nullable: true,
    description: 'The avatar as it is now; null when it was deleted, or is not yours to see.',
  })
  avatar(@Ctx() { loaders }: Context, @Root() { id }: ReferencedAvatar): Promise<Avatar | null> {
    return loaders.avatar.load(id);
  }
}
