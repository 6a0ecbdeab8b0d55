/** The caller's balance beside what a charging mutation answers, so that no second request is needed to show it. */
import { type ClassType, Ctx, Extensions, FieldResolver, Resolver } from 'type-graphql';
import { GiftIntent } from '../schema/gift.ts';
import { MadeImage } from '../schema/image.ts';
import { SpeakGeneration } from '../schema/speech.ts';
import { JoinedTribe } from '../schema/tribe.ts';
import { InjectedTurn } from '../schema/turn.ts';
import { Balance } from '../schema/user.ts';
import { Video } from '../schema/video.ts';
import type { Context } from './context.ts';

/** In the TypeScript client an entity's is left out: it would be asked for wherever there is one of these. */
function withBalance(type: ClassType, extensions: { repeats?: string } = {}): ClassType {
  @Resolver(() => type)
  class OwnBalance {
    @FieldResolver(() => Balance, {
      nullable: true,
      description:
        'Your credits now, what is held for it taken off: for the answer of the mutation that charges. Null for an app.',
    })
    @Extensions(extensions)
    balance(@Ctx() { loaders, principal }: Context): Promise<Balance> | null {
      return principal && !principal.scopes ? loaders.balance.load(principal.userId) : null;
    }
  }
  return OwnBalance;
}

/** One for each type that a charging mutation answers. */
export const BALANCES = [
  ...[InjectedTurn, MadeImage, JoinedTribe].map((type) => withBalance(type)),
  ...[SpeakGeneration, Video, GiftIntent].map((type) => withBalance(type, { repeats: 'me' })),
];
