/** The GraphQL schema, built from the resolvers. A new resolver class is added to the list below. */
import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchema, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import { authChecker } from '../src/auth/allow.ts';
import { AccountResolver } from './accounts.ts';
import { ApiKeyResolver } from './api-keys.ts';
import { AuditResolver } from './audit.ts';
import { AvatarImageResolver, AvatarResolver, FolderResolver, PublicAvatarResolver, VoiceResolver } from './avatars.ts';
import { BrainResolver, TrainingResolver } from './brain.ts';
import { CaptionResolver } from './captions.ts';
import { ClipResolver } from './clips.ts';
import { ConversationResolver } from './conversations.ts';
import { GiftResolver } from './gifts.ts';
import { ImageResolver } from './images.ts';
import { LiveResolver } from './live.ts';
import { OAuthClientResolver, OAuthConsentResolver, OAuthTokenResolver } from './oauth.ts';
import { SpeakResolver } from './speak.ts';
import { StreamResolver, TribeResolver } from './tribes.ts';
import { VideoResolver } from './videos.ts';

type ResolverClass = new (...args: never[]) => unknown;

export const RESOLVERS: NonEmptyArray<ResolverClass> = [
  AccountResolver,
  ApiKeyResolver,
  AuditResolver,
  AvatarResolver,
  PublicAvatarResolver,
  AvatarImageResolver,
  VoiceResolver,
  FolderResolver,
  ConversationResolver,
  ClipResolver,
  CaptionResolver,
  ImageResolver,
  SpeakResolver,
  VideoResolver,
  LiveResolver,
  OAuthClientResolver,
  OAuthConsentResolver,
  OAuthTokenResolver,
  BrainResolver,
  TrainingResolver,
  TribeResolver,
  StreamResolver,
  GiftResolver,
];

/** Asked for but never used: `turnUpdated` brings its own iterable. The usual one lets a stalled viewer end the process. */
const NO_PUBSUB = {
  publish: () => {},
  subscribe: (topic: string): never => {
    throw new Error(`Nothing is published by topic (${topic}).`);
  },
};

/**
 * A field that only reads its property gets no resolver: type-graphql's would be called 300 times for a poll of 20 turns.
 * One that is named otherwise than its property keeps it, and one that is guarded.
 */
function readPlainFieldsPlainly(): void {
  const { fields, authorizedFields } = getMetadataStorage();
  for (const field of fields) {
    const isGuarded = authorizedFields.some((one) => one.target === field.target && one.fieldName === field.name);
    if (field.name === field.schemaName && !isGuarded) field.simple ??= true;
  }
}

export async function createSchema(): Promise<GraphQLSchema> {
  readPlainFieldsPlainly();
  return buildSchema({
    resolvers: RESOLVERS as never,
    pubSub: NO_PUBSUB,
    authChecker: authChecker as never,
    // The services check what callers send, in code points and with sentences that name the field.
    validate: false,
  });
}
