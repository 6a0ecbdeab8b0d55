/** What a viewer shows beside the turns themselves: captions in other languages, and the avatar while it is silent. */
import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import { TranslatedCaption } from '../schema/caption.ts';
import { CaptionArgs } from '../schema/inputs/caption.ts';
import { LookUp } from '../schema/node.ts';
import { Url } from '../schema/scalars.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Context } from './context.ts';

@Resolver()
export class CaptionResolver {
  @LookUp(() => TranslatedCaption, 'A turn’s words in another language; UNAVAILABLE without a model.')
  @Allow({ auth: 'optional' })
  translatedCaption(
    @Ctx() { services, principal }: Context,
    @Args(() => CaptionArgs) { turnId, language }: CaptionArgs,
    @Arg('viewerToken', () => String, { nullable: true }) viewerToken?: string | null,
    @Arg('key', () => String, { nullable: true, description: 'Key of an access link.' }) key?: string | null,
  ): Promise<TranslatedCaption> {
    const grant = { viewerToken: viewerToken ?? null, key: key ?? null };
    return services.captions.translated(principal, turnId, grant, language);
  }

  @Query(() => Url, {
    nullable: true,
    description: 'A video of the avatar at rest, to be played round and round; null while it is being made.',
  })
  @Allow({ auth: 'optional' })
  idleVideo(
    @Ctx() { services, principal }: Context,
    @Arg('slug', () => String, { description: 'c-...' }) slug: string,
    @Arg('viewerToken', () => String, { nullable: true }) viewerToken?: string | null,
    @Arg('key', () => String, { nullable: true, description: 'Key of an access link.' }) key?: string | null,
  ): Promise<string | null> {
    return services.idleVideos.url(principal, slug, { viewerToken: viewerToken ?? null, key: key ?? null });
  }
}
