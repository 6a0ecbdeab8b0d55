/** The body of POST /videos/generate. */
import { ArgsType, Field, Float, ID, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import {
  ASPECT_RATIOS,
  type AspectRatio,
  RESOLUTIONS,
  type Resolution,
  VIDEO_FPS,
  VIDEO_MODELS,
  VISIBILITIES,
  type VideoFps,
  type VideoModel,
  type Visibility,
} from '../../src/kernel/media-options.ts';
import { Between, Documented, HttpUrl, Items, OneOf, Text, WholeNumber } from './rules.ts';

@InputType()
export class GenerateVideoInput {
  @Field()
  @Text(LIMITS.videoPrompt)
  prompt: string;

  @Field(() => ID, { nullable: true, description: 'One of your avatars; required with `speechText`.' })
  avatarId?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Avatars to feature, beside those that the prompt names.' })
  @Items(0, LIMITS.featuredAvatars)
  avatarIds?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Opening frame. Omit it for the still of `avatarId`; null is pure text-to-video.',
  })
  @HttpUrl()
  image?: string | null;

  @Field(() => String, { nullable: true, description: 'Closing frame.' })
  @HttpUrl()
  lastFrameImage?: string | null;

  @Field(() => String, { nullable: true, description: 'A video to edit as the prompt says; uses `ensemble`.' })
  @HttpUrl()
  srcVideo?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Spoken in the avatar’s voice; sets the length. Not with `audio`.',
  })
  @Text(LIMITS.speechText)
  speechText?: string | null;

  @Field(() => String, { nullable: true, description: 'flac, mp3 or wav; sets the length. Not with `speechText`.' })
  @HttpUrl()
  audio?: string | null;

  @Field(() => String, { nullable: true, description: 'Omitted: picked by what is given.' })
  @OneOf(VIDEO_MODELS)
  model?: VideoModel | null;

  @Field(() => Int, { nullable: true, description: 'Seconds; ignored with `speechText` or `audio`.' })
  @Between(1, LIMITS.videoSeconds)
  duration?: number | null;

  @Field(() => String, { nullable: true })
  @OneOf(RESOLUTIONS, '720p')
  resolution?: Resolution | null;

  @Field(() => Int, { nullable: true })
  @OneOf(VIDEO_FPS, 24)
  fps?: VideoFps | null;

  @Field(() => String, { nullable: true, description: 'Ignored when an image is used.' })
  @OneOf(ASPECT_RATIOS, '16:9')
  aspectRatio?: AspectRatio | null;

  @Field(() => Float, { nullable: true, description: 'A whole number; the same one makes the same frames.' })
  @WholeNumber()
  seed?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Lower quality at a lower price.' })
  @Documented({ default: false })
  draft?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'false renders a silent video.' })
  @Documented({ default: true })
  saveAudio?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'false uses the prompt verbatim.' })
  @Documented({ default: true })
  promptUpsampling?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Of the share page.' })
  @OneOf(VISIBILITIES, 'private')
  visibility?: Visibility | null;
}

@ArgsType()
export class SetVideoVisibilityArgs {
  @Field(() => ID)
  generationId: string;

  @Field(() => String, { description: 'private or public.' })
  @OneOf(VISIBILITIES)
  visibility: Visibility;
}
