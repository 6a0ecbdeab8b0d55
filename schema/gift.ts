/** Credit gifts in two phases: an app proposes, the sender confirms on our page. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { GiftStatusType } from './enums.ts';
import { EntityId, Node } from './node.ts';
import { Credits, EpochMillis, Url } from './scalars.ts';

@ObjectType({
  implements: Node,
  description: 'A proposed gift. Nothing moves until its sender confirms it within 10 minutes.',
})
export class GiftIntent {
  @EntityId('The gift.')
  intentId: string;

  @Field(() => GiftStatusType, { description: 'What became of it.' })
  status: string;

  @Field(() => Credits)
  amount: bigint;

  @Field({ description: 'The recipient: a user id, or to an app what it sent.' })
  to: string;

  @Field({ description: 'The sender: a user id, or to an app its own `sub`.' })
  from: string;

  @Field(() => String, { nullable: true })
  note?: string | null;

  @Field(() => EpochMillis)
  createdAt: number;

  @Field(() => EpochMillis)
  expiresAt: number;

  @Field(() => Url, { description: 'Page on which the sender confirms or cancels.' })
  confirmUrl: string;
}

@ObjectType({ description: 'What became of an intent: cancelled, or the terminal status it had.' })
export class GiftStatus {
  @Field(() => ID)
  intentId: string;

  @Field(() => GiftStatusType, { description: 'What became of it.' })
  status: string;
}

@ObjectType()
export class SentGift {
  @Field(() => Credits)
  amount: bigint;

  @Field(() => String, { nullable: true })
  note?: string | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType({ description: 'Confirmed gifts of the caller to one recipient.' })
export class SentGifts {
  @Field()
  to: string;

  @Field(() => Credits)
  total: bigint;

  @Field(() => Int)
  count: number;

  /** Whom the API may call otherwise; shown nowhere. */
  toUserId?: string;
}

export const SentGiftConnection = ConnectionOf(SentGift);

@ObjectType({ implements: Node, description: 'A gift that the caller was given.' })
export class ReceivedGift extends SentGift {
  @EntityId('The gift; to its sender it is a GiftIntent of this id.')
  intentId: string;

  @Field(() => ID, { description: 'Whose gift it is.' })
  from: string;

  @Field(() => String, { nullable: true, description: 'The name of whose gift it is.' })
  fromDisplayName?: string | null;
}

export const ReceivedGiftConnection = ConnectionOf(ReceivedGift);

@ObjectType({ description: 'A gift that the caller gave.' })
export class GivenGift extends SentGift {
  @Field(() => ID, { description: 'Who was given it.' })
  to: string;

  @Field(() => String, { nullable: true, description: 'The name of who was given it.' })
  toDisplayName?: string | null;
}

export const GivenGiftConnection = ConnectionOf(GivenGift);

@ObjectType({ description: 'What the confirmation page shows the sender, and which origins it may notify.' })
export class GiftConfirmation {
  @Field(() => GiftIntent)
  intent: GiftIntent;

  @Field(() => String, { nullable: true })
  toDisplayName?: string | null;

  @Field(() => String, { nullable: true })
  toStreamUsername?: string | null;

  @Field(() => Credits)
  transferable: bigint;

  @Field(() => String, { nullable: true, description: 'The app that proposed it; null when the sender did.' })
  appName?: string | null;

  @Field(() => [String], { description: 'Registered hosts of that app.' })
  appHosts: string[];
}
