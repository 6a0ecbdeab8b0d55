/** The GraphQL schema, built from the resolvers. A new resolver class is added to the list below. */
import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchema, type NonEmptyArray } from 'type-graphql';
import { authChecker } from '../src/auth/allow.ts';
import { AccountResolver } from './accounts.ts';
import { ApiKeyResolver } from './api-keys.ts';
import { AvatarImageResolver, AvatarResolver, FolderResolver, PublicAvatarResolver, VoiceResolver } from './avatars.ts';
import { ConversationResolver } from './conversations.ts';

type ResolverClass = new (...args: never[]) => unknown;

export const RESOLVERS: NonEmptyArray<ResolverClass> = [
  AccountResolver,
  ApiKeyResolver,
  AvatarResolver,
  PublicAvatarResolver,
  AvatarImageResolver,
  VoiceResolver,
  FolderResolver,
  ConversationResolver,
];

export async function createSchema(): Promise<GraphQLSchema> {
  return buildSchema({
    resolvers: RESOLVERS as never,
    authChecker: authChecker as never,
    // The services check what callers send, in code points and with sentences that name the field.
    validate: false,
  });
}
