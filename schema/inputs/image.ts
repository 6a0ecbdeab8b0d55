/** The bodies of POST /images/generate and /images/edit. */
import { Field, ID, InputType } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import {
  ASPECT_RATIOS,
  type AspectRatio,
  EDIT_MODELS,
  GENERATE_MODELS,
  MATCH_INPUT,
} from '../../src/kernel/media-options.ts';
import { EditModelType, GenerateModelType } from '../enums.ts';
import { AspectRatioText, Url } from '../scalars.ts';
import { HttpUrl, HttpUrls, Items, OneOf, Text } from './rules.ts';

@InputType()
export class GenerateImageInput {
  @Field()
  @Text(LIMITS.imagePrompt)
  prompt: string;

  @Field(() => AspectRatioText, { nullable: true, defaultValue: '1:1' })
  @OneOf(ASPECT_RATIOS, '1:1')
  aspectRatio?: AspectRatio | null;

  @Field(() => GenerateModelType, {
    nullable: true,
    description: 'typo_gen renders legible words. Omitted: chosen by whether the prompt wants words in the image.',
  })
  model?: (typeof GENERATE_MODELS)[number] | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class EditImageInput {
  @Field()
  @Text(LIMITS.imagePrompt)
  prompt: string;

  @Field(() => Url, { nullable: true, description: 'One image; or else `images`.' })
  @HttpUrl()
  imageUrl?: string | null;

  @Field(() => [Url], { nullable: true, description: '1 to 5 images; typo_edit takes at most 2.' })
  @Items(1, LIMITS.imageReferences)
  @HttpUrls()
  images?: string[] | null;

  @Field(() => AspectRatioText, { nullable: true, defaultValue: MATCH_INPUT })
  @OneOf([MATCH_INPUT, ...ASPECT_RATIOS], MATCH_INPUT)
  aspectRatio?: AspectRatio | typeof MATCH_INPUT | null;

  @Field(() => EditModelType, {
    nullable: true,
    description: 'typo_edit sets legible words. Omitted: chosen by the prompt.',
  })
  model?: (typeof EDIT_MODELS)[number] | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class DeleteImageInput {
  @Field(() => ID)
  imageId: string;
}
