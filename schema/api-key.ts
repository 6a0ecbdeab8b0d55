/** API keys. An access token of a third-party app is the same row with a client, an avatar and scopes. */
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { JsonColumn, MillisColumn, TextColumn } from './columns.ts';
import { EpochMillis } from './scalars.ts';

const SCOPES_SAY = 'The operations that the key is restricted to, by scope of an access token; null: all of them.';
const EXPIRES_SAY = 'When the key ends by itself; null: never.';

@Entity({ tableName: 'api_key' })
@ObjectType({ description: 'An API key. The raw token is shown once, at creation.' })
export class ApiKey {
  @PrimaryKey({ type: 'text' })
  @Field(() => ID)
  id: string;

  @TextColumn()
  userId: string;

  @TextColumn()
  @Field()
  name: string;

  @TextColumn()
  tokenHash: string;

  @TextColumn({ nullable: true })
  clientId?: string | null;

  @TextColumn({ nullable: true })
  avatarId?: string | null;

  @JsonColumn({ nullable: true })
  @Field(() => [String], { nullable: true, description: SCOPES_SAY })
  scopes?: string[] | null;

  @Property({ type: 'boolean', default: false })
  clientCredentials: boolean = false;

  @MillisColumn()
  @Field(() => EpochMillis)
  createdAt: number;

  @MillisColumn({ nullable: true })
  @Field(() => EpochMillis, { nullable: true, description: EXPIRES_SAY })
  expiresAt?: number | null;

  @MillisColumn({ nullable: true })
  @Field(() => EpochMillis, { nullable: true, description: 'To the minute; null while it was never used.' })
  lastUsedAt?: number | null;

  @MillisColumn({ nullable: true })
  revokedAt?: number | null;
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

  @Field(() => [String], { nullable: true, description: SCOPES_SAY })
  scopes?: string[] | null;
}
