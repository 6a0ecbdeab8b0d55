/** What operators see and do. */
import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { OperatorUsersArgs, RetryFailedJobsInput } from '../schema/inputs/account.ts';
import { PageArgs } from '../schema/inputs/page.ts';
import {
  type AccountSummary,
  AccountSummaryConnection,
  EngineCheck,
  type FailedJob,
  FailedJobConnection,
  JobQueue,
  StorageUsed,
} from '../schema/operators.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';

/** What operators see and do. */
@Resolver()
export class OperatorResolver {
  @Query(() => AccountSummaryConnection, { description: 'Operators only: accounts, newest first.' })
  @Allow({ auth: 'firstParty' })
  operatorUsers(
    @Ctx() context: Context,
    @Args(() => OperatorUsersArgs) wanted: OperatorUsersArgs,
  ): Promise<Connection<AccountSummary>> {
    return context.services.operators.users(caller(context), wanted);
  }

  @Query(() => [JobQueue], { description: 'Operators only: background work by kind.' })
  @Allow({ auth: 'firstParty' })
  jobQueues(@Ctx() context: Context): Promise<JobQueue[]> {
    return context.services.operators.queues(caller(context));
  }

  @Query(() => FailedJobConnection, {
    description: 'Operators only: work that failed for good, newest first, the newest 500 of it.',
  })
  @Allow({ auth: 'firstParty' })
  failedJobs(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<FailedJob>> {
    return context.services.operators.failedJobs(caller(context), page);
  }

  @Mutation(() => Int, {
    description:
      'Operators only: gives failed work more attempts; how many were given any. What has ended meanwhile is not done, ' +
      'nor charged, a second time.',
  })
  @Allow({ auth: 'firstParty' })
  retryFailedJobs(
    @Ctx() context: Context,
    @Arg('input', () => RetryFailedJobsInput) { jobId }: RetryFailedJobsInput,
  ): Promise<number> {
    return context.services.operators.retry(caller(context), jobId ?? null);
  }

  @Query(() => [EngineCheck], {
    description: 'Operators only: asks everything that is configured once, as `npm run doctor` does. It takes a while.',
  })
  @Allow({ auth: 'firstParty' })
  engineHealth(@Ctx() context: Context): Promise<EngineCheck[]> {
    return context.services.operators.health(caller(context));
  }

  @Query(() => StorageUsed, { description: 'Operators only.' })
  @Allow({ auth: 'firstParty' })
  storageUsed(@Ctx() context: Context): Promise<StorageUsed> {
    return context.services.operators.storage(caller(context));
  }
}
