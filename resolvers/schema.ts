/** The GraphQL schema, built from the resolvers. A new resolver class is added to the list below. */
import 'reflect-metadata';
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isUnionType } from 'graphql';
import { buildSchema, type ClassType, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import { describe } from '../schema/descriptions.ts';
import { inOurWords } from '../schema/enums.ts';
import { validateInput } from '../schema/inputs/validate.ts';
import { authChecker } from '../src/auth/allow.ts';
import { AccountUpdateResolver } from './account-updates.ts';
import { AccountResolver } from './accounts.ts';
import { ApiKeyResolver } from './api-keys.ts';
import { AuditResolver } from './audit.ts';
import { AvatarImageResolver, AvatarResolver, FolderResolver, VoiceResolver } from './avatars.ts';
import { BALANCES } from './balances.ts';
import { BrainResolver, TrainingResolver } from './brain.ts';
import { CaptionResolver } from './captions.ts';
import { CHANGED_NODES } from './changed-nodes.ts';
import { ConversationResolver } from './conversations.ts';
import { ErrorResolver } from './errors.ts';
import { asSubgraph } from './federation.ts';
import { GiftResolver } from './gifts.ts';
import { ImageResolver } from './images.ts';
import { LiveResolver } from './live.ts';
import { NodeResolver, typeOfNode } from './nodes.ts';
import { OAuthClientResolver, OAuthConsentResolver, OAuthRegistrationResolver, OAuthTokenResolver } from './oauth.ts';
import { OperatorResolver } from './operators.ts';
import {
  AvatarRelations,
  ConversationRelations,
  LedgerEntryRelations,
  ReferencedAvatarRelations,
  SentGiftsRelations,
  TurnRelations,
  UserRelations,
  VideoRelations,
} from './relations.ts';
import { SharedTurnResolver } from './shared-turns.ts';
import { SpeechResolver } from './speech.ts';
import { StreamResolver, TribeResolver } from './tribes.ts';
import { UploadResolver } from './uploads.ts';
import { VideoResolver } from './videos.ts';
import { TalkSettingsResolver, VisitorResolver } from './visitors.ts';
import { WebhookResolver } from './webhooks.ts';

const RESOLVERS: NonEmptyArray<ClassType> = [
  NodeResolver,
  AccountResolver,
  ApiKeyResolver,
  AuditResolver,
  OperatorResolver,
  AvatarResolver,
  AvatarImageResolver,
  VoiceResolver,
  FolderResolver,
  UploadResolver,
  ConversationResolver,
  SharedTurnResolver,
  CaptionResolver,
  ImageResolver,
  SpeechResolver,
  VideoResolver,
  LiveResolver,
  AccountUpdateResolver,
  OAuthClientResolver,
  OAuthConsentResolver,
  OAuthRegistrationResolver,
  OAuthTokenResolver,
  BrainResolver,
  TrainingResolver,
  TribeResolver,
  StreamResolver,
  GiftResolver,
  TalkSettingsResolver,
  VisitorResolver,
  WebhookResolver,
  ErrorResolver,
  ConversationRelations,
  TurnRelations,
  AvatarRelations,
  UserRelations,
  VideoRelations,
  ReferencedAvatarRelations,
  LedgerEntryRelations,
  SentGiftsRelations,
  ...BALANCES,
  ...CHANGED_NODES,
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

/** type-graphql's own way to find which type a value has is asynchronous, and graphql-jit takes no promise. */
function discriminate(built: GraphQLSchema): void {
  for (const name of ['Node', 'LedgerSource']) {
    const type = built.getType(name);
    if (isInterfaceType(type) || isUnionType(type)) type.resolveType = typeOfNode;
  }
}

/** type-graphql has no word for it: of these inputs exactly one field is given. */
function takeOneOf(built: GraphQLSchema): void {
  for (const name of ['MemorySystemInput']) {
    const type = built.getType(name);
    if (isInputObjectType(type)) type.isOneOf = true;
  }
}

let schema: Promise<GraphQLSchema> | undefined;

/** The one schema of the process: it depends on nothing but the classes. */
export function createSchema(): Promise<GraphQLSchema> {
  schema ??= build();
  return schema;
}

let subgraph: Promise<GraphQLSchema> | undefined;

/** The same as a subgraph of Federation 2. */
export function createSubgraphSchema(): Promise<GraphQLSchema> {
  subgraph ??= createSchema().then(asSubgraph);
  return subgraph;
}

async function build(): Promise<GraphQLSchema> {
  readPlainFieldsPlainly();
  const built = await buildSchema({
    resolvers: RESOLVERS,
    pubSub: NO_PUBSUB,
    authChecker,
    validateFn: validateInput,
    // graphql-js checks a schema before it answers the first document from it; an introspection of its own adds nothing.
    skipCheck: true,
  });
  discriminate(built);
  takeOneOf(built);
  describe(built);
  for (const type of Object.values(built.getTypeMap()))
    if (isEnumType(type) && !type.name.startsWith('__')) inOurWords(type);
  return built;
}
