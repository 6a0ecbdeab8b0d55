/** The audit log. */
import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { type AuditEvent, AuditEventConnection } from '../schema/audit.ts';
import { AuditLogArgs } from '../schema/inputs/account.ts';
import { PageArgs } from '../schema/inputs/page.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';

@Resolver()
export class AuditResolver {
  @Query(() => AuditEventConnection, { description: 'Sensitive actions on the caller’s account, newest first.' })
  @Allow({ auth: 'firstParty' })
  auditEvents(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<AuditEvent>> {
    return context.services.auditEvents.own(caller(context), page);
  }

  @Query(() => AuditEventConnection, {
    description: 'Operators only: sensitive actions on every account, newest first.',
  })
  @Allow({ auth: 'firstParty' })
  auditLog(@Ctx() context: Context, @Args(() => AuditLogArgs) wanted: AuditLogArgs): Promise<Connection<AuditEvent>> {
    return context.services.auditEvents.all(caller(context), wanted);
  }
}
