/** API keys. An access token of a third-party app is the same row with a client, an avatar and scopes. */
import { Field, ID, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { Node } from './node.ts';
import { EpochMillis, ScopeText } from './scalars.ts';

const SCOPES_SAY = 'The operations that the key is restricted to, by scope of an access token; null: all of them.';
const EXPIRES_SAY = 'When the key ends by itself; null: never.';

@ObjectType({ implements: Node, description: 'An API key. The raw token is shown once, at creation.' })
export class ApiKey {
  @Field(() => ID)
  id: string;

  @Field()
  name: string;

  @Field(() => [ScopeText], { nullable: true, description: SCOPES_SAY })
  scopes?: string[] | null;

  @Field(() => EpochMillis)
  createdAt: number;

  @Field(() => EpochMillis, { nullable: true, description: EXPIRES_SAY })
  expiresAt?: number | null;

  @Field(() => EpochMillis, { nullable: true, description: 'To the minute; null while it was never used.' })
  lastUsedAt?: number | null;
}

@ObjectType({ description: 'A new API key with its raw token, which is never shown again.' })
export class NewApiKey {
  @Field(() => ID)
  id: string;

  @Field()
  name: string;

  @Field()
  token: string;

  @Field(() => EpochMillis)
  createdAt: number;

  @Field(() => EpochMillis, { nullable: true, description: EXPIRES_SAY })
  expiresAt?: number | null;

  @Field(() => [ScopeText], { nullable: true, description: SCOPES_SAY })
  scopes?: string[] | null;
}

export const ApiKeyConnection = ConnectionOf(ApiKey, { counted: true });
