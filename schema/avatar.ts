/** Avatars, their images, folders and voices. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { UsageKind } from '../src/kernel/ledger-kinds.ts';
import { ConnectionOf } from './connection.ts';
import { MemorySystemType, UsageKindType, VoiceSourceType } from './enums.ts';
import { EntityId, Node } from './node.ts';
import { BCP47, Credits, EpochMillis, Url } from './scalars.ts';

@ObjectType({ implements: Node, description: 'A face, a personality and a voice.' })
export class Avatar {
  @EntityId('The avatar.')
  avatarId: string;

  @Field(() => ID)
  avatarOwnerUserId: string;

  @Field(() => String, { nullable: true })
  displayName: string;

  @Field(() => String, { nullable: true, description: 'For its owner alone: null to apps and to everyone else.' })
  personalityPrompt?: string | null;

  @Field(() => String, { nullable: true, description: 'Without it the avatar is text-only.' })
  ttsVoiceId?: string | null;

  @Field(() => Boolean, { description: 'When true, any caller may render the avatar; the owner pays.' })
  publiclyRenderable: boolean;

  @Field(() => ID, { nullable: true })
  folderId?: string | null;

  @Field(() => Boolean)
  nameLocked: boolean;

  @Field(() => [Url], { description: 'For its owner alone: empty to apps and to everyone else.' })
  knowledgeBaseUrls: string[];

  @Field(() => String, { nullable: true, description: 'Set by training.' })
  gemRef?: string | null;

  @Field(() => MemorySystemType, {
    nullable: true,
    description: 'Where its memories are kept. Null for another person’s avatar.',
  })
  brainSystem?: string | null;

  @Field(() => Credits, { nullable: true, description: 'What other users may spend per UTC day; null: no cap.' })
  nonOwnerCapPerDay?: bigint | null;

  @Field(() => EpochMillis, { nullable: true })
  createdAt: number;

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

@ObjectType({ description: 'A custom voice that was deleted.' })
export class DeletedVoice {
  @Field(() => ID, { description: 'The voice.' })
  deletedId: string;

  @Field(() => Int, { description: 'How many avatars spoke with it.' })
  changedAvatars: number;

  @Field(() => ID, {
    nullable: true,
    description: 'The preset that they speak with now; null where it is there no more: they answer in writing.',
  })
  ttsVoiceId: string | null;
}

@ObjectType({ description: 'What an own avatar cost its owner for one thing.' })
export class AvatarUsageLine {
  @Field(() => UsageKindType, { description: 'What it was spent on.' })
  kind: UsageKind;

  @Field(() => Int, { description: 'How many were paid for.' })
  count: number;

  @Field(() => Credits, { description: 'How many credits.' })
  credits: bigint;

  @Field(() => Credits, { description: 'What of it other users and visitors spent.' })
  creditsOfOthers: bigint;
}

@ObjectType({ description: 'What an avatar would answer with a personality that is not saved.' })
export class TriedReply {
  @Field()
  text: string;
}

@ObjectType({
  implements: Node,
  description: 'One image of an avatar. Its `url` is valid as `avatarImageUrl` elsewhere.',
})
export class AvatarImage extends Node {
  @Field(() => Url)
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

  @Field(() => Url, { nullable: true })
  primary?: string | null;

  @Field(() => [AvatarImage])
  images: AvatarImage[];
}

@ObjectType({ implements: Node, description: 'A folder of avatars.' })
export class AvatarFolder {
  @EntityId('The folder.')
  folderId: string;

  @Field()
  name: string;

  /** Where its icon is stored; the API shows an address. */
  iconKey?: string | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType()
export class DeletedFolder {
  @Field(() => Boolean)
  ok: boolean;

  @Field(() => ID)
  folderId: string;

  @Field(() => ID, { description: 'The `id` of what is gone.' })
  deletedId: string;

  @Field(() => Int, { description: 'How many avatars became unfiled.' })
  unfiledAvatars: number;
}

@ObjectType({ implements: Node, description: 'A voice: a curated preset, or a custom one of the caller.' })
export class Voice {
  @Field(() => ID)
  id: string;

  @Field()
  name: string;

  @Field(() => VoiceSourceType, { description: 'Whether every account has it.' })
  source: string;

  @Field(() => BCP47, { description: 'The language it speaks: that of the preset it is or starts from.' })
  language: string;
}

export const AvatarConnection = ConnectionOf(Avatar, { counted: true });
export const AvatarFolderConnection = ConnectionOf(AvatarFolder, { counted: true });
export const AvatarImageConnection = ConnectionOf(AvatarImage, { counted: true });
export const VoiceConnection = ConnectionOf(Voice, { counted: true });

@ObjectType({ description: 'An avatar whose memories are kept somewhere else from now on.' })
export class SetMemorySystemPayload {
  @Field(() => Avatar, { description: 'The avatar as it is now.' })
  avatar: Avatar;
}
