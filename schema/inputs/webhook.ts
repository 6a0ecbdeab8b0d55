/** Inputs of webhooks. */
import { Field, ID, InputType, Int } from 'type-graphql';
import { DAY_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from '../../src/kernel/webhook-events.ts';
import { Url, WebhookEventText } from '../scalars.ts';
import { Between, OptionalText, SomeOf, Text } from './rules.ts';

const MAX_OVERLAP_S = 30 * 24 * 3600;
const EVENTS_SAY = `Some of ${WEBHOOK_EVENT_NAMES.join(', ')}.`;

@InputType({ description: 'A new address for events.' })
export class CreateWebhookEndpointInput {
  @Field(() => Url, { description: 'Where events are posted: https, or http; no address of a private network.' })
  @Text(LIMITS.url)
  url: string;

  @Field(() => [WebhookEventText], { description: EVENTS_SAY })
  @SomeOf(WEBHOOK_EVENT_NAMES)
  events: WebhookEvent[];

  @Field(() => String, { nullable: true, description: 'What it is for.' })
  @OptionalText(LIMITS.displayName)
  description?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'An own app: events of what is made through it, for whomever. Without it: of what is made for the account.',
  })
  clientId?: string | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType({ description: 'What is left out stays as it is.' })
export class UpdateWebhookEndpointInput {
  @Field(() => ID)
  id: string;

  @Field(() => Url, { nullable: true })
  @Text(LIMITS.url)
  url?: string | null;

  @Field(() => [WebhookEventText], { nullable: true, description: EVENTS_SAY })
  @SomeOf(WEBHOOK_EVENT_NAMES)
  events?: WebhookEvent[] | null;

  @Field(() => String, { nullable: true, description: 'null takes it away.' })
  @OptionalText(LIMITS.displayName)
  description?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'false: nothing is sent, and what happens meanwhile never is.' })
  isEnabled?: boolean | null;
}

@InputType({ description: 'An address that gets another secret.' })
export class RotateWebhookSecretInput {
  @Field(() => ID)
  id: string;

  @Field(() => Int, {
    nullable: true,
    defaultValue: DAY_MS / SECOND_MS,
    description: 'Seconds for which events are signed with both: 0 to 2592000.',
  })
  @Between(0, MAX_OVERLAP_S)
  keepOldFor?: number | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class DeleteWebhookEndpointInput {
  @Field(() => ID)
  id: string;
}

@InputType()
export class TestWebhookEndpointInput {
  @Field(() => ID)
  id: string;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class ResendWebhookInput {
  @Field(() => ID, { description: 'One line of the log.' })
  deliveryId: string;
}
