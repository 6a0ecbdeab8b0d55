/** An avatar's page: its owner's settings, and the visitors who talk there. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { PageArgs } from '../schema/inputs/page.ts';
import {
  BeginVisitInput,
  InterruptAvatarInput,
  SayToAvatarInput,
  SetTalkSettingsInput,
  SetVisitorBlockedInput,
  TranscribeForAvatarInput,
} from '../schema/inputs/visitor.ts';
import { LookUp } from '../schema/node.ts';
import { Transcript } from '../schema/speech.ts';
import { InterruptedTurn } from '../schema/turn.ts';
import {
  BeginVisitPayload,
  SayToAvatarPayload,
  SetTalkSettingsPayload,
  SetVisitorBlockedPayload,
  TalkPage,
  TalkSettings,
  type Visitor,
  VisitorConnection,
} from '../schema/visitor.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

@Resolver()
export class TalkSettingsResolver {
  @LookUp(() => TalkSettings, 'Who may talk with an own avatar on its page.')
  @Allow({ auth: 'firstParty' })
  talkSettings(@Ctx() context: Context, @Arg('avatarId', () => ID) avatarId: string): Promise<TalkSettings> {
    return context.services.talkSettings.read(caller(context), avatarId);
  }

  @Mutation(() => SetTalkSettingsPayload, {
    description: 'Opens an own avatar’s page, closes it or changes what visitors may cost; it holds at once.',
  })
  @Allow({ auth: 'firstParty' })
  async setTalkSettings(
    @Ctx() context: Context,
    @Arg('input', () => SetTalkSettingsInput) input: SetTalkSettingsInput,
  ): Promise<SetTalkSettingsPayload> {
    return { settings: await context.services.talkSettings.set(caller(context), input) };
  }

  @Query(() => VisitorConnection, { description: 'Who came to the page of an own avatar, newest first.' })
  @Allow({ auth: 'firstParty' })
  visitors(
    @Ctx() context: Context,
    @Arg('avatarId', () => ID) avatarId: string,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<Visitor>> {
    return context.services.talkSettings.visitors(caller(context), avatarId, page);
  }

  @Mutation(() => SetVisitorBlockedPayload, { description: 'Shuts a visitor of an own avatar out, or lets them in.' })
  @Allow({ auth: 'firstParty' })
  async setVisitorBlocked(
    @Ctx() context: Context,
    @Arg('input', () => SetVisitorBlockedInput) input: SetVisitorBlockedInput,
  ): Promise<SetVisitorBlockedPayload> {
    const isBlocked = await context.services.talkSettings.setBlocked(caller(context), input);
    return { visitorId: input.visitorId, isBlocked };
  }
}

@Resolver()
export class VisitorResolver {
  @LookUp(() => TalkPage, 'What anyone may see of an avatar that can be talked with on its page.')
  @Allow({ auth: 'none' })
  talkPage(@Ctx() { services }: Context, @Arg('slug', () => String) slug: string): Promise<TalkPage> {
    return services.visitors.page(slug);
  }

  @Mutation(() => BeginVisitPayload, {
    description: 'Comes to an avatar’s page, signed in or not: the caller’s own private conversation with it.',
  })
  @Allow({ auth: 'optional' })
  beginVisit(
    @Ctx() { services, principal, address }: Context,
    @Arg('input', () => BeginVisitInput) input: BeginVisitInput,
  ): Promise<BeginVisitPayload> {
    return services.visitors.begin(principal, input, address);
  }

  @Mutation(() => SayToAvatarPayload, {
    description:
      'Says something as a visitor; charged to the avatar’s owner. Refused, and nothing charged: BAD_INPUT (`field`), ' +
      'INSUFFICIENT_CREDITS (no amounts: what the owner has is not disclosed), NOT_FOUND, UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED.',
  })
  @Allow({ auth: 'optional' })
  @Idempotent()
  async sayToAvatar(
    @Ctx() { services, principal, keyed }: Context,
    @Arg('input', () => SayToAvatarInput) input: SayToAvatarInput,
  ): Promise<SayToAvatarPayload> {
    return { turn: await services.visitors.say(principal, input, keyed) };
  }

  @Mutation(() => InterruptedTurn, { description: 'Ends a reply where a visitor speaks over it, as `interruptTurn`.' })
  @Allow({ auth: 'optional' })
  interruptAvatar(
    @Ctx() { services, principal }: Context,
    @Arg('input', () => InterruptAvatarInput) input: InterruptAvatarInput,
  ): Promise<InterruptedTurn> {
    return services.visitors.interrupt(principal, input);
  }

  @Mutation(() => Transcript, { description: 'Writes down what a visitor says, as `transcribe`.' })
  @Allow({ auth: 'optional' })
  transcribeForAvatar(
    @Ctx() { services, principal }: Context,
    @Arg('input', () => TranscribeForAvatarInput) input: TranscribeForAvatarInput,
  ): Promise<Transcript> {
    return services.visitors.transcribe(principal, input);
  }
}
