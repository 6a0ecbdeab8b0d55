/** The audit log. */
import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { AuditPage } from '../schema/audit.ts';
import { AuditLogArgs } from '../schema/inputs/account.ts';
import { PageArgs } from '../schema/inputs/page.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller } from './context.ts';

@Resolver()
export class AuditResolver {
  @Query(() => AuditPage, { description: 'Sensitive actions on the caller’s account, newest first.' })
  @Allow({ auth: 'firstParty' })
  auditEvents(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<AuditPage> {
    return context.services.auditEvents.own(caller(context), page);
  }

  @Query(() => AuditPage, { description: 'Operators only: sensitive actions on every account, newest first.' })
  @Allow({ auth: 'firstParty' })
  auditLog(@Ctx() context: Context, @Args(() => AuditLogArgs) wanted: AuditLogArgs): Promise<AuditPage> {
    return context.services.auditEvents.all(caller(context), wanted);
  }
}
