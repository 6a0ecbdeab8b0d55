/**
 * From one thing of the graph to the next, read through loaders. Whatever is reached is shown as its own query shows it:
 * null where this caller may not see it.
 */
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { Avatar, AvatarFolder, AvatarImage, Voice } from '../schema/avatar.ts';
import { Training } from '../schema/brain.ts';
import { Conversation } from '../schema/conversation.ts';
import { EpochMillis } from '../schema/scalars.ts';
import { Turn } from '../schema/turn.ts';
import { User } from '../schema/user.ts';
import { ReferencedAvatar } from '../schema/video.ts';
import { badInput } from '../src/kernel/errors.ts';
import type { Context } from './context.ts';

/** Most of a list within a list. */
const MOST_INSIDE = 50;
const INSIDE = 20;

function boundedInside(name: string, count: number): number {
  if (count < 1 || count > MOST_INSIDE) throw badInput(name, `must be from 1 to ${MOST_INSIDE}.`);
  return count;
}

@Resolver(() => Conversation)
export class ConversationEdges {
  @FieldResolver(() => Avatar, {
    nullable: true,
    description: 'Who answers; null where you may not see it: an avatar of somebody else that is not public any more.',
  })
  avatar(@Ctx() { loaders }: Context, @Root() { avatarId }: Conversation): Promise<Avatar | null> {
    return loaders.avatar.load(avatarId);
  }

  @FieldResolver(() => [Turn], {
    description:
      'Its newest turns, in the order they are shown. For older ones, and for what changed: conversationBySlug.',
  })
  turns(
    @Ctx() { loaders }: Context,
    @Root() { conversationId }: Conversation,
    @Arg('limit', () => Int, { defaultValue: INSIDE, description: `How many, 1 to ${MOST_INSIDE}.` }) limit: number,
  ): Promise<Turn[]> {
    return loaders.newestTurns.load({ id: conversationId, first: boundedInside('limit', limit) });
  }

  @FieldResolver(() => Turn, { nullable: true, description: 'The last one that is shown; null while there is none.' })
  async lastTurn(@Ctx() { loaders }: Context, @Root() { conversationId }: Conversation): Promise<Turn | null> {
    const [turn] = await loaders.newestTurns.load({ id: conversationId, first: 1 });
    return turn ?? null;
  }

  @FieldResolver(() => EpochMillis, { description: 'When its last turn came, or it was made.' })
  async updatedAt(@Ctx() { loaders }: Context, @Root() { conversationId, createdAt }: Conversation): Promise<number> {
    const [turn] = await loaders.newestTurns.load({ id: conversationId, first: 1 });
    return turn?.createdAt ?? createdAt;
  }
}

@Resolver(() => Turn)
export class TurnEdges {
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
export class AvatarEdges {
  @FieldResolver(() => [AvatarImage], {
    description: 'Its images, the primary one first; at most 100, and none without a credential.',
  })
  images(@Ctx() { loaders }: Context, @Root() { avatarId }: Avatar): Promise<AvatarImage[]> {
    return loaders.imagesOfAvatar.load(avatarId);
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

  @FieldResolver(() => [Conversation], { description: 'Your own conversations with it, newest first.' })
  conversations(
    @Ctx() { loaders }: Context,
    @Root() { avatarId }: Avatar,
    @Arg('first', () => Int, { defaultValue: INSIDE, description: `How many, 1 to ${MOST_INSIDE}.` }) first: number,
  ): Promise<Conversation[]> {
    return loaders.conversationsOfAvatar.load({ id: avatarId, first: boundedInside('first', first) });
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
export class UserEdges {
  @FieldResolver(() => [Avatar], {
    description: 'Your own avatars; of somebody else, those that are public. The oldest 100.',
  })
  avatars(@Ctx() { loaders }: Context, @Root() { userId }: User): Promise<Avatar[]> {
    return loaders.avatarsOfUser.load(userId);
  }
}

@Resolver(() => ReferencedAvatar)
export class ReferencedAvatarEdges {
  @FieldResolver(() => Avatar, {
    nullable: true,
    description: 'The avatar as it is now; null when it was deleted, or is not yours to see.',
  })
  avatar(@Ctx() { loaders }: Context, @Root() { id }: ReferencedAvatar): Promise<Avatar | null> {
    return loaders.avatar.load(id);
  }
}
