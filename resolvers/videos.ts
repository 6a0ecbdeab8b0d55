/** Videos. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { PageArgs } from '../schema/inputs/page.ts';
import {
  CancelVideoInput,
  DeleteVideoInput,
  GenerateVideoInput,
  SetVideoVisibilityInput,
} from '../schema/inputs/video.ts';
import { Deleted, LookUp } from '../schema/node.ts';
import { SharedVideo, Video, VideoConnection, VideoRate } from '../schema/video.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

@Resolver()
export class VideoResolver {
  @Mutation(() => Video)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  @Idempotent()
  generateVideo(
    @Ctx() context: Context,
    @Arg('input', () => GenerateVideoInput) input: GenerateVideoInput,
  ): Promise<Video> {
    return context.services.videos.start(caller(context), input);
  }

  @LookUp(() => Video, 'One video of the caller’s; a token sees what its own app asked for.')
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  video(@Ctx() context: Context, @Arg('generationId', () => ID) generationId: string): Promise<Video> {
    return context.services.videos.read(caller(context), generationId);
  }

  @Query(() => VideoConnection, { description: 'The caller’s videos, newest first.' })
  @Allow({ auth: 'firstParty' })
  videos(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<Video>> {
    return context.services.videos.list(caller(context), page);
  }

  @LookUp(() => SharedVideo, 'For the share page; a private one is unknown to all but who made it.')
  @Allow({ auth: 'optional' })
  sharedVideo(@Ctx() { services, principal }: Context, @Arg('slug', () => String) slug: string): Promise<SharedVideo> {
    return services.videos.shared(slug, principal);
  }

  @Query(() => [VideoRate])
  @Allow({ auth: 'none' })
  videoPricing(@Ctx() { services }: Context): VideoRate[] {
    return services.videos.pricing();
  }

  @Mutation(() => Video)
  @Allow({ auth: 'firstParty' })
  setVideoVisibility(
    @Ctx() context: Context,
    @Arg('input', () => SetVideoVisibilityInput) { generationId, visibility }: SetVideoVisibilityInput,
  ): Promise<Video> {
    return context.services.videos.setVisibility(caller(context), generationId, visibility);
  }

  @Mutation(() => Deleted, { description: 'Deletes a video and its files; one that is not ready ends uncharged.' })
  @Allow({ auth: 'firstParty' })
  async deleteVideo(
    @Ctx() context: Context,
    @Arg('input', () => DeleteVideoInput) { generationId }: DeleteVideoInput,
  ): Promise<Deleted> {
    await context.services.videos.delete(caller(context), generationId);
    return new Deleted(generationId);
  }

  @Mutation(() => Video, {
    description: 'Ends a video that is not ready, uncharged; one that has ended stays as it is.',
  })
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  cancelVideo(
    @Ctx() context: Context,
    @Arg('input', () => CancelVideoInput) { generationId }: CancelVideoInput,
  ): Promise<Video> {
    return context.services.videos.cancel(caller(context), generationId);
  }
}
