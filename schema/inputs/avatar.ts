/** Inputs of avatars, voices and faces, with their documented limits. */
import { Field, Float, ID, InputType } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Bounded } from './bounds.ts';

@InputType()
export class CreateAvatarInput {
  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.displayName })
  displayName: string;

  @Field(() => String, {
    nullable: true,
    description: 'Public URL; fetched and re-hosted. Without it a portrait is drawn.',
  })
  @Bounded({ format: 'uri' })
  imageUrl?: string | null;

  @Field(() => String, { nullable: true })
  @Bounded({ maxLength: LIMITS.personalityPrompt })
  personalityPrompt?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A voice id of the voice list; without it the avatar is text-only.',
  })
  ttsVoiceId?: string | null;

  @Field(() => [String], { nullable: true })
  @Bounded({ maxItems: LIMITS.knowledgeBaseUrls })
  knowledgeBaseUrls?: string[] | null;

  @Field(() => Boolean, { nullable: true })
  publiclyRenderable?: boolean | null;

  @Field(() => ID, { nullable: true })
  folderId?: string | null;
}

@InputType({ description: 'What is left out stays as it is; null empties it.' })
export class UpdateAvatarInput {
  @Field(() => String, { nullable: true, description: 'Cannot be emptied, nor changed when the name is locked.' })
  @Bounded({ minLength: 1, maxLength: LIMITS.displayName })
  displayName?: string | null;

  @Field(() => String, { nullable: true })
  @Bounded({ maxLength: LIMITS.personalityPrompt })
  personalityPrompt?: string | null;

  @Field(() => [String], { nullable: true, description: 'Learned by the next training, which replaces the old ones.' })
  @Bounded({ maxItems: LIMITS.knowledgeBaseUrls })
  knowledgeBaseUrls?: string[] | null;

  @Field(() => ID, { nullable: true })
  folderId?: string | null;
}

@InputType()
export class CreateCustomVoiceInput {
  @Field(() => ID)
  avatarId: string;

  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.displayName })
  name: string;

  @Field(() => ID, { description: 'The preset it starts from.' })
  baseVoiceId: string;

  @Field(() => String, { nullable: true, description: 'A timbre of the speech engine.' })
  variant?: string | null;

  @Field(() => Float, { nullable: true, description: 'Semitones.' })
  @Bounded({ minimum: -12, maximum: 12 })
  pitch?: number | null;

  @Field(() => Float, { nullable: true, description: 'Speed factor.' })
  @Bounded({ minimum: 0.5, maximum: 2 })
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
