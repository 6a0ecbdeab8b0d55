/** What tribes, and names of the streaming platform, are changed with. */
import { Field, ID, InputType } from 'type-graphql';
import { MICRO } from '../../src/kernel/credits.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Credits } from '../scalars.ts';
import { CreditsBetween, Name, OptionalText } from './rules.ts';

@InputType()
export class UpdateTribeInput {
  @Field(() => String, { nullable: true })
  @OptionalText(LIMITS.tribeName)
  tribeName?: string | null;

  @Field(() => Credits, { nullable: true })
  @CreditsBetween(0n, 10_000n * MICRO)
  joinCost?: bigint | null;
}

@InputType()
export class JoinTribeInput {
  @Field(() => ID)
  user: string;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class LinkStreamAccountInput {
  @Field()
  @Name(LIMITS.streamUsername)
  streamUsername: string;

  @Field(() => ID, { nullable: true, description: 'Default: the caller.' })
  userId?: string | null;
}

@InputType()
export class SetStreamSubscriptionInput {
  @Field(() => ID)
  creatorUserId: string;

  @Field(() => ID)
  memberUserId: string;

  @Field()
  active: boolean;
}

@InputType()
export class FinishStreamLinkInput {
  @Field()
  code: string;

  @Field()
  state: string;
}
