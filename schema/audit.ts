/** The audit log, as accounts and operators read it. */
import { Field, ID, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { CredentialKindType, closed } from './enums.ts';
import { Node } from './node.ts';
import { EpochMillis } from './scalars.ts';

/** Every action that is written down, and what it is. */
const ACTIONS = {
  account_created: 'An account was made.',
  signed_in: 'Someone signed in.',
  sign_in_failed: 'Someone gave a wrong password.',
  signed_out: 'Someone signed out.',
  password_changed: 'The password was changed.',
  email_changed: 'The e-mail address was changed.',
  email_verified: 'The e-mail address was confirmed.',
  api_key_created: 'An API key was made.',
  api_key_revoked: 'An API key was revoked.',
  app_registered: 'An app was registered.',
  app_changed: 'An app was changed.',
  app_secret_rotated: 'An app got a new secret.',
  app_deleted: 'An app was deleted.',
  consent_given: 'The user allowed an app what it asked for.',
  grant_given: 'An app got an access token.',
  grant_revoked: 'The access token of an app was revoked.',
  gift_confirmed: 'A gift was sent.',
  visibility_changed: 'Something was opened to anyone, or closed.',
  access_link_created: 'A private share link was made.',
  access_link_revoked: 'A private share link was revoked.',
  credits_granted: 'An operator granted credits.',
  account_exported: 'A file was asked for with what is held of the account.',
  account_deleted: 'An account was deleted.',
  avatar_deleted: 'An avatar was deleted.',
  conversation_deleted: 'A conversation was deleted.',
  memory_system_selected: 'Another memory system was chosen for an avatar.',
  webhook_created: 'A webhook endpoint was made.',
  webhook_changed: 'A webhook endpoint was changed.',
  webhook_secret_rotated: 'A webhook endpoint got a new secret.',
  webhook_deleted: 'A webhook endpoint was deleted.',
  instance_keys_rotated: 'The keys of the instance were replaced.',
} as const;
/** One of `AUDIT_ACTIONS`. */
export type AuditAction = keyof typeof ACTIONS;
/** The sensitive actions that are recorded. */
export const AUDIT_ACTIONS = Object.keys(ACTIONS) as AuditAction[];
/** The GraphQL enum of those actions. */
export const AuditActionType = closed('AuditAction', 'A sensitive action that is written down.', ACTIONS);

@ObjectType({
  implements: Node,
  description: 'A sensitive action: who did it, with what, from where. It carries no secret.',
})
export class AuditEvent {
  @Field(() => ID)
  id: string;

  @Field(() => AuditActionType, { description: 'What was done.' })
  action: string;

  @Field(() => ID, { nullable: true, description: 'The account it is about.' })
  userId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Who did it; null where no user was signed in.' })
  actorUserId?: string | null;

  @Field(() => CredentialKindType, { nullable: true, description: 'What they came with.' })
  credentialKind?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the session, key or token; shown to the account that did it.',
  })
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

export const AuditEventConnection = ConnectionOf(AuditEvent);
