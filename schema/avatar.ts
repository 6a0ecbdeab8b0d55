/** Avatars, their images, folders and voices. */
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, ID, ObjectType } from 'type-graphql';
import { JsonColumn, MicroColumn, MillisColumn, TextColumn } from './columns.ts';
import { Credits, EpochMillis } from './scalars.ts';

@Entity({ tableName: 'avatar' })
@ObjectType({ description: 'A face, a personality and a voice.' })
export class Avatar {
  @PrimaryKey({ type: 'text', fieldName: 'id' })
  @Field(() => ID)
  avatarId: string;

  @TextColumn({ fieldName: 'owner_user_id' })
  @Field(() => ID)
  avatarOwnerUserId: string;

  @TextColumn()
  @Field(() => String, { nullable: true })
  displayName: string;

  @TextColumn({ nullable: true })
  @Field(() => String, { nullable: true, description: 'Null to an app, which `avatars:read` does not show it to.' })
  personalityPrompt?: string | null;

  @TextColumn({ nullable: true })
  @Field(() => String, { nullable: true, description: 'Without it the avatar is text-only.' })
  ttsVoiceId?: string | null;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'When true, any caller may render the avatar; the owner pays.' })
  publiclyRenderable: boolean = false;

  @TextColumn({ nullable: true })
  @Field(() => ID, { nullable: true })
  folderId?: string | null;

  @Property({ type: 'boolean' })
  @Field(() => Boolean)
  nameLocked: boolean = false;

  @JsonColumn()
  @Field(() => [String], { description: 'Empty to an app, as personalityPrompt is null.' })
  knowledgeBaseUrls: string[] = [];

  @TextColumn({ nullable: true })
  @Field(() => String, { nullable: true, description: 'Set by training.' })
  gemRef?: string | null;

  @TextColumn()
  @Field({ description: 'Where its memories are kept: managed, mem0 or supermemory.' })
  brainSystem: string = 'managed';

  @MicroColumn({ nullable: true })
  @Field(() => Credits, { nullable: true, description: 'What strangers may spend per UTC day; null: no cap.' })
  strangerCapPerDay?: bigint | null;

  @MillisColumn()
  @Field(() => EpochMillis, { nullable: true })
  createdAt: number;

  @MillisColumn()
  @Field(() => EpochMillis, { nullable: true })
  updatedAt: number;
}

@ObjectType({ description: 'A new avatar; the two ids stand beside it as documented.' })
export class CreatedAvatar {
  @Field(() => Avatar)
  avatar: Avatar;

  @Field(() => ID)
  avatarId: string;

  @Field(() => ID)
  avatarOwnerUserId: string;
}

@ObjectType({ description: 'A publicly renderable avatar, without its prompt.' })
export class PublicAvatar {
  @Field(() => ID)
  avatarId: string;

  @Field(() => ID)
  avatarOwnerUserId: string;

  @Field(() => String, { nullable: true })
  displayName?: string | null;

  @Field(() => String, { nullable: true })
  ttsVoiceId?: string | null;

  @Field(() => Boolean)
  publiclyRenderable: boolean;

  @Field(() => EpochMillis, { nullable: true })
  createdAt: number;

  @Field(() => EpochMillis, { nullable: true })
  updatedAt: number;
}

@Entity({ tableName: 'avatar_image' })
export class AvatarImageRow {
  @PrimaryKey({ type: 'text' })
  id: string;

  @TextColumn()
  avatarId: string;

  @TextColumn()
  mediaKey: string;

  @Property({ type: 'boolean' })
  isPrimary: boolean;

  @Property({ type: 'integer' })
  width: number;

  @Property({ type: 'integer' })
  height: number;

  @JsonColumn({ nullable: true })
  rig?: unknown;

  @TextColumn()
  rigSource: string = 'none';

  @MillisColumn()
  createdAt: number;
}

@ObjectType({ description: 'One image of an avatar. Its `url` is valid as `avatarImageUrl` elsewhere.' })
export class AvatarImage {
  @Field()
  url: string;

  @Field(() => ID, { nullable: true, description: 'Null for the primary image.' })
  assetId?: string | null;

  @Field(() => Boolean)
  isPrimary: boolean;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType()
export class AvatarImages {
  @Field(() => ID)
  avatarId: string;

  @Field(() => ID)
  avatarOwnerUserId: string;

  @Field(() => String, { nullable: true })
  primary?: string | null;

  @Field(() => [AvatarImage])
  images: AvatarImage[];
}

@Entity({ tableName: 'avatar_folder' })
@ObjectType({ description: 'A folder of avatars.' })
export class AvatarFolder {
  @PrimaryKey({ type: 'text', fieldName: 'id' })
  @Field(() => ID)
  folderId: string;

  @TextColumn()
  ownerUserId: string;

  @TextColumn()
  @Field()
  name: string;

  @TextColumn({ nullable: true })
  iconKey?: string | null;

  @MillisColumn()
  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType()
export class DeletedFolder {
  @Field(() => Boolean)
  ok: boolean;

  @Field(() => ID)
  folderId: string;

  @Field(() => Float, { description: 'How many avatars became unfiled.' })
  unfiledAvatars: number;
}

@Entity({ tableName: 'custom_voice' })
export class CustomVoice {
  @PrimaryKey({ type: 'text' })
  id: string;

  @TextColumn()
  ownerUserId: string;

  @TextColumn()
  avatarId: string;

  @TextColumn()
  name: string;

  @JsonColumn()
  settings: { base: string; variant?: string; pitch?: number; rate?: number };

  @MillisColumn()
  createdAt: number;
}

@ObjectType({ description: 'A voice: a curated preset, or a custom one of the caller.' })
export class Voice {
  @Field(() => ID)
  id: string;

  @Field()
  name: string;

  @Field({ description: 'preset or custom.' })
  source: string;
}
