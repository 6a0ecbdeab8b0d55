/** What operators see of the instance. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { CheckAnswerType, EnginePartType, JobKindType } from './enums.ts';
import { Credits, EpochMillis, SafeInt } from './scalars.ts';

@ObjectType({ description: 'An account, as operators see it.' })
export class AccountSummary {
  @Field(() => ID, { description: 'Whose account it is.' })
  userId: string;

  @Field(() => String, { description: 'Their name.', nullable: true })
  displayName?: string | null;

  @Field(() => String, { description: 'Their address.', nullable: true })
  email?: string | null;

  @Field({ description: 'Whether the address is confirmed.' })
  emailVerified: boolean;

  @Field(() => EpochMillis, { description: 'When it was made.' })
  createdAt: number;

  @Field(() => Credits, { description: 'What the account can spend.' })
  available: bigint;

  @Field(() => SafeInt, { description: 'Bytes of its stored media, as its quota counts them.' })
  storageBytes: number;
}

@ObjectType({ description: 'How much background work of one kind there is.' })
export class JobQueue {
  @Field(() => JobKindType, { description: 'What the work is.' })
  kind: string;

  @Field(() => Int, { description: 'Waiting for a worker, or to be tried again.' })
  waiting: number;

  @Field(() => Int, { description: 'Done by a worker now.' })
  running: number;

  @Field(() => Int, { description: 'Failed for good; listed for two weeks.' })
  failed: number;
}

@ObjectType({ description: 'Background work that failed for good.' })
export class FailedJob {
  @Field(() => ID, { description: 'The job.' })
  jobId: string;

  @Field(() => JobKindType, { description: 'What the work was.' })
  kind: string;

  @Field(() => ID, { description: 'What the work is on, e.g. a turn.' })
  workId: string;

  @Field(() => ID, { nullable: true, description: 'The account that asked for it.' })
  userId?: string | null;

  @Field(() => EpochMillis, { description: 'When the last attempt ended.' })
  failedAt: number;

  @Field(() => Int, { description: 'How often it was tried.' })
  attempts: number;

  @Field(() => Int, { description: 'Attempts that ended in an error of the work itself.' })
  errors: number;

  @Field(() => Int, { description: 'Attempts that found something away.' })
  outages: number;
}

@ObjectType({ description: 'Something that the instance needs, asked once with as little as it takes.' })
export class EngineCheck {
  @Field(() => EnginePartType, { description: 'What was asked.' })
  part: string;

  @Field(() => CheckAnswerType, { description: 'Whether it answered.' })
  answer: string;

  @Field(() => Int, { nullable: true, description: 'How long that took, milliseconds.' })
  ms?: number | null;

  @Field({ description: 'Who was asked: host and model, or that it is built in.' })
  by: string;

  @Field({ description: 'A word on the answer, or why there is none.' })
  note: string;
}

@ObjectType({ description: 'What the media of all accounts take.' })
export class StorageUsed {
  @Field(() => SafeInt, { description: 'Bytes of stored media, as the quotas count them.' })
  bytes: number;

  @Field(() => Int, { description: 'Accounts that have media.' })
  accounts: number;
}

export const FailedJobConnection = ConnectionOf(FailedJob, { counted: true });
export const AccountSummaryConnection = ConnectionOf(AccountSummary);
