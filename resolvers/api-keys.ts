/** API keys: sessions only. */
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { ApiKey, NewApiKey } from '../schema/api-key.ts';
import { EpochMillis } from '../schema/scalars.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller } from './context.ts';

const SCOPES_SAY =
  'Restricts the key to the operations that access tokens with these scopes may do. It still speaks for you: what it may read it reads as you do. Default: everything.';

@Resolver()
export class ApiKeyResolver {
  @Query(() => [ApiKey])
  @Allow({ auth: 'session' })
  apiKeys(@Ctx() context: Context): Promise<ApiKey[]> {
    return context.services.apiKeys.list(caller(context));
  }

  @Mutation(() => NewApiKey)
  @Allow({ auth: 'session' })
  createApiKey(
    @Ctx() context: Context,
    @Arg('name', () => String) name: string,
    @Arg('expiresAt', () => EpochMillis, { nullable: true, description: 'When it ends by itself; default: never.' })
    expiresAt?: number | null,
    @Arg('scopes', () => [String], { nullable: true, description: SCOPES_SAY })
    scopes?: string[] | null,
  ): Promise<NewApiKey> {
    return context.services.apiKeys.create(caller(context), {
      name,
      expiresAt: expiresAt ?? null,
      scopes: scopes ?? null,
    });
  }

  @Mutation(() => Boolean)
  @Allow({ auth: 'session' })
  deleteApiKey(@Ctx() context: Context, @Arg('id', () => ID) id: string): Promise<boolean> {
    return context.services.apiKeys.remove(caller(context), id);
  }
}
