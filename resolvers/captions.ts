/** What a viewer shows beside the turns themselves: captions in other languages, and the avatar while nobody speaks. */
import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { TranslatedCaption } from '../schema/caption.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Context } from './context.ts';

@Resolver()
export class CaptionResolver {
  @Query(() => TranslatedCaption, { description: 'A turn’s words in another language; UNAVAILABLE without a model.' })
  @Allow({ auth: 'optional' })
  translatedCaption(
    @Ctx() { services, principal }: Context,
    @Arg('turnId', () => ID, { description: 'Its id, or its t- slug, which is the grant.' }) turnId: string,
    @Arg('language', () => String, { description: 'BCP 47, e.g. de or pt-BR.' }) language: string,
    @Arg('viewerToken', () => String, { nullable: true }) viewerToken?: string | null,
    @Arg('key', () => String, { nullable: true, description: 'Key of an access link.' }) key?: string | null,
  ): Promise<TranslatedCaption> {
    const grant = { viewerToken: viewerToken ?? null, key: key ?? null };
    return services.captions.translated(principal, turnId, grant, language);
  }

  @Query(() => String, {
    nullable: true,
    description: 'A clip of the avatar at rest, to be played round and round; null while it is being made.',
  })
  @Allow({ auth: 'optional' })
  idleClip(
    @Ctx() { services, principal }: Context,
    @Arg('slug', () => String, { description: 'c-...' }) slug: string,
    @Arg('viewerToken', () => String, { nullable: true }) viewerToken?: string | null,
    @Arg('key', () => String, { nullable: true, description: 'Key of an access link.' }) key?: string | null,
  ): Promise<string | null> {
    return services.idleClips.url(principal, slug, { viewerToken: viewerToken ?? null, key: key ?? null });
  }
}
