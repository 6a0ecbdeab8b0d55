/** API keys: sessions only. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { ApiKey, NewApiKey } from '../schema/api-key.ts';
import { CreateApiKeyArgs } from '../schema/inputs/account.ts';
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
  createApiKey(@Ctx() context: Context, @Args(() => CreateApiKeyArgs) request: CreateApiKeyArgs): Promise<NewApiKey> {
    return context.services.apiKeys.create(caller(context), request);
  }

  @Mutation(() => Boolean)
  @Allow({ auth: 'session' })
  deleteApiKey(@Ctx() context: Context, @Arg('id', () => ID) id: string): Promise<boolean> {
    return context.services.apiKeys.remove(caller(context), id);
  }
}
