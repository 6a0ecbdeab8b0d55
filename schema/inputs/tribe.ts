/** What tribes, and names of the streaming platform, are changed with. */
import { ArgsType, Field, ID } from 'type-graphql';
import { MICRO } from '../../src/kernel/credits.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Credits } from '../scalars.ts';
import { CreditsBetween, Name, OptionalText } from './rules.ts';

@ArgsType()
export class UpdateTribeArgs {
  @Field(() => String, { nullable: true })
  @OptionalText(LIMITS.tribeName)
  tribeName?: string | null;

  @Field(() => Credits, { nullable: true })
  @CreditsBetween(0n, 10_000n * MICRO)
  joinCost?: bigint | null;
}

@ArgsType()
export class LinkStreamAccountArgs {
  @Field()
  @Name(LIMITS.streamUsername)
  streamUsername: string;

  @Field(() => ID, { nullable: true, description: 'Default: the caller.' })
  userId?: string | null;
}
