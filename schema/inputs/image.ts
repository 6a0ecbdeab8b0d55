/** The bodies of POST /images/generate and /images/edit. */
import { Field, InputType } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import {
  ASPECT_RATIOS,
  type AspectRatio,
  EDIT_MODELS,
  GENERATE_MODELS,
  MATCH_INPUT,
} from '../../src/kernel/media-options.ts';
import { HttpUrl, HttpUrls, Items, OneOf, Text } from './rules.ts';

@InputType()
export class GenerateImageInput {
  @Field()
  @Text(LIMITS.imagePrompt)
  prompt: string;

  @Field(() => String, { nullable: true })
  @OneOf(ASPECT_RATIOS, '1:1')
  aspectRatio?: AspectRatio | null;

  @Field(() => String, {
    nullable: true,
    description: 'typo_gen renders legible words. Omitted: chosen by whether the prompt wants words in the picture.',
  })
  @OneOf(GENERATE_MODELS)
  model?: (typeof GENERATE_MODELS)[number] | null;
}

@InputType()
export class EditImageInput {
  @Field()
  @Text(LIMITS.imagePrompt)
  prompt: string;

  @Field(() => String, { nullable: true, description: 'One picture; or else `images`.' })
  @HttpUrl()
  imageUrl?: string | null;

  @Field(() => [String], { nullable: true, description: '1 to 5 pictures; typo_edit takes at most 2.' })
  @Items(1, LIMITS.imageReferences)
  @HttpUrls()
  images?: string[] | null;

  @Field(() => String, { nullable: true })
  @OneOf([MATCH_INPUT, ...ASPECT_RATIOS], MATCH_INPUT)
  aspectRatio?: AspectRatio | typeof MATCH_INPUT | null;

  @Field(() => String, { nullable: true, description: 'typo_edit sets legible words. Omitted: chosen by the prompt.' })
  @OneOf(EDIT_MODELS)
  model?: (typeof EDIT_MODELS)[number] | null;
}
