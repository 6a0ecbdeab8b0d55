/** One shared turn and the face that speaks it. */
import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { ClipCard } from '../schema/clip.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Context } from './context.ts';

@Resolver()
export class ClipResolver {
  @Query(() => ClipCard, { description: 'For the share page of a turn; its t- slug is the grant.' })
  @Allow({ auth: 'none' })
  clipCard(@Ctx() { services }: Context, @Arg('slug', () => String) slug: string): Promise<ClipCard> {
    return services.clips.card(slug);
  }
}
