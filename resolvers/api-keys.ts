/** API keys: sessions only. */
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { ApiKey, NewApiKey } from '../schema/api-key.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller } from './context.ts';

@Resolver()
export class ApiKeyResolver {
  @Query(() => [ApiKey])
  @Allow({ auth: 'session' })
  apiKeys(@Ctx() context: Context): Promise<ApiKey[]> {
    return context.services.apiKeys.list(caller(context));
  }

  @Mutation(() => NewApiKey)
  @Allow({ auth: 'session' })
  createApiKey(@Ctx() context: Context, @Arg('name', () => String) name: string): Promise<NewApiKey> {
    return context.services.apiKeys.create(caller(context), name);
  }

  @Mutation(() => Boolean)
  @Allow({ auth: 'session' })
  deleteApiKey(@Ctx() context: Context, @Arg('id', () => ID) id: string): Promise<boolean> {
    return context.services.apiKeys.remove(caller(context), id);
  }
}
