/** API keys: sessions only. */
import { Arg, Args, Ctx, Mutation, Resolver } from 'type-graphql';
import { type ApiKey, ApiKeyConnection, NewApiKey } from '../schema/api-key.ts';
import { CreateApiKeyInput, DeleteApiKeyInput } from '../schema/inputs/account.ts';
import { WholeListArgs } from '../schema/inputs/page.ts';
import { Deleted, WholeList } from '../schema/node.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Connection, cutPage, type Listing } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

/** Oldest first. */
const KEYS: Listing<ApiKey> = { name: 'ApiKey', order: 'asc', keyOf: ({ id }) => id };

@Resolver()
export class ApiKeyResolver {
  @WholeList(() => ApiKeyConnection, 'The caller’s API keys without the keys themselves, oldest first.')
  @Allow({ auth: 'session' })
  async apiKeys(@Ctx() context: Context, @Args(() => WholeListArgs) page: WholeListArgs): Promise<Connection<ApiKey>> {
    return cutPage(page, KEYS, await context.services.apiKeys.list(caller(context)));
  }

  @Mutation(() => NewApiKey)
  @Allow({ auth: 'session' })
  @Idempotent({ isSecret: true })
  createApiKey(
    @Ctx() context: Context,
    @Arg('input', () => CreateApiKeyInput) request: CreateApiKeyInput,
  ): Promise<NewApiKey> {
    return context.services.apiKeys.create(caller(context), request);
  }

  @Mutation(() => Deleted)
  @Allow({ auth: 'session' })
  async deleteApiKey(
    @Ctx() context: Context,
    @Arg('input', () => DeleteApiKeyInput) { id }: DeleteApiKeyInput,
  ): Promise<Deleted> {
    await context.services.apiKeys.remove(caller(context), id);
    return new Deleted(id);
  }
}
