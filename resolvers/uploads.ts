/** Files that are brought or drawn before they are used. */
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { CreateUploadInput, DrawPortraitInput } from '../schema/inputs/upload.ts';
import { PendingUpload, UploadedImage } from '../schema/upload.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

@Resolver()
export class UploadResolver {
  @Mutation(() => PendingUpload, { description: 'An address to send an image, a recording or a video to.' })
  @Allow({ auth: 'firstParty' })
  @Idempotent({ isSecret: true })
  createUpload(
    @Ctx() context: Context,
    @Arg('input', () => CreateUploadInput, { nullable: true }) _input?: CreateUploadInput | null,
  ): Promise<PendingUpload> {
    return context.services.uploads.create(caller(context));
  }

  @Mutation(() => UploadedImage, {
    description: 'Draws a portrait from words, free of charge: to look at before an avatar is made with it.',
  })
  @Allow({ auth: 'firstParty' })
  @Idempotent()
  drawPortrait(
    @Ctx() context: Context,
    @Arg('input', () => DrawPortraitInput) { description, variation }: DrawPortraitInput,
  ): Promise<UploadedImage> {
    return context.services.uploads.drawPortrait(caller(context), description, variation);
  }
}
