/** The bodies of POST /images/generate and /images/edit. */
import { Field, InputType } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { ASPECT_RATIOS, EDIT_MODELS, GENERATE_MODELS, MATCH_INPUT } from '../../src/kernel/media-options.ts';
import { Bounded } from './bounds.ts';

@InputType()
export class GenerateImageInput {
  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.imagePrompt })
  prompt: string;

  @Field(() => String, { nullable: true })
  @Bounded({ enum: ASPECT_RATIOS, default: '1:1' })
  aspectRatio?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'typo_gen renders legible words. Omitted: chosen by whether the prompt wants words in the picture.',
  })
  @Bounded({ enum: GENERATE_MODELS })
  model?: string | null;
}

@InputType()
export class EditImageInput {
  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.imagePrompt })
  prompt: string;

  @Field(() => String, { nullable: true, description: 'One picture; or else `images`.' })
  @Bounded({ format: 'uri' })
  imageUrl?: string | null;

  @Field(() => [String], { nullable: true, description: '1 to 5 pictures; typo_edit takes at most 2.' })
  @Bounded({ minItems: 1, maxItems: LIMITS.imageReferences })
  images?: string[] | null;

  @Field(() => String, { nullable: true })
  @Bounded({ enum: [MATCH_INPUT, ...ASPECT_RATIOS], default: MATCH_INPUT })
  aspectRatio?: string | null;

  @Field(() => String, { nullable: true, description: 'typo_edit sets legible words. Omitted: chosen by the prompt.' })
  @Bounded({ enum: EDIT_MODELS })
  model?: string | null;
}
