/** The body of POST /avatars/{avatarId}/speak, and a recording to be written down. */
import { Field, ID, InputType } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { type SpeakOutput, type TextMode } from '../../src/kernel/media-options.ts';
import { MediumType, TextModeType } from '../enums.ts';
import { BCP47, FileBytes, Url } from '../scalars.ts';
import { Documented, Pattern, Text } from './rules.ts';

/** A language and what narrows it down, in any case, with hyphens or underscores. */
const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i;

@InputType()
export class SpeakInput {
  @Field(() => ID)
  avatarId: string;

  @Field()
  @Text(LIMITS.speakText)
  text: string;

  @Field(() => TextModeType, {
    nullable: true,
    defaultValue: 'literal',
    description: 'personality rewrites the text through the avatar’s prompt.',
  })
  textMode?: TextMode | null;

  @Field(() => MediumType, { nullable: true, defaultValue: 'audio' })
  output?: SpeakOutput | null;

  @Field(() => Url, { nullable: true, description: 'A url of the avatar’s image list; default the primary image.' })
  @Documented({ format: 'uri' })
  avatarImageUrl?: string | null;

  @Field(() => ID, { nullable: true, description: 'Required for someone else’s publicly renderable avatar.' })
  avatarOwnerUserId?: string | null;

  @Field(() => BCP47, { nullable: true, description: 'Language of the text, like `de` or `pt-BR`.' })
  @Pattern(LANGUAGE, 'must be a language code like de or pt-BR.')
  language?: string | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class DeleteSpeechInput {
  @Field(() => ID)
  generationId: string;
}

@InputType({ description: 'A recording of speech.' })
export class TranscribeInput {
  @Field(() => FileBytes, { description: 'webm, ogg, opus, wav, mp3, mp4, m4a or flac, of up to two minutes.' })
  audio: Uint8Array;

  @Field(() => BCP47, { nullable: true, description: 'What is spoken, where it is known, like `de` or `pt-BR`.' })
  @Pattern(LANGUAGE, 'must be a language code like de or pt-BR.')
  language?: string | null;
}
