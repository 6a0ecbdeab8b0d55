/** Sign-in, the caller's own account, and what operators grant. */
import { Arg, Args, Ctx, Extensions, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  ChangeEmailInput,
  ChangePasswordInput,
  ConfirmEmailChangeInput,
  DeleteAccountInput,
  GrantCreditsInput,
  LedgerArgs,
  RequestPasswordResetInput,
  ResendVerificationInput,
  ResetPasswordInput,
  SignInInput,
  SignUpInput,
  UpdateProfileInput,
  UsageArgs,
  VerifyEmailInput,
} from '../schema/inputs/account.ts';
import { WholeListArgs } from '../schema/inputs/page.ts';
import { Deleted, WholeList } from '../schema/node.ts';
import {
  AccountExport,
  Balance,
  type LedgerEntry,
  LedgerEntryConnection,
  type OpenSession,
  OpenSessionConnection,
  Session,
  UsageLine,
  User,
} from '../schema/user.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Connection, cutPage, type Listing } from '../src/kernel/keyset.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { type Context, caller, originOf } from './context.ts';
import { Idempotent } from './idempotent.ts';

/** Newest first. */
const SESSIONS: Listing<OpenSession> = { name: 'OpenSession', order: 'desc', keyOf: ({ sessionId }) => sessionId };

@Resolver(() => User)
export class AccountResolver {
  @Mutation(() => Session)
  @Allow({ auth: 'none' })
  signUp(@Ctx() context: Context, @Arg('input', () => SignUpInput) account: SignUpInput): Promise<Session> {
    return context.services.accounts.signUp(account, originOf(context));
  }

  @Mutation(() => Session)
  @Allow({ auth: 'none' })
  signIn(@Ctx() context: Context, @Arg('input', () => SignInInput) given: SignInInput): Promise<Session> {
    return context.services.accounts.signIn(given, originOf(context));
  }

  @Mutation(() => Boolean, {
    description:
      'Confirms an e-mail address with the token of a mailed link: the welcome credits are granted. A token works once, ' +
      'for 24 hours: CONFLICT when it was used, EXPIRED when it is too old, NOT_FOUND when it is none.',
  })
  @Allow({ auth: 'none' })
  verifyEmail(
    @Ctx() context: Context,
    @Arg('input', () => VerifyEmailInput) { token }: VerifyEmailInput,
  ): Promise<boolean> {
    return context.services.emailVerification.verify(token, originOf(context));
  }

  @Mutation(() => Boolean, {
    description:
      'Sends the link again: to the caller, or to an address. By address it is always true, so that it does not show who ' +
      'has an account; for the caller it is false when the address is confirmed. An account is sent few mails a day.',
  })
  @Allow({ auth: 'optional' })
  resendVerification(
    @Ctx() { services, principal }: Context,
    @Arg('input', () => ResendVerificationInput) { email }: ResendVerificationInput,
  ): Promise<boolean> {
    const self = principal?.kind === 'token' ? undefined : principal;
    return services.emailVerification.resend(email == null ? self : { email });
  }

  @Mutation(() => Boolean)
  @Allow({ auth: 'session' })
  signOut(@Ctx() context: Context): Promise<boolean> {
    return context.services.accounts.signOut(caller(context));
  }

  @Mutation(() => User, { description: 'Changes what others see of the caller.' })
  @Allow({ auth: 'session' })
  updateProfile(
    @Ctx() context: Context,
    @Arg('input', () => UpdateProfileInput) { displayName }: UpdateProfileInput,
  ): Promise<User> {
    return context.services.accountSettings.rename(caller(context), displayName ?? null);
  }

  @Mutation(() => Boolean, { description: 'Sets a new password and ends every other session of the caller.' })
  @Allow({ auth: 'session' })
  changePassword(
    @Ctx() context: Context,
    @Arg('input', () => ChangePasswordInput) given: ChangePasswordInput,
  ): Promise<boolean> {
    return context.services.accountSettings.changePassword(caller(context), given);
  }

  @Mutation(() => Boolean, {
    description:
      'Mails a link that sets a new password, for 30 minutes. Always true, so that it does not show who has an account; ' +
      'UNAVAILABLE where the instance sends no mail. An account is sent few a day.',
  })
  @Allow({ auth: 'none' })
  requestPasswordReset(
    @Ctx() { services }: Context,
    @Arg('input', () => RequestPasswordResetInput) { email }: RequestPasswordResetInput,
  ): Promise<boolean> {
    return services.accountLinks.requestReset(email);
  }

  @Mutation(() => Boolean, {
    description:
      'Sets a new password with the token of a mailed link and ends every session. A token works once: CONFLICT when it ' +
      'was used, EXPIRED when it is too old, NOT_FOUND when it is none.',
  })
  @Allow({ auth: 'none' })
  resetPassword(
    @Ctx() context: Context,
    @Arg('input', () => ResetPasswordInput) given: ResetPasswordInput,
  ): Promise<boolean> {
    return context.services.accountLinks.resetPassword(given, originOf(context));
  }

  @Mutation(() => Boolean, {
    description:
      'Gives the account another e-mail address. False: a link was mailed to it and waits for 24 hours to be followed; ' +
      'true: changed at once, where the instance sends no mail.',
  })
  @Allow({ auth: 'session' })
  changeEmail(
    @Ctx() context: Context,
    @Arg('input', () => ChangeEmailInput) given: ChangeEmailInput,
  ): Promise<boolean> {
    return context.services.accountLinks.changeEmail(caller(context), given);
  }

  @Mutation(() => Boolean, { description: 'Takes the new address with the token of the link that was mailed to it.' })
  @Allow({ auth: 'none' })
  confirmEmailChange(
    @Ctx() context: Context,
    @Arg('input', () => ConfirmEmailChangeInput) { token }: ConfirmEmailChangeInput,
  ): Promise<boolean> {
    return context.services.accountLinks.confirmEmailChange(token, originOf(context));
  }

  @WholeList(() => OpenSessionConnection, 'Where the caller is signed in, newest first.')
  @Allow({ auth: 'session' })
  async sessions(
    @Ctx() context: Context,
    @Args(() => WholeListArgs) page: WholeListArgs,
  ): Promise<Connection<OpenSession>> {
    return cutPage(page, SESSIONS, await context.services.accountSettings.list(caller(context)));
  }

  @Mutation(() => Int, { description: 'Ends every session of the caller, this one too; keys and apps stay.' })
  @Allow({ auth: 'session' })
  signOutEverywhere(@Ctx() context: Context): Promise<number> {
    return context.services.accountSettings.signOutEverywhere(caller(context));
  }

  @Mutation(() => Deleted, {
    description:
      'Deletes the account with everything it made; its credits are lost. Ledger entries stay, without a name.',
  })
  @Allow({ auth: 'session' })
  async deleteAccount(
    @Ctx() context: Context,
    @Arg('input', () => DeleteAccountInput) { password }: DeleteAccountInput,
  ): Promise<Deleted> {
    await context.services.accountDeletion.delete(caller(context), password);
    return new Deleted(caller(context).userId);
  }

  @Mutation(() => AccountExport, {
    description:
      'Puts together a ZIP file with what is held of the caller: profile, avatars, conversations, images, speech, videos, ' +
      'uploads, memories, ledger and activity as JSON, and the media. It replaces the last one; while one is being made, ' +
      'that one is the answer. One an hour, unless the last one failed. See `accountExport`.',
  })
  @Allow({ auth: 'session' })
  exportAccount(@Ctx() context: Context): Promise<AccountExport> {
    return context.services.accountExports.start(caller(context));
  }

  @Query(() => AccountExport, {
    nullable: true,
    description: 'The export of the caller’s account; null where there is none.',
  })
  @Allow({ auth: 'session' })
  accountExport(@Ctx() context: Context): Promise<AccountExport | null> {
    return context.services.accountExports.read(caller(context));
  }

  @Query(() => User)
  @Allow({ auth: 'firstParty' })
  me(@Ctx() context: Context): Promise<User> {
    return context.services.accounts.user(caller(context).userId);
  }

  @FieldResolver(() => Balance, { nullable: true, description: 'Your credits; null for another user.' })
  @Extensions({ lookUp: true })
  async balance(@Ctx() { services }: Context, @Root() { userId, emailVerified }: User): Promise<Balance | null> {
    // Of another user only the names are read.
    return emailVerified === undefined ? null : services.accounts.balance(userId);
  }

  @FieldResolver(() => Boolean, { nullable: true, description: 'True for an operator; null for another user.' })
  @Extensions({ lookUp: true })
  isOperator(@Ctx() { services }: Context, @Root() user: User): boolean | null {
    return user.emailVerified === undefined ? null : services.accounts.isOperator(user);
  }

  @Query(() => LedgerEntryConnection, {
    description: 'Every charge, hold, gift and grant of the caller, newest first.',
  })
  @Allow({ auth: 'firstParty' })
  ledgerEntries(@Ctx() context: Context, @Args(() => LedgerArgs) page: LedgerArgs): Promise<Connection<LedgerEntry>> {
    return context.services.accounts.ledger(caller(context).userId, page);
  }

  @Query(() => [UsageLine], {
    description: 'What the caller’s credits were used for on each of the last days, oldest first.',
  })
  @Allow({ auth: 'firstParty' })
  usage(@Ctx() context: Context, @Args(() => UsageArgs) { days }: UsageArgs): Promise<UsageLine[]> {
    return context.services.accounts.usage(caller(context).userId, days ?? LIMITS.usageDaysDefault);
  }

  @Mutation(() => Balance, { description: 'Operators only.' })
  @Allow({ auth: 'firstParty' })
  @Idempotent()
  grantCredits(
    @Ctx() context: Context,
    @Arg('input', () => GrantCreditsInput) request: GrantCreditsInput,
  ): Promise<Balance> {
    return context.services.accounts.grantCredits(caller(context), request);
  }
}
