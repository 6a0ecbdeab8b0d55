/** Videos. */
import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { GenerateVideoInput } from '../schema/inputs/video.ts';
import { SharedVideo, Video, VideoRate } from '../schema/video.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller } from './context.ts';

@Resolver()
export class VideoResolver {
  @Mutation(() => Video)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  generateVideo(
    @Ctx() context: Context,
    @Arg('input', () => GenerateVideoInput) input: GenerateVideoInput,
  ): Promise<Video> {
    return context.services.videos.start(caller(context), input);
  }

  @Query(() => Video)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  video(@Ctx() context: Context, @Arg('generationId', () => ID) generationId: string): Promise<Video> {
    return context.services.videos.read(caller(context), generationId);
  }

  @Query(() => [Video], { description: 'The caller’s films, newest first.' })
  @Allow({ auth: 'firstParty' })
  videos(
    @Ctx() context: Context,
    @Arg('first', () => Int, { nullable: true }) first?: number | null,
    @Arg('after', () => ID, { nullable: true, description: 'generationId of the last one of the page before.' })
    after?: string | null,
  ): Promise<Video[]> {
    return context.services.videos.list(caller(context), first, after);
  }

  @Query(() => SharedVideo, { description: 'For the share page; a private one is unknown to all but who made it.' })
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
    @Arg('generationId', () => ID) generationId: string,
    @Arg('visibility', () => String, { description: 'private or public.' }) visibility: string,
  ): Promise<Video> {
    return context.services.videos.setVisibility(caller(context), generationId, visibility);
  }

  @Mutation(() => Video, {
    description: 'Ends a film that is not ready, uncharged; one that has ended stays as it is.',
  })
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  cancelVideo(@Ctx() context: Context, @Arg('generationId', () => ID) generationId: string): Promise<Video> {
    return context.services.videos.cancel(caller(context), generationId);
  }
}
