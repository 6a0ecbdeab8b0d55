/** Users, and the sessions they are signed in with. */
import { Extensions, Field, ID, Int, ObjectType } from 'type-graphql';
import type { UsageKind } from '../src/kernel/ledger-kinds.ts';
import { ConnectionOf } from './connection.ts';
import { ExportStatusType, UsageKindType } from './enums.ts';
import { EntityId, Node } from './node.ts';
import { CalendarDate, Credits, EpochMillis, LedgerLabelText, SafeInt, Url } from './scalars.ts';

@ObjectType({ description: 'Credits that buy only what one creator is paid for.' })
export class LockedCredits {
  @Field(() => ID)
  creatorUserId: string;

  @Field(() => Credits)
  amount: bigint;
}

@ObjectType({
  description:
    'Credits of a user. `available` includes locked and welcome ones; `transferable` is what gifts can move.',
})
export class Balance {
  @Field(() => Credits)
  available: bigint;

  @Field(() => Credits)
  transferable: bigint;

  @Field(() => Credits, {
    description: 'Left of the welcome credits: they pay for work, and cannot be given away.',
  })
  welcome: bigint;

  @Field(() => Credits)
  held: bigint;

  @Field(() => [LockedCredits])
  locked: LockedCredits[];
}

@ObjectType({ implements: Node, description: 'A person with an account.' })
export class User {
  @EntityId('The person.')
  userId: string;

  @Field(() => String, { nullable: true })
  displayName?: string | null;

  @Field(() => String, { nullable: true, description: 'Name on the streaming platform, once it is proved.' })
  streamUsername?: string | null;

  @Field(() => String, { nullable: true, description: 'Shown to themselves and to operators.' })
  email?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'False while a new account has not confirmed its e-mail address; its welcome credits wait. Null for another user.',
  })
  @Extensions({ lookUp: true })
  emailVerified?: boolean;
}

@ObjectType({ implements: Node, description: 'Somewhere the caller is signed in.' })
export class OpenSession {
  @EntityId('The session.')
  sessionId: string;

  @Field(() => EpochMillis)
  createdAt: number;

  @Field(() => EpochMillis)
  expiresAt: number;

  @Field({ description: 'The one that asks.' })
  isCurrent: boolean;
}

@ObjectType({ description: 'A ZIP file with what is held of an account. An account has one, for a day.' })
export class AccountExport {
  @Field(() => ExportStatusType, { description: 'How far it has come.' })
  status: string;

  @Field(() => EpochMillis, { description: 'When it was asked for.' })
  createdAt: number;

  @Field(() => EpochMillis, { description: 'When it is deleted.' })
  expiresAt: number;

  @Field(() => SafeInt, { nullable: true, description: 'Size of the file, once ready.' })
  bytes?: number | null;

  @Field(() => Url, {
    nullable: true,
    description: 'Where the file is, once ready: a link for an hour or so; ask again for another one.',
  })
  url?: string | null;
}

@ObjectType({ description: 'A first-party sign-in. Send `idToken` as a bearer token.' })
export class Session {
  @Field()
  idToken: string;

  @Field(() => EpochMillis)
  expiresAt: number;

  @Field(() => User)
  user: User;
}

@ObjectType({ implements: Node, description: 'One line of the ledger, as its owner sees it.' })
export class LedgerEntry extends Node {
  @Field(() => LedgerLabelText, { description: 'What it is for; hold while it is open.' })
  kind: string;

  @Field(() => Credits, { description: 'Negative when credits left the account; a hold is shown as what it holds.' })
  amount: bigint;

  @Field({
    description: 'What it is for in a text, e.g. turn:trn_...: it stays when the thing is deleted. See `source`.',
  })
  sourceRef: string;

  @Field(() => String, { nullable: true })
  memo?: string | null;

  @Field(() => ID, { nullable: true, description: 'Set for credits locked to a creator.' })
  creatorUserId?: string | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType({ description: 'What an account used on one day for one thing.' })
export class UsageLine {
  @Field(() => CalendarDate, { description: 'The day.' })
  day: string;

  @Field(() => UsageKindType)
  kind: UsageKind;

  @Field(() => Int, { description: 'How many were paid for.' })
  count: number;

  @Field(() => Credits)
  credits: bigint;
}

export const OpenSessionConnection = ConnectionOf(OpenSession, { counted: true });
export const LedgerEntryConnection = ConnectionOf(LedgerEntry);
