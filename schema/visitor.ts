/** The page of an avatar on which others talk with it, and who has come there. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { Conversation } from './conversation.ts';
import { type TalkAudience, TalkAudienceType } from './enums.ts';
import { EntityId, Node } from './node.ts';
import { Credits, EpochMillis, Url } from './scalars.ts';
import { Turn } from './turn.ts';

@ObjectType({ description: 'Who may talk with an avatar on its page, and what that may cost its owner.' })
export class TalkSettings {
  @Field(() => ID)
  avatarId: string;

  @Field(() => TalkAudienceType, { description: 'Who may talk with it.' })
  audience: TalkAudience;

  @Field(() => Credits, { nullable: true, description: 'What one visitor may spend per UTC day; null: no cap.' })
  creditsPerVisitor?: bigint | null;

  @Field(() => Credits, { nullable: true, description: 'What all visitors may spend per UTC day; null: no cap.' })
  creditsPerDay?: bigint | null;

  @Field(() => String, { nullable: true, description: 'What every new visitor is greeted with, in writing.' })
  greeting?: string | null;

  @Field(() => Url, { nullable: true, description: 'Its page; null until it was opened for the first time.' })
  url?: string | null;

  @Field(() => Credits, { description: 'What visitors have spent since the UTC day began.' })
  spentToday: bigint;
}

@ObjectType({ description: 'Settings as they are from now on.' })
export class SetTalkSettingsPayload {
  @Field(() => TalkSettings, { description: 'All of them.' })
  settings: TalkSettings;
}

@ObjectType({
  implements: Node,
  description: 'Who came to an avatar’s page. What they said is theirs, and not shown to its owner.',
})
export class Visitor {
  @EntityId('What blocks them.')
  visitorId: string;

  @Field(() => Boolean, { description: 'Whether they have an account.' })
  isSignedIn: boolean;

  @Field(() => String, { nullable: true })
  displayName?: string | null;

  @Field(() => Credits, { description: 'What they have spent since the UTC day began.' })
  spentToday: bigint;

  @Field(() => Credits, { description: 'What they have spent in all.' })
  spent: bigint;

  @Field(() => Int, { description: 'How often something was said, the greeting included.' })
  turns: number;

  @Field(() => Boolean, { description: 'Whether they are shut out.' })
  isBlocked: boolean;

  @Field(() => EpochMillis)
  createdAt: number;

  @Field(() => EpochMillis, { description: 'When they came last, to within a few minutes.' })
  seenAt: number;
}

@ObjectType({ description: 'A visitor who was blocked, or let in again.' })
export class SetVisitorBlockedPayload {
  /** Who; the graph shows the visitor. */
  visitorId: string;

  @Field(() => Boolean, { description: 'Whether they are shut out now.' })
  isBlocked: boolean;
}

@ObjectType({ description: 'What anyone may see of an avatar that can be talked with.' })
export class TalkPage {
  @Field()
  displayName: string;

  @Field(() => Url, { nullable: true })
  imageUrl?: string | null;

  @Field(() => String, { nullable: true, description: 'What it greets every new visitor with.' })
  greeting?: string | null;

  @Field(() => TalkAudienceType, { description: 'Who may talk with it.' })
  audience: TalkAudience;

  @Field(() => Boolean, { description: 'Whether it can answer aloud.' })
  hasVoice: boolean;

  @Field(() => Url, { description: 'Its page.' })
  url: string;
}

@ObjectType({ description: 'A visitor’s own conversation with an avatar.' })
export class BeginVisitPayload {
  @Field(() => String, {
    nullable: true,
    description: 'Names a new anonymous visitor from now on, and is shown this once; null for other visitors.',
  })
  visitorToken?: string | null;

  @Field(() => Conversation)
  conversation: Conversation;

  @Field({ description: 'Opens this conversation, and nothing else, to queries, subscriptions and the live page.' })
  viewerToken: string;
}

@ObjectType({ description: 'What was said was taken; the reply follows.' })
export class SayToAvatarPayload {
  @Field(() => Turn, { description: 'The pending first turn of the reply.' })
  turn: Turn;
}

export const VisitorConnection = ConnectionOf(Visitor);
