/** Generating and editing images. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { KeptImage, MadeImage } from '../schema/image.ts';
import { EditImageInput, GenerateImageInput } from '../schema/inputs/image.ts';
import { PageSize } from '../schema/inputs/page.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller, once } from './context.ts';

@Resolver()
export class ImageResolver {
  @Query(() => [KeptImage], { description: 'The caller’s images, newest first.' })
  @Allow({ auth: 'firstParty' })
  images(
    @Ctx() context: Context,
    @Args(() => PageSize) { first }: PageSize,
    @Arg('after', () => ID, { nullable: true, description: 'imageId of the last one of the page before.' }) after?:
      | string
      | null,
  ): Promise<KeptImage[]> {
    return context.services.generatedImages.list(caller(context), first, after);
  }

  @Mutation(() => Boolean, { description: 'Deletes an image and its file.' })
  @Allow({ auth: 'firstParty' })
  deleteImage(@Ctx() context: Context, @Arg('imageId', () => ID) imageId: string): Promise<boolean> {
    return context.services.generatedImages.delete(caller(context), imageId);
  }

  @Mutation(() => MadeImage)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  generateImage(
    @Ctx() context: Context,
    @Arg('input', () => GenerateImageInput) input: GenerateImageInput,
  ): Promise<MadeImage> {
    return once(context, () => context.services.generatedImages.generate(caller(context), input));
  }

  @Mutation(() => MadeImage)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  editImage(@Ctx() context: Context, @Arg('input', () => EditImageInput) input: EditImageInput): Promise<MadeImage> {
    return once(context, () => context.services.generatedImages.edit(caller(context), input));
  }
}
