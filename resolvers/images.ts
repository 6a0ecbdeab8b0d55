/** Generating and editing images. */
import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { type KeptImage, KeptImageConnection, MadeImage } from '../schema/image.ts';
import { DeleteImageInput, EditImageInput, GenerateImageInput } from '../schema/inputs/image.ts';
import { PageArgs } from '../schema/inputs/page.ts';
import { Deleted } from '../schema/node.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

@Resolver()
export class ImageResolver {
  @Query(() => KeptImageConnection, { description: 'The caller’s images, newest first.' })
  @Allow({ auth: 'firstParty' })
  images(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<KeptImage>> {
    return context.services.generatedImages.list(caller(context), page);
  }

  @Mutation(() => Deleted, { description: 'Deletes an image and its file.' })
  @Allow({ auth: 'firstParty' })
  async deleteImage(
    @Ctx() context: Context,
    @Arg('input', () => DeleteImageInput) { imageId }: DeleteImageInput,
  ): Promise<Deleted> {
    await context.services.generatedImages.delete(caller(context), imageId);
    return new Deleted(imageId);
  }

  @Mutation(() => MadeImage)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  @Idempotent()
  generateImage(
    @Ctx() context: Context,
    @Arg('input', () => GenerateImageInput) input: GenerateImageInput,
  ): Promise<MadeImage> {
    return context.services.generatedImages.generate(caller(context), input);
  }

  @Mutation(() => MadeImage)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  @Idempotent()
  editImage(@Ctx() context: Context, @Arg('input', () => EditImageInput) input: EditImageInput): Promise<MadeImage> {
    return context.services.generatedImages.edit(caller(context), input);
  }
}
