/** Tribes, and the streaming platform that says who subscribes. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { PageArgs } from '../schema/inputs/page.ts';
import {
  FinishStreamLinkInput,
  JoinTribeInput,
  LinkStreamAccountInput,
  SetStreamSubscriptionInput,
  UpdateTribeInput,
} from '../schema/inputs/tribe.ts';
import { LookUp } from '../schema/node.ts';
import {
  JoinedTribe,
  type OwnMembership,
  OwnMembershipConnection,
  StreamLink,
  Tribe,
  type TribeMember,
  TribeMemberConnection,
  TribeMembership,
} from '../schema/tribe.ts';
import { User } from '../schema/user.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

@Resolver()
export class TribeResolver {
  @LookUp(() => Tribe, 'The tribe of a creator.')
  @Allow({ auth: 'bearer', scopes: ['tribes'] })
  tribe(@Ctx() context: Context, @Arg('user', () => ID) user: string): Promise<Tribe> {
    return context.services.tribes.read(caller(context), user);
  }

  @LookUp(() => TribeMembership, 'Whether someone is a member: asked by the creator, or by that member.')
  @Allow({ auth: 'bearer', scopes: ['tribes'] })
  tribeMembership(
    @Ctx() context: Context,
    @Arg('user', () => ID) user: string,
    @Arg('member', () => ID, { nullable: true, description: 'Default: the caller.' }) member?: string | null,
  ): Promise<TribeMembership> {
    return context.services.tribes.membership(caller(context), user, member);
  }

  @Query(() => TribeMemberConnection, {
    description: 'Who belongs to the caller’s tribe, in the order of their accounts. For its owner alone.',
  })
  @Allow({ auth: 'firstParty' })
  tribeMembers(
    @Ctx() context: Context,
    @Arg('user', () => ID, { description: 'The caller: a user id or streamUsername.' }) user: string,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<TribeMember>> {
    return context.services.tribes.members(caller(context), user, page);
  }

  @Query(() => OwnMembershipConnection, {
    description: 'The tribes that the caller belongs to, in the order of their creators’ accounts.',
  })
  @Allow({ auth: 'firstParty' })
  tribesJoined(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<OwnMembership>> {
    return context.services.tribes.joined(caller(context), page);
  }

  @Mutation(() => JoinedTribe)
  @Allow({ auth: 'bearer', scopes: ['tribes'] })
  @Idempotent()
  joinTribe(
    @Ctx() context: Context,
    @Arg('input', () => JoinTribeInput) { user }: JoinTribeInput,
  ): Promise<JoinedTribe> {
    return context.services.tribes.join(caller(context), user);
  }

  @Mutation(() => Tribe, { description: 'Names your tribe or sets its price; what is left out stays.' })
  @Allow({ auth: 'firstParty' })
  updateTribe(@Ctx() context: Context, @Arg('input', () => UpdateTribeInput) change: UpdateTribeInput): Promise<Tribe> {
    return context.services.tribes.update(caller(context), change);
  }
}

@Resolver()
export class StreamResolver {
  @Mutation(() => User, { description: 'Operators, where no streaming platform is configured.' })
  @Allow({ auth: 'firstParty' })
  linkStreamAccount(
    @Ctx() context: Context,
    @Arg('input', () => LinkStreamAccountInput) { streamUsername, userId }: LinkStreamAccountInput,
  ): Promise<User> {
    return context.services.streamLinks.link(caller(context), userId, streamUsername);
  }

  @Mutation(() => Boolean, { description: 'Operators, where no streaming platform is configured.' })
  @Allow({ auth: 'firstParty' })
  setStreamSubscription(
    @Ctx() context: Context,
    @Arg('input', () => SetStreamSubscriptionInput) input: SetStreamSubscriptionInput,
  ): Promise<boolean> {
    return context.services.streamLinks.setSubscription(caller(context), input);
  }

  @Mutation(() => StreamLink, { description: 'Begins the sign-in at the streaming platform that proves your name.' })
  @Allow({ auth: 'session' })
  startStreamLink(@Ctx() context: Context): Promise<StreamLink> {
    return context.services.streamLinks.start(caller(context));
  }

  @Mutation(() => User, { description: 'Ends that sign-in with what the platform sent back.' })
  @Allow({ auth: 'session' })
  finishStreamLink(
    @Ctx() context: Context,
    @Arg('input', () => FinishStreamLinkInput) { code, state }: FinishStreamLinkInput,
  ): Promise<User> {
    return context.services.streamLinks.finish(caller(context), code, state);
  }
}
