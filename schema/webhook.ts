/** Webhooks: addresses that are notified of what has happened, and what was sent there. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { closed } from './enums.ts';
import { Node } from './node.ts';
import { EpochMillis, Url, WebhookEventText } from './scalars.ts';

/** How far a delivery is, as the graph has it. */
const WebhookDeliveryStateType = closed('WebhookDeliveryState', 'How far the delivery of an event is.', {
  waiting: 'Its next attempt is to come.',
  sending: 'It is being sent.',
  delivered: 'The address has taken it.',
  failed: 'The address did not take it in three days, or was disabled; it can be sent again.',
});
/** One of its values. */
export type WebhookDeliveryState = keyof typeof WebhookDeliveryStateType;

/** Why an endpoint is disabled, as the graph has it. */
const WebhookDisabledReasonType = closed('WebhookDisabledReason', 'Why nothing is sent to an address.', {
  owner: 'Its owner has disabled it.',
  gone: 'It answered 410: it wants nothing any more.',
  failing: 'It took nothing for three days.',
});
/** One of its values. */
export type WebhookDisabledReason = keyof typeof WebhookDisabledReasonType;

@ObjectType({ implements: Node, description: 'An address that events are sent to.' })
export class WebhookEndpoint {
  @Field(() => ID)
  id: string;

  @Field(() => Url, { description: 'Where events are posted.' })
  url: string;

  @Field(() => [WebhookEventText], { description: 'The events that are sent to it.' })
  events: string[];

  @Field(() => String, { nullable: true, description: 'What it is for, in its owner’s words.' })
  description?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Of an app: it gets events of what was made through the app, for any user. null: of what was made for the account.',
  })
  clientId?: string | null;

  @Field(() => Boolean, { description: 'Whether events are sent there.' })
  isEnabled: boolean;

  @Field(() => WebhookDisabledReasonType, {
    nullable: true,
    description: 'Why nothing is sent there; null while events are.',
  })
  disabledReason?: WebhookDisabledReason | null;

  @Field(() => EpochMillis, {
    nullable: true,
    description: 'Until when events are signed with the secret before as well; null: with the present one alone.',
  })
  previousValidUntil?: number | null;

  @Field(() => EpochMillis, { nullable: true, description: 'When it last took an event; null: never.' })
  deliveredAt?: number | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType({ implements: Node, description: 'An event and how its delivery to one address goes.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'Also sent as `webhook-id`: the same of every attempt.' })
  id: string;

  @Field(() => ID, { description: 'Where it is sent.' })
  endpointId: string;

  @Field(() => WebhookEventText, { description: 'What has happened.' })
  eventType: string;

  @Field(() => ID, { description: 'Id of what it happened to.' })
  subjectId: string;

  @Field(() => WebhookDeliveryStateType)
  state: WebhookDeliveryState;

  @Field(() => Int, { description: 'How often it was tried, since it was last sent again.' })
  attempts: number;

  @Field(() => Int, { nullable: true, description: 'Status of the last answer; null where there was none.' })
  status?: number | null;

  @Field(() => String, { nullable: true, description: 'Why the last attempt failed; null where it did not.' })
  error?: string | null;

  @Field(() => EpochMillis, { nullable: true, description: 'When it is tried next; null once it has ended.' })
  nextAttemptAt?: number | null;

  @Field(() => EpochMillis, { nullable: true, description: 'When it was taken; null until then.' })
  deliveredAt?: number | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType({ description: 'An address with the secret that its events are signed with, which is never shown again.' })
export class WebhookSecretPayload {
  @Field(() => WebhookEndpoint, { description: 'Where events are sent.' })
  endpoint: WebhookEndpoint;

  @Field({ description: 'As the libraries of Standard Webhooks take it: whsec_ and base64.' })
  secret: string;
}

@ObjectType({ description: 'An address as it is from now on.' })
export class UpdateWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'All of it.' })
  endpoint: WebhookEndpoint;
}

@ObjectType({ description: 'An address that was deleted, with the log of its deliveries.' })
export class DeleteWebhookEndpointPayload {
  @Field(() => ID, { description: 'Its id.' })
  deletedId: string;
}

@ObjectType({ description: 'An event that is about to be sent.' })
export class SendWebhookPayload {
  @Field(() => WebhookDelivery, { description: 'Its line of the log.' })
  delivery: WebhookDelivery;
}

export const WebhookEndpointConnection = ConnectionOf(WebhookEndpoint, { counted: true });
export const WebhookDeliveryConnection = ConnectionOf(WebhookDelivery);
