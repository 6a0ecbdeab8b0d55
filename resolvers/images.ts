/** Generating and editing images. */
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { MadeImage } from '../schema/image.ts';
import { EditImageInput, GenerateImageInput } from '../schema/inputs/image.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller } from './context.ts';

@Resolver()
export class ImageResolver {
  @Mutation(() => MadeImage)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  generateImage(
    @Ctx() context: Context,
    @Arg('input', () => GenerateImageInput) input: GenerateImageInput,
  ): Promise<MadeImage> {
    return context.services.generatedImages.generate(caller(context), input);
  }

  @Mutation(() => MadeImage)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  editImage(@Ctx() context: Context, @Arg('input', () => EditImageInput) input: EditImageInput): Promise<MadeImage> {
    return context.services.generatedImages.edit(caller(context), input);
  }
}
