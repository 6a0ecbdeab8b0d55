/** Tribes: communities around a creator, with a price to join. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { Credits, EpochMillis, Url } from './scalars.ts';

@ObjectType({ description: 'A creator’s community. Everyone has one; joining is free until a cost is set.' })
export class Tribe {
  @Field(() => ID, { description: 'The creator: a user id, or to an app what it asked for.' })
  user: string;

  @Field(() => String, { nullable: true })
  tribeName?: string | null;

  @Field(() => Credits)
  joinCost: bigint;

  @Field(() => Int, { description: 'How many have joined.' })
  memberCount: number;

  @Field()
  isMember: boolean;

  @Field()
  isOwner: boolean;
}

@ObjectType({ description: 'Whether and since when someone is a member of a tribe.' })
export class TribeMembership {
  @Field(() => ID)
  tribeOwner: string;

  @Field(() => ID)
  member: string;

  @Field(() => EpochMillis, { nullable: true, description: 'Null for one who is not a member.' })
  joinedAt?: number | null;
}

@ObjectType({ description: 'A member of the caller’s tribe.' })
export class TribeMember {
  @Field(() => ID, { description: 'Their user id.' })
  member: string;

  @Field(() => String, { nullable: true })
  displayName?: string | null;

  @Field(() => String, { nullable: true, description: 'Their proved name on the streaming platform.' })
  streamUsername?: string | null;

  @Field(() => EpochMillis, { description: 'When they joined.' })
  joinedAt: number;

  @Field(() => Credits, { description: 'What they paid for it.' })
  charged: bigint;
}

export const TribeMemberConnection = ConnectionOf(TribeMember);

@ObjectType({ description: 'A tribe that the caller belongs to.' })
export class OwnMembership {
  @Field(() => ID, { description: 'The creator: a user id.' })
  tribeOwner: string;

  @Field(() => String, { nullable: true, description: 'The name of its creator.' })
  ownerDisplayName?: string | null;

  @Field(() => String, { nullable: true })
  tribeName?: string | null;

  @Field(() => EpochMillis, { description: 'When the caller joined.' })
  joinedAt: number;

  @Field(() => Credits, { description: 'What the caller paid for it.' })
  charged: bigint;
}

export const OwnMembershipConnection = ConnectionOf(OwnMembership);

@ObjectType()
export class JoinedTribe {
  @Field()
  success: boolean;

  @Field({ description: 'An active subscriber on the streaming platform joins free of charge.' })
  isSubscriber: boolean;

  @Field(() => Credits)
  charged: bigint;
}

@ObjectType({ description: 'Where to send the browser to prove a name on the streaming platform.' })
export class StreamLink {
  @Field(() => Url)
  url: string;
}
