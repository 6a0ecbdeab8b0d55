/** The body of POST /videos/generate. */
import { Field, Float, ID, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { ASPECT_RATIOS, RESOLUTIONS, VIDEO_FPS, VIDEO_MODELS, VISIBILITIES } from '../../src/kernel/media-options.ts';
import { Bounded } from './bounds.ts';

@InputType()
export class GenerateVideoInput {
  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.videoPrompt })
  prompt: string;

  @Field(() => ID, { nullable: true, description: 'One of your avatars; required with `speechText`.' })
  avatarId?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Avatars to feature, beside those that the prompt names.' })
  @Bounded({ maxItems: LIMITS.featuredAvatars })
  avatarIds?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Opening frame. Omit it for the still of `avatarId`; null is pure text-to-video.',
  })
  @Bounded({ format: 'uri' })
  image?: string | null;

  @Field(() => String, { nullable: true, description: 'Closing frame.' })
  @Bounded({ format: 'uri' })
  lastFrameImage?: string | null;

  @Field(() => String, { nullable: true, description: 'A film to edit as the prompt says; uses `ensemble`.' })
  @Bounded({ format: 'uri' })
  srcVideo?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Spoken in the avatar’s voice; sets the length. Not with `audio`.',
  })
  @Bounded({ minLength: 1, maxLength: LIMITS.speechText })
  speechText?: string | null;

  @Field(() => String, { nullable: true, description: 'flac, mp3 or wav; sets the length. Not with `speechText`.' })
  @Bounded({ format: 'uri' })
  audio?: string | null;

  @Field(() => String, { nullable: true, description: 'Omitted: picked by what is given.' })
  @Bounded({ enum: VIDEO_MODELS })
  model?: string | null;

  @Field(() => Int, { nullable: true, description: 'Seconds; ignored with `speechText` or `audio`.' })
  @Bounded({ minimum: 1, maximum: LIMITS.videoSeconds })
  duration?: number | null;

  @Field(() => String, { nullable: true })
  @Bounded({ enum: RESOLUTIONS, default: '720p' })
  resolution?: string | null;

  @Field(() => Int, { nullable: true })
  @Bounded({ enum: VIDEO_FPS, default: 24 })
  fps?: number | null;

  @Field(() => String, { nullable: true, description: 'Ignored when an image is used.' })
  @Bounded({ enum: ASPECT_RATIOS, default: '16:9' })
  aspectRatio?: string | null;

  @Field(() => Float, { nullable: true, description: 'A whole number; the same one makes the same frames.' })
  @Bounded({ type: 'integer' })
  seed?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Lower quality at a lower price.' })
  @Bounded({ default: false })
  draft?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'false renders a silent clip.' })
  @Bounded({ default: true })
  saveAudio?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'false uses the prompt verbatim.' })
  @Bounded({ default: true })
  promptUpsampling?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Of the share page.' })
  @Bounded({ enum: VISIBILITIES, default: 'private' })
  visibility?: string | null;
}
