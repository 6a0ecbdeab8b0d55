/** One-shot speech. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { PageArgs } from '../schema/inputs/page.ts';
import { DeleteSpeechInput, SpeakInput, TranscribeInput } from '../schema/inputs/speech.ts';
import { Deleted, LookUp } from '../schema/node.ts';
import { SpeakGeneration, SpeakGenerationConnection, SpeechCard, Transcript } from '../schema/speech.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

@Resolver()
export class SpeechResolver {
  @Mutation(() => SpeakGeneration)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  @Idempotent()
  speak(@Ctx() context: Context, @Arg('input', () => SpeakInput) input: SpeakInput): Promise<SpeakGeneration> {
    return context.services.speeches.start(caller(context), input);
  }

  @LookUp(() => SpeakGeneration, 'One-shot speech, for the account that asked for it or pays for it.')
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  speakGeneration(
    @Ctx() context: Context,
    @Arg('generationId', () => ID) generationId: string,
  ): Promise<SpeakGeneration> {
    return context.services.speeches.read(caller(context), generationId);
  }

  @Query(() => SpeakGenerationConnection, { description: 'What the caller let be spoken, newest first.' })
  @Allow({ auth: 'firstParty' })
  speeches(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<SpeakGeneration>> {
    return context.services.speeches.list(caller(context), page);
  }

  @Mutation(() => Deleted, {
    description: 'Deletes one-shot speech and its files; one that is not ready ends uncharged.',
  })
  @Allow({ auth: 'firstParty' })
  async deleteSpeech(
    @Ctx() context: Context,
    @Arg('input', () => DeleteSpeechInput) { generationId }: DeleteSpeechInput,
  ): Promise<Deleted> {
    await context.services.speeches.delete(caller(context), generationId);
    return new Deleted(generationId);
  }

  @Mutation(() => Transcript, {
    description:
      'Writes down speech, where TRANSCRIPTION_MODEL is set. Nothing is kept and nothing is charged; files of ' +
      'more than some 180 kB go to POST /transcriptions.',
  })
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  transcribe(
    @Ctx() context: Context,
    @Arg('input', () => TranscribeInput) input: TranscribeInput,
  ): Promise<Transcript> {
    return context.services.transcriptions.transcribe(caller(context), input);
  }

  @Query(() => Boolean, { description: 'Whether `transcribe` has a model to ask.' })
  @Allow({ auth: 'none' })
  canTranscribe(@Ctx() { services }: Context): boolean {
    return services.transcriptions.areThere;
  }

  @LookUp(() => SpeechCard, 'For the share page of one-shot speech; its g- slug is the grant.')
  @Allow({ auth: 'none' })
  speechCard(@Ctx() { services }: Context, @Arg('slug', () => String) slug: string): Promise<SpeechCard> {
    return services.speeches.card(slug);
  }
}
