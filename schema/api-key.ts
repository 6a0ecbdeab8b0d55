/** API keys. An access token of a third-party app is the same row with a client, an avatar and scopes. */
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { JsonColumn, MillisColumn, TextColumn } from './columns.ts';
import { EpochMillis } from './scalars.ts';

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
  scopes?: string[] | null;

  @Property({ type: 'boolean', default: false })
  clientCredentials: boolean = false;

  @MillisColumn()
  @Field(() => EpochMillis)
  createdAt: number;

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
}
