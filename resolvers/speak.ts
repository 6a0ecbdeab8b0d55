/** One-shot speech. */
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { SpeakInput } from '../schema/inputs/speak.ts';
import { SpeakGeneration, SpeechCard } from '../schema/speak.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Context, caller } from './context.ts';

@Resolver()
export class SpeakResolver {
  @Mutation(() => SpeakGeneration)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  speak(
    @Ctx() context: Context,
    @Arg('avatarId', () => ID) avatarId: string,
    @Arg('input', () => SpeakInput) input: SpeakInput,
  ): Promise<SpeakGeneration> {
    return context.services.speak.start(caller(context), avatarId, input);
  }

  @Query(() => SpeakGeneration)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  speakGeneration(
    @Ctx() context: Context,
    @Arg('generationId', () => ID) generationId: string,
  ): Promise<SpeakGeneration> {
    return context.services.speak.read(caller(context), generationId);
  }

  @Query(() => SpeechCard, { description: 'For the share page of a spoken clip; its g- slug is the grant.' })
  @Allow({ auth: 'none' })
  speechCard(@Ctx() { services }: Context, @Arg('slug', () => String) slug: string): Promise<SpeechCard> {
    return services.speak.card(slug);
  }
}
