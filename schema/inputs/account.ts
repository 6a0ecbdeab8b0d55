/** What signing up, keys, grants and the audit log are asked with. */
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import type { LedgerKind } from '../../src/kernel/ledger-kinds.ts';
import { EMAIL, LIMITS } from '../../src/kernel/limits.ts';
import { SCOPES, type Scope } from '../../src/kernel/scopes.ts';
import { type AuditAction, AuditActionType } from '../audit.ts';
import { LedgerKindType } from '../enums.ts';
import { Credits, EpochMillis, ScopeText } from '../scalars.ts';
import { PageArgs } from './page.ts';
import { Between, CreditsFrom, EmailAddress, EmailLookup, OptionalText, Secret, SomeOf, Text } from './rules.ts';

@InputType()
export class SignUpInput {
  @Field()
  @EmailAddress(EMAIL)
  email: string;

  @Field()
  @Secret(LIMITS.passwordMin, LIMITS.passwordMax)
  password: string;

  @Field(() => String, { nullable: true })
  @OptionalText(LIMITS.displayName)
  displayName?: string | null;
}

@InputType()
export class SignInInput {
  @Field()
  @EmailLookup()
  email: string;

  @Field()
  password: string;
}

@InputType()
export class VerifyEmailInput {
  @Field()
  token: string;
}

@InputType()
export class ResendVerificationInput {
  @Field(() => String, { nullable: true })
  email?: string | null;
}

@InputType()
export class ChangePasswordInput {
  @Field()
  currentPassword: string;

  @Field()
  @Secret(LIMITS.passwordMin, LIMITS.passwordMax)
  newPassword: string;
}

@InputType()
export class RequestPasswordResetInput {
  @Field()
  @EmailLookup()
  email: string;
}

@InputType()
export class ResetPasswordInput {
  @Field()
  token: string;

  @Field()
  @Secret(LIMITS.passwordMin, LIMITS.passwordMax)
  newPassword: string;
}

@InputType()
export class ChangeEmailInput {
  @Field()
  @EmailAddress(EMAIL)
  email: string;

  @Field({ description: 'The present one.' })
  password: string;
}

@InputType()
export class ConfirmEmailChangeInput {
  @Field()
  token: string;
}

@InputType()
export class DeleteAccountInput {
  @Field()
  password: string;
}

@InputType()
export class UpdateProfileInput {
  @Field(() => String, { nullable: true })
  @OptionalText(LIMITS.displayName)
  displayName?: string | null;
}

const SCOPES_SAY =
  'Restricts the key to the operations that access tokens with these scopes may do. ' +
  'It still speaks for you: what it may read it reads as you do. Default: everything.';

@InputType()
export class CreateApiKeyInput {
  @Field()
  @Text(LIMITS.apiKeyName)
  name: string;

  @Field(() => EpochMillis, { nullable: true, description: 'When it ends by itself; default: never.' })
  expiresAt?: number | null;

  @Field(() => [ScopeText], { nullable: true, description: SCOPES_SAY })
  @SomeOf(SCOPES, 'must not be empty; leave it out for a key without restrictions.')
  scopes?: Scope[] | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class DeleteApiKeyInput {
  @Field(() => ID)
  id: string;
}

@InputType()
export class GrantCreditsInput {
  @Field(() => ID)
  userId: string;

  @Field(() => Credits)
  @CreditsFrom(1n, 'must be above 0.')
  amount: bigint;

  @Field(() => ID, { nullable: true })
  lockedToCreatorUserId?: string | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class RetryFailedJobsInput {
  @Field(() => ID, { nullable: true, description: 'Default: all.' })
  jobId?: string | null;
}

@InputType()
export class SetAvatarNonOwnerCapInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => Credits, { nullable: true })
  @CreditsFrom(0n, 'must not be below 0.')
  creditsPerDay?: bigint | null;
}

@ArgsType()
export class AuditLogArgs extends PageArgs {
  @Field(() => ID, { nullable: true })
  userId?: string | null;

  @Field(() => AuditActionType, { nullable: true })
  action?: AuditAction | null;
}

@ArgsType()
export class OperatorUsersArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Part of a name or an e-mail address, or an id.' })
  search?: string | null;
}

@ArgsType()
export class LedgerArgs extends PageArgs {
  @Field(() => LedgerKindType, { nullable: true, description: 'Only lines of this kind.' })
  kind?: LedgerKind | null;
}

@ArgsType()
export class UsageArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: LIMITS.usageDaysDefault,
    description: 'How many days, today the last.',
  })
  @Between(1, LIMITS.usageDays)
  days?: number | null;
}
