/** Gifts of credits. Only a signed-in session confirms: a key or token gets 403. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Avatar } from '../schema/avatar.ts';
import {
  GiftConfirmation,
  GiftIntent,
  GiftStatus,
  type GivenGift,
  GivenGiftConnection,
  type ReceivedGift,
  ReceivedGiftConnection,
  SentGifts,
} from '../schema/gift.ts';
import { SetAvatarNonOwnerCapInput } from '../schema/inputs/account.ts';
import { CancelGiftInput, ConfirmGiftInput, GiftsSentArgs, ProposeGiftInput } from '../schema/inputs/gift.ts';
import { PageArgs } from '../schema/inputs/page.ts';
import { LookUp } from '../schema/node.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

@Resolver()
export class GiftResolver {
  @LookUp(() => GiftIntent, 'A gift that the caller, or the caller’s app, proposed.')
  @Allow({ auth: 'bearer', scopes: ['donations'] })
  giftIntent(@Ctx() context: Context, @Arg('intentId', () => ID) intentId: string): Promise<GiftIntent> {
    return context.services.gifts.read(caller(context), intentId);
  }

  @LookUp(() => GiftConfirmation, 'What the sender reads before confirming a gift.')
  @Allow({ auth: 'session', otherwise: 'FORBIDDEN' })
  giftConfirmation(@Ctx() context: Context, @Arg('intentId', () => ID) intentId: string): Promise<GiftConfirmation> {
    return context.services.gifts.confirmation(caller(context), intentId);
  }

  @LookUp(() => SentGifts, 'Confirmed gifts of the caller to one recipient.')
  @Allow({ auth: 'bearer', scopes: ['donations'] })
  giftsSent(@Ctx() context: Context, @Args(() => GiftsSentArgs) { to }: GiftsSentArgs): Promise<SentGifts> {
    return context.services.gifts.sent(caller(context), to);
  }

  @Query(() => ReceivedGiftConnection, { description: 'Confirmed gifts to the caller, newest first.' })
  @Allow({ auth: 'firstParty' })
  giftsReceived(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<ReceivedGift>> {
    return context.services.gifts.received(caller(context), page);
  }

  @Query(() => GivenGiftConnection, { description: 'Confirmed gifts of the caller, newest first.' })
  @Allow({ auth: 'firstParty' })
  giftsGiven(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<GivenGift>> {
    return context.services.gifts.given(caller(context), page);
  }

  @Mutation(() => GiftIntent)
  @Allow({ auth: 'bearer', scopes: ['donations'] })
  @Idempotent()
  proposeGift(
    @Ctx() context: Context,
    @Arg('input', () => ProposeGiftInput) gift: ProposeGiftInput,
  ): Promise<GiftIntent> {
    return context.services.gifts.propose(caller(context), gift);
  }

  @Mutation(() => GiftIntent)
  @Allow({ auth: 'session', otherwise: 'FORBIDDEN' })
  @Idempotent()
  confirmGift(
    @Ctx() context: Context,
    @Arg('input', () => ConfirmGiftInput) { intentId }: ConfirmGiftInput,
  ): Promise<GiftIntent> {
    return context.services.gifts.confirm(caller(context), intentId);
  }

  @Mutation(() => GiftStatus)
  @Allow({ auth: 'bearer', scopes: ['donations'] })
  cancelGift(
    @Ctx() context: Context,
    @Arg('input', () => CancelGiftInput) { intentId }: CancelGiftInput,
  ): Promise<GiftStatus> {
    return context.services.gifts.cancel(caller(context), intentId);
  }

  @Mutation(() => Avatar, {
    description: 'Caps what other users spend per UTC day on your public avatar; null lifts it.',
  })
  @Allow({ auth: 'firstParty' })
  setAvatarNonOwnerCap(
    @Ctx() context: Context,
    @Arg('input', () => SetAvatarNonOwnerCapInput) { avatarId, creditsPerDay }: SetAvatarNonOwnerCapInput,
  ): Promise<Avatar> {
    return context.services.spendingCaps.set(caller(context), avatarId, creditsPerDay ?? null);
  }
}
