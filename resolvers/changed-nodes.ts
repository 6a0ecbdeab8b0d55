/** Adds the changed object, whole, to documented answers of mutations: clients keep it by its id. */
import { type ClassType, Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import { Avatar } from '../schema/avatar.ts';
import { QueuedTraining } from '../schema/brain.ts';
import { Conversation, PinnedImage, VisibilityResult } from '../schema/conversation.ts';
import { GiftIntent, GiftStatus } from '../schema/gift.ts';
import { OAuthClient, ServiceAvatarResult } from '../schema/oauth.ts';
import { SetVisitorBlockedPayload, Visitor } from '../schema/visitor.ts';
import type { Context } from './context.ts';
import { readNode } from './nodes.ts';

interface Changed<Answer extends object> {
  /** Field of the answer. */
  name: string;
  type: ClassType;
  description: string;
  idOf(answer: Answer): string;
}

function withChanged<Answer extends object>(
  answered: ClassType<Answer>,
  { name, type, description, idOf }: Changed<Answer>,
): ClassType {
  @Resolver(() => answered)
  class Changed {
    @FieldResolver(() => type, { name, nullable: true, description })
    // The TypeScript client keeps nothing by its id, and does not ask for it.
    @Extensions({ repeats: 'node' })
    changed(@Ctx() context: Context, @Root() answer: Answer): Promise<object | null> {
      return readNode(context, idOf(answer));
    }
  }
  return Changed;
}

const conversation = (answered: ClassType<{ conversationId: string }>): ClassType =>
  withChanged(answered, {
    name: 'conversation',
    type: Conversation,
    description: 'The conversation as it is now.',
    idOf: ({ conversationId }) => conversationId,
  });

/** One for each such answer. */
export const CHANGED_NODES = [
  conversation(VisibilityResult),
  conversation(PinnedImage),
  withChanged(GiftStatus, {
    name: 'gift',
    type: GiftIntent,
    description: 'The gift as it is now.',
    idOf: ({ intentId }) => intentId,
  }),
  withChanged(ServiceAvatarResult, {
    name: 'app',
    type: OAuthClient,
    description: 'The app as it is now.',
    idOf: ({ clientId }) => clientId,
  }),
  withChanged(QueuedTraining, {
    name: 'avatar',
    type: Avatar,
    description: 'Who is trained: its `training` is this one.',
    idOf: ({ avatarId }) => avatarId,
  }),
  withChanged(SetVisitorBlockedPayload, {
    name: 'visitor',
    type: Visitor,
    description: 'The visitor as they are now.',
    idOf: ({ visitorId }) => visitorId,
  }),
];
