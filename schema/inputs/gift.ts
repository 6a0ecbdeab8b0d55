/** What gifts are asked with. */
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { MICRO } from '../../src/kernel/credits.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Credits } from '../scalars.ts';
import { CreditsBetween, OptionalText, Text } from './rules.ts';

@InputType()
export class ProposeGiftInput {
  @Field({ description: 'User id or streamUsername.' })
  @Text(LIMITS.url)
  to: string;

  @Field(() => Credits, { description: '0.01 to 1000 credits.' })
  @CreditsBetween(MICRO / 100n, 1_000n * MICRO)
  amount: bigint;

  @Field(() => String, { nullable: true })
  @OptionalText(LIMITS.giftNote)
  note?: string | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class ConfirmGiftInput {
  @Field(() => ID)
  intentId: string;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class CancelGiftInput {
  @Field(() => ID)
  intentId: string;
}

@ArgsType()
export class GiftsSentArgs {
  @Field()
  @Text(LIMITS.url)
  to: string;
}
