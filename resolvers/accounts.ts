/** Sign-in, the caller's own account, and what operators grant. */
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Credits } from '../schema/scalars.ts';
import { Balance, LedgerPage, Session, User } from '../schema/user.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller, originOf } from './context.ts';

@Resolver(() => User)
export class AccountResolver {
  @Mutation(() => Session)
  @Allow({ auth: 'none' })
  signUp(
    @Ctx() context: Context,
    @Arg('email', () => String) email: string,
    @Arg('password', () => String) password: string,
    @Arg('displayName', () => String, { nullable: true }) displayName?: string | null,
  ): Promise<Session> {
    return context.services.accounts.signUp({ email, password, displayName: displayName ?? null }, originOf(context));
  }

  @Mutation(() => Session)
  @Allow({ auth: 'none' })
  signIn(
    @Ctx() context: Context,
    @Arg('email', () => String) email: string,
    @Arg('password', () => String) password: string,
  ): Promise<Session> {
    return context.services.accounts.signIn({ email, password }, originOf(context));
  }

  @Mutation(() => Boolean, {
    description:
      'Confirms an e-mail address with the token of a mailed link: the welcome credits are granted. A token works once, ' +
      'for 24 hours: CONFLICT when it was used, EXPIRED when it is too old, NOT_FOUND when it is none.',
  })
  @Allow({ auth: 'none' })
  verifyEmail(@Ctx() context: Context, @Arg('token', () => String) token: string): Promise<boolean> {
    return context.services.emailVerification.verify(token, originOf(context));
  }

  @Mutation(() => Boolean, {
    description:
      'Sends the link again: to the caller, or to an address. By address it is always true, so that nobody learns who ' +
      'has an account; for the caller it is false when the address is confirmed. An account is sent few mails a day.',
  })
  @Allow({ auth: 'optional' })
  resendVerification(
    @Ctx() { services, principal }: Context,
    @Arg('email', () => String, { nullable: true }) email?: string | null,
  ): Promise<boolean> {
    const self = principal?.kind === 'token' ? undefined : principal;
    return services.emailVerification.resend(email == null ? self : { email });
  }

  @Mutation(() => Boolean)
  @Allow({ auth: 'session' })
  signOut(@Ctx() context: Context): Promise<boolean> {
    return context.services.accounts.signOut(caller(context));
  }

  @Query(() => User)
  @Allow({ auth: 'firstParty' })
  me(@Ctx() context: Context): Promise<User> {
    return context.services.accounts.user(caller(context).userId);
  }

  @FieldResolver(() => Balance)
  balance(@Ctx() { services }: Context, @Root() user: User): Promise<Balance> {
    return services.accounts.balance(user.userId);
  }

  @Query(() => LedgerPage, { description: 'Every charge, hold, gift and grant of the caller, newest first.' })
  @Allow({ auth: 'firstParty' })
  ledgerEntries(
    @Ctx() context: Context,
    @Arg('first', () => Int, { nullable: true }) first?: number | null,
    @Arg('after', () => String, { nullable: true }) after?: string | null,
  ): Promise<LedgerPage> {
    return context.services.accounts.ledger(caller(context).userId, first, after);
  }

  @Mutation(() => Balance, { description: 'Operators only.' })
  @Allow({ auth: 'firstParty' })
  grantCredits(
    @Ctx() context: Context,
    @Arg('userId', () => ID) userId: string,
    @Arg('amount', () => Credits) amount: bigint,
    @Arg('lockedToCreatorUserId', () => ID, { nullable: true }) lockedToCreatorUserId?: string | null,
  ): Promise<Balance> {
    return context.services.accounts.grantCredits(caller(context), {
      userId,
      amount,
      lockedToCreatorUserId: lockedToCreatorUserId ?? null,
    });
  }
}
