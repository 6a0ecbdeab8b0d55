/** One shared turn and the face that speaks it. */
import { Arg, Ctx, Resolver } from 'type-graphql';
import { LookUp } from '../schema/node.ts';
import { TurnCard } from '../schema/turn-card.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Context } from './context.ts';

@Resolver()
export class SharedTurnResolver {
  @LookUp(() => TurnCard, 'For the share page of a turn; its t- slug is the grant.')
  @Allow({ auth: 'none' })
  turnCard(@Ctx() { services }: Context, @Arg('slug', () => String) slug: string): Promise<TurnCard> {
    return services.sharedTurns.card(slug);
  }
}
