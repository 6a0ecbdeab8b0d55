/** One-shot speech. */
import { Field, Float, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { SpeechStatusType } from './enums.ts';
import { EntityId, Node } from './node.ts';
import { EpochMillis, Url } from './scalars.ts';
import { WordMark } from './turn.ts';

@ObjectType({ implements: Node, description: 'One text spoken by an avatar outside of any conversation.' })
export class SpeakGeneration {
  @EntityId('The speech.')
  generationId: string;

  @Field(() => SpeechStatusType, { description: 'How far it has come.' })
  status: string;

  @Field(() => Url, { nullable: true, description: 'Freshly signed; lives one hour.' })
  audioUrl?: string | null;

  @Field(() => Url, { nullable: true, description: 'Freshly signed; lives one hour.' })
  videoUrl?: string | null;

  @Field(() => String, { nullable: true, description: 'Minted with the first finished medium.' })
  shareSlug?: string | null;

  @Field(() => Boolean, { description: 'True when an identical earlier request is answered again, without a charge.' })
  reused: boolean;

  @Field({ description: 'Path to poll.' })
  poll: string;

  @Field(() => String, { nullable: true })
  errorMessage?: string | null;

  @Field({ description: 'The text that was asked for.' })
  text: string;

  @Field(() => EpochMillis)
  createdAt: number;
}

export const SpeakGenerationConnection = ConnectionOf(SpeakGeneration);

@ObjectType({ description: 'One-shot speech for its share page; its g- slug is the grant.' })
export class SpeechCard {
  @Field(() => SpeakGeneration)
  generation: SpeakGeneration;

  @Field({ description: 'The words that are spoken.' })
  text: string;

  @Field(() => [WordMark], { nullable: true })
  words?: WordMark[] | null;

  @Field(() => String, { nullable: true })
  avatarDisplayName?: string | null;

  @Field(() => Url, { nullable: true })
  avatarImageUrl?: string | null;
}

@ObjectType({ description: 'What was said in a recording.' })
export class Transcript {
  @Field({ description: 'Its words; empty where nothing was said.' })
  text: string;

  @Field(() => Float, { description: 'Its length in seconds.' })
  seconds: number;
}
