/** The audit log, as accounts and operators read it. */
import { Field, ID, ObjectType } from 'type-graphql';
import { Node } from './node.ts';
import { EpochMillis } from './scalars.ts';

/** Every action that is written down. */
export const AUDIT_ACTIONS = [
  'account_created',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'password_changed',
  'email_changed',
  'email_verified',
  'api_key_created',
  'api_key_revoked',
  'app_registered',
  'app_changed',
  'app_secret_rotated',
  'app_deleted',
  'consent_given',
  'grant_given',
  'grant_revoked',
  'gift_confirmed',
  'visibility_changed',
  'access_link_created',
  'access_link_revoked',
  'credits_granted',
  'account_deleted',
  'avatar_deleted',
  'conversation_deleted',
  'memory_system_selected',
  'instance_keys_rotated',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

@ObjectType({
  implements: Node,
  description: 'A sensitive action: who did it, with what, from where. It carries no secret.',
})
export class AuditEvent {
  @Field(() => ID)
  id: string;

  @Field({ description: 'For example signed_in, sign_in_failed, api_key_created, grant_revoked.' })
  action: string;

  @Field(() => ID, { nullable: true, description: 'The account it is about.' })
  userId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Who did it; null where nobody was signed in.' })
  actorUserId?: string | null;

  @Field(() => String, { nullable: true, description: 'session, apiKey or token.' })
  credentialKind?: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of the session, key or token; shown to whoever did it.' })
  credentialId?: string | null;

  @Field(() => ID, { nullable: true, description: 'The app that did it.' })
  clientId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of what it was done to.' })
  subject?: string | null;

  @Field(() => String, { nullable: true, description: 'One word or number more, e.g. public.' })
  detail?: string | null;

  @Field(() => String, { nullable: true, description: 'Network address of the caller; not that of another account.' })
  address?: string | null;

  @Field(() => ID, { nullable: true, description: 'The request, as in `x-request-id` and the log.' })
  requestId?: string | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType()
export class AuditPage {
  @Field(() => [AuditEvent])
  events: AuditEvent[];

  @Field(() => String, { nullable: true, description: 'Pass as `after` for the next page; null at the end.' })
  endCursor?: string | null;
}
