/** The body of POST /videos/generate. */
import { Field, ID, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import {
  ASPECT_RATIOS,
  type AspectRatio,
  RESOLUTIONS,
  type Resolution,
  VIDEO_FPS,
  type VideoFps,
  type VideoModel,
  type Visibility,
} from '../../src/kernel/media-options.ts';
import { VideoModelType, VisibilityType } from '../enums.ts';
import { AspectRatioText, ResolutionText, SafeInt, Url } from '../scalars.ts';
import { Between, HttpUrl, Items, OneOf, Text, WholeNumber } from './rules.ts';

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

  @Field(() => Url, {
    nullable: true,
    description: 'Opening frame. Omit it for the still of `avatarId`; null is pure text-to-video.',
  })
  @HttpUrl()
  image?: string | null;

  @Field(() => Url, { nullable: true, description: 'Closing frame.' })
  @HttpUrl()
  lastFrameImage?: string | null;

  @Field(() => Url, { nullable: true, description: 'A video to edit as the prompt says; uses `ensemble`.' })
  @HttpUrl()
  srcVideo?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Spoken in the avatar’s voice; sets the length. Not with `audio`.',
  })
  @Text(LIMITS.speechText)
  speechText?: string | null;

  @Field(() => Url, { nullable: true, description: 'flac, mp3 or wav; sets the length. Not with `speechText`.' })
  @HttpUrl()
  audio?: string | null;

  @Field(() => VideoModelType, { nullable: true, description: 'Omitted: picked by what is given.' })
  model?: VideoModel | null;

  @Field(() => Int, { nullable: true, description: 'Seconds; ignored with `speechText` or `audio`.' })
  @Between(1, LIMITS.videoSeconds)
  duration?: number | null;

  @Field(() => ResolutionText, { nullable: true, defaultValue: '720p' })
  @OneOf(RESOLUTIONS, '720p')
  resolution?: Resolution | null;

  @Field(() => Int, { nullable: true, defaultValue: 24 })
  @OneOf(VIDEO_FPS, 24)
  fps?: VideoFps | null;

  @Field(() => AspectRatioText, { nullable: true, defaultValue: '16:9', description: 'Ignored when an image is used.' })
  @OneOf(ASPECT_RATIOS, '16:9')
  aspectRatio?: AspectRatio | null;

  @Field(() => SafeInt, { nullable: true, description: 'A whole number; the same one makes the same frames.' })
  @WholeNumber()
  seed?: number | null;

  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Lower quality at a lower price.' })
  draft?: boolean | null;

  @Field(() => Boolean, { nullable: true, defaultValue: true, description: 'false renders a silent video.' })
  saveAudio?: boolean | null;

  @Field(() => Boolean, { nullable: true, defaultValue: true, description: 'false uses the prompt verbatim.' })
  promptUpsampling?: boolean | null;

  @Field(() => VisibilityType, { nullable: true, defaultValue: 'private', description: 'Of the share page.' })
  visibility?: Visibility | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class SetVideoVisibilityInput {
  @Field(() => ID)
  generationId: string;

  @Field(() => VisibilityType, { description: 'Who may open the share page from now on.' })
  visibility: Visibility;
}

@InputType()
export class DeleteVideoInput {
  @Field(() => ID)
  generationId: string;
}

@InputType()
export class CancelVideoInput {
  @Field(() => ID)
  generationId: string;
}
