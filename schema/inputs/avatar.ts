/** Inputs of avatars, voices, faces and folders, with their documented limits. */

import { ArgsType, Field, Float, ID, InputType } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Url } from '../scalars.ts';
import { ValidateIf } from './class-validator.ts';
import { Between, HttpUrl, HttpUrls, Items, OptionalText, Text, TextToKeep } from './rules.ts';

const Pitch = () => Between(-12, 12);
const Rate = () => Between(0.5, 2);

@InputType()
export class CreateAvatarInput {
  @Field()
  @Text(LIMITS.displayName)
  displayName: string;

  @Field(() => Url, {
    nullable: true,
    description: 'Public URL; fetched and re-hosted. Without it a portrait is drawn.',
  })
  @HttpUrl()
  imageUrl?: string | null;

  @Field(() => String, { nullable: true })
  @OptionalText(LIMITS.personalityPrompt)
  personalityPrompt?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A voice id of the voice list; without it the avatar is text-only.',
  })
  ttsVoiceId?: string | null;

  @Field(() => [Url], { nullable: true })
  @Items(0, LIMITS.knowledgeBaseUrls)
  @HttpUrls()
  knowledgeBaseUrls?: string[] | null;

  @Field(() => Boolean, { nullable: true, defaultValue: false })
  publiclyRenderable?: boolean | null;

  @Field(() => ID, { nullable: true })
  folderId?: string | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType({ description: 'What is left out stays as it is; null empties it.' })
export class UpdateAvatarInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => String, { nullable: true, description: 'Cannot be emptied, nor changed when the name is locked.' })
  @TextToKeep(LIMITS.displayName)
  displayName?: string | null;

  @Field(() => String, { nullable: true })
  @OptionalText(LIMITS.personalityPrompt)
  personalityPrompt?: string | null;

  @Field(() => [Url], { nullable: true, description: 'Learned by the next training, which replaces the old ones.' })
  @Items(0, LIMITS.knowledgeBaseUrls)
  @HttpUrls()
  knowledgeBaseUrls?: string[] | null;

  @Field(() => ID, { nullable: true })
  folderId?: string | null;
}

@InputType()
export class RenameAvatarInput {
  @Field(() => ID)
  avatarId: string;

  @Field()
  @Text(LIMITS.displayName)
  displayName: string;
}

@InputType()
export class DeleteAvatarInput {
  @Field(() => ID)
  avatarId: string;
}

@InputType()
export class SetAvatarPublicInput {
  @Field(() => ID)
  avatarId: string;

  @Field()
  publiclyRenderable: boolean;
}

@InputType()
export class SetAvatarVoiceInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => ID)
  voiceId: string;
}

@InputType()
export class AddAvatarImageInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => Url)
  @HttpUrl()
  imageUrl: string;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class SetPrimaryAvatarImageInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => ID)
  assetId: string;
}

@InputType()
export class CreateAvatarFolderInput {
  @Field()
  @Text(LIMITS.folderName)
  name: string;

  @Field(() => Url, { nullable: true })
  @ValidateIf((_, icon) => icon !== '')
  @HttpUrl()
  icon?: string | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class DeleteAvatarFolderInput {
  @Field(() => ID)
  folderId: string;
}

@InputType()
export class CreateCustomVoiceInput {
  @Field(() => ID)
  avatarId: string;

  @Field()
  @Text(LIMITS.displayName)
  name: string;

  @Field(() => ID, { description: 'The preset it starts from.' })
  baseVoiceId: string;

  @Field(() => String, { nullable: true, description: 'A timbre of the speech engine.' })
  variant?: string | null;

  @Field(() => Float, { nullable: true, description: 'Semitones.' })
  @Pitch()
  pitch?: number | null;

  @Field(() => Float, { nullable: true, description: 'Speed factor.' })
  @Rate()
  rate?: number | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class DeleteCustomVoiceInput {
  @Field(() => ID, { description: 'The voice.' })
  voiceId: string;
}

@ArgsType()
export class VoiceSampleArgs {
  @Field(() => ID, { description: 'The preset it starts from; or a custom voice of yours, which sounds as it is.' })
  baseVoiceId: string;

  @Field(() => String, { nullable: true })
  variant?: string | null;

  @Field(() => Float, { nullable: true })
  @Pitch()
  pitch?: number | null;

  @Field(() => Float, { nullable: true })
  @Rate()
  rate?: number | null;
}

@InputType({ description: 'A point of an image, as fractions of its width and height from the top left.' })
export class PointInput {
  @Field(() => Float)
  x: number;

  @Field(() => Float)
  y: number;
}

@InputType({ description: 'Where the face is in a still, clicked by its owner. Left is the viewer’s left.' })
export class FaceInput {
  @Field(() => PointInput)
  leftEye: PointInput;

  @Field(() => PointInput)
  rightEye: PointInput;

  @Field(() => PointInput)
  mouth: PointInput;

  @Field(() => PointInput, { nullable: true })
  chin?: PointInput | null;

  @Field(() => Float, { nullable: true })
  mouthWidth?: number | null;
}

@InputType()
export class SetAvatarFaceInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => Url)
  imageUrl: string;

  @Field(() => FaceInput)
  face: FaceInput;
}

@InputType({ description: 'What was said and answered before, while a personality is tried.' })
export class TriedExchangeInput {
  @Field()
  userText: string;

  @Field()
  avatarText: string;
}

@InputType({ description: 'A personality that is not saved, and what is said to it.' })
export class TryPersonaInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => String, { nullable: true, description: 'The name it answers by; default the avatar’s.' })
  @OptionalText(LIMITS.displayName)
  displayName?: string | null;

  @Field(() => String, { nullable: true })
  @OptionalText(LIMITS.personalityPrompt)
  personalityPrompt?: string | null;

  @Field()
  @Text(LIMITS.userText)
  userText: string;

  @Field(() => [TriedExchangeInput], { nullable: true, description: 'Oldest first; nothing of it is kept.' })
  @Items(0, LIMITS.triedExchanges)
  history?: TriedExchangeInput[] | null;
}
