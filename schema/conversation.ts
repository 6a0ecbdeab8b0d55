/** Conversations and their access links. */
import { Field, ID, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { EntityId, Node } from './node.ts';
import { EpochMillis, Url } from './scalars.ts';

@ObjectType({ implements: Node, description: 'A conversation with an avatar.' })
export class Conversation {
  @EntityId('The conversation.')
  conversationId: string;

  @Field()
  shareSlug: string;

  @Field(() => Url)
  shareUrl: string;

  @Field(() => String, { nullable: true, description: 'Shown to the conversation’s owner only.' })
  viewerToken?: string | null;

  @Field(() => Url, { description: 'Carries the viewer token for the owner of a private conversation.' })
  liveUrl: string;

  @Field(() => Boolean)
  isPublic: boolean;

  @Field(() => String, { nullable: true, description: 'The name its owner gave it; shown to them only.' })
  title?: string | null;

  @Field(() => ID)
  avatarId: string;

  @Field(() => ID)
  avatarOwnerUserId: string;

  @Field(() => String, { nullable: true })
  avatarDisplayName?: string | null;

  @Field(() => Url, { nullable: true, description: 'The pinned still.' })
  avatarImageUrl?: string | null;

  @Field(() => EpochMillis)
  createdAt: number;

  /** The least that its turns are read at; only where its row was read for this request, in a list. */
  version?: number;
}

@ObjectType({ implements: Node, description: 'A private share link that stands; its address was shown once.' })
export class StandingLink {
  @EntityId('The private share link; what revokes it.')
  linkId: string;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType()
export class VisibilityResult {
  /** Whose visibility it is; the graph shows the conversation. */
  conversationId: string;

  @Field(() => Boolean)
  ok: boolean;

  @Field(() => Boolean)
  isPublic: boolean;

  @Field(() => Url)
  liveUrl: string;
}

@ObjectType()
export class PinnedImage {
  /** Whose image it is; the graph shows the conversation. */
  conversationId: string;

  @Field(() => Boolean)
  ok: boolean;

  @Field(() => Url)
  avatarImageUrl: string;
}

@ObjectType({ description: 'A revocable private share link. `url` is shown once.' })
export class AccessLink {
  @Field(() => Boolean)
  ok: boolean;

  @Field(() => ID)
  linkId: string;

  @Field(() => Url)
  url: string;
}

export const ConversationConnection = ConnectionOf(Conversation);
export const StandingLinkConnection = ConnectionOf(StandingLink);
