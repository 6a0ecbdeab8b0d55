/** The audit log. */
import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { AuditPage } from '../schema/audit.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller } from './context.ts';

@Resolver()
export class AuditResolver {
  @Query(() => AuditPage, { description: 'Sensitive actions on the caller’s account, newest first.' })
  @Allow({ auth: 'firstParty' })
  auditEvents(
    @Ctx() context: Context,
    @Arg('first', () => Int, { nullable: true }) first?: number | null,
    @Arg('after', () => String, { nullable: true }) after?: string | null,
  ): Promise<AuditPage> {
    return context.services.auditEvents.own(caller(context), { first: first ?? null, after: after ?? null });
  }

  @Query(() => AuditPage, { description: 'Operators only: sensitive actions on every account, newest first.' })
  @Allow({ auth: 'firstParty' })
  auditLog(
    @Ctx() context: Context,
    @Arg('userId', () => ID, { nullable: true }) userId?: string | null,
    @Arg('action', () => String, { nullable: true }) action?: string | null,
    @Arg('first', () => Int, { nullable: true }) first?: number | null,
    @Arg('after', () => String, { nullable: true }) after?: string | null,
  ): Promise<AuditPage> {
    const where = { userId: userId ?? null, action: action ?? null };
    return context.services.auditEvents.all(caller(context), where, { first: first ?? null, after: after ?? null });
  }
}
