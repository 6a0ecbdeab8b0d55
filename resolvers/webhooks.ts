/** Webhooks: which address gets which events, and how deliveries went. */
import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { PageArgs, WholeListArgs } from '../schema/inputs/page.ts';
import {
  CreateWebhookEndpointInput,
  DeleteWebhookEndpointInput,
  ResendWebhookInput,
  RotateWebhookSecretInput,
  TestWebhookEndpointInput,
  UpdateWebhookEndpointInput,
} from '../schema/inputs/webhook.ts';
import { WholeList } from '../schema/node.ts';
import {
  DeleteWebhookEndpointPayload,
  SendWebhookPayload,
  UpdateWebhookEndpointPayload,
  type WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookEndpoint,
  WebhookEndpointConnection,
  WebhookSecretPayload,
} from '../schema/webhook.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Connection, cutPage, type Listing } from '../src/kernel/keyset.ts';
import { QUOTAS } from '../src/kernel/quotas.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

/** Oldest first. */
const ENDPOINTS: Listing<WebhookEndpoint> = { name: 'WebhookEndpoint', order: 'asc', keyOf: ({ id }) => id };

@Resolver(() => WebhookEndpoint)
export class WebhookResolver {
  @WholeList(
    () => WebhookEndpointConnection,
    'Addresses that the caller has events sent to, oldest first.',
    QUOTAS.webhooks.limit,
  )
  @Allow({ auth: 'firstParty' })
  async webhookEndpoints(
    @Ctx() context: Context,
    @Args(() => WholeListArgs) page: WholeListArgs,
  ): Promise<Connection<WebhookEndpoint>> {
    return cutPage(page, ENDPOINTS, await context.services.webhookEndpoints.list(caller(context)));
  }

  @FieldResolver(() => WebhookDeliveryConnection, {
    description: 'What was sent there in the last thirty days, newest first.',
  })
  deliveries(
    @Ctx() context: Context,
    @Root() { id }: WebhookEndpoint,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<WebhookDelivery>> {
    return context.services.webhookEndpoints.deliveries(caller(context), id, page);
  }

  @Mutation(() => WebhookSecretPayload, {
    description: 'Has events sent to an address from now on, signed as Standard Webhooks has it.',
  })
  @Allow({ auth: 'firstParty' })
  @Idempotent({ isSecret: true })
  createWebhookEndpoint(
    @Ctx() context: Context,
    @Arg('input', () => CreateWebhookEndpointInput) input: CreateWebhookEndpointInput,
  ): Promise<WebhookSecretPayload> {
    return context.services.webhookEndpoints.create(caller(context), input);
  }

  @Mutation(() => UpdateWebhookEndpointPayload, { description: 'Changes an address, or disables or enables it.' })
  @Allow({ auth: 'firstParty' })
  async updateWebhookEndpoint(
    @Ctx() context: Context,
    @Arg('input', () => UpdateWebhookEndpointInput) input: UpdateWebhookEndpointInput,
  ): Promise<UpdateWebhookEndpointPayload> {
    return { endpoint: await context.services.webhookEndpoints.update(caller(context), input) };
  }

  @Mutation(() => WebhookSecretPayload, { description: 'A new secret; events are signed with both for a time.' })
  @Allow({ auth: 'firstParty' })
  @Idempotent({ isSecret: true })
  rotateWebhookSecret(
    @Ctx() context: Context,
    @Arg('input', () => RotateWebhookSecretInput) input: RotateWebhookSecretInput,
  ): Promise<WebhookSecretPayload> {
    return context.services.webhookEndpoints.rotateSecret(caller(context), input);
  }

  @Mutation(() => DeleteWebhookEndpointPayload, { description: 'Deletes an address; what waits is not sent.' })
  @Allow({ auth: 'firstParty' })
  async deleteWebhookEndpoint(
    @Ctx() context: Context,
    @Arg('input', () => DeleteWebhookEndpointInput) { id }: DeleteWebhookEndpointInput,
  ): Promise<DeleteWebhookEndpointPayload> {
    return { deletedId: await context.services.webhookEndpoints.remove(caller(context), id) };
  }

  @Mutation(() => SendWebhookPayload, { description: 'Sends a `webhook.test`, to try an address.' })
  @Allow({ auth: 'firstParty' })
  @Idempotent()
  testWebhookEndpoint(
    @Ctx() context: Context,
    @Arg('input', () => TestWebhookEndpointInput) { id }: TestWebhookEndpointInput,
  ): Promise<SendWebhookPayload> {
    return context.services.webhookEndpoints.test(caller(context), id);
  }

  @Mutation(() => SendWebhookPayload, { description: 'Sends an event of the last thirty days again, under its id.' })
  @Allow({ auth: 'firstParty' })
  async resendWebhook(
    @Ctx() context: Context,
    @Arg('input', () => ResendWebhookInput) { deliveryId }: ResendWebhookInput,
  ): Promise<SendWebhookPayload> {
    return { delivery: await context.services.webhookEndpoints.resend(caller(context), deliveryId) };
  }
}
