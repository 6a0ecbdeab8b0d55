/** The body of POST /avatars/{avatarId}/speak. */
import { Field, ID, InputType } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { SPEAK_OUTPUTS, TEXT_MODES } from '../../src/kernel/media-options.ts';
import { Bounded } from './bounds.ts';

@InputType()
export class SpeakInput {
  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.speakText })
  text: string;

  @Field(() => String, { nullable: true, description: 'personality rewrites the text through the avatar’s prompt.' })
  @Bounded({ enum: TEXT_MODES, default: 'literal' })
  textMode?: string | null;

  @Field(() => String, { nullable: true })
  @Bounded({ enum: SPEAK_OUTPUTS, default: 'audio' })
  output?: string | null;

  @Field(() => String, { nullable: true, description: 'A url of the avatar’s image list; default the primary image.' })
  @Bounded({ format: 'uri' })
  avatarImageUrl?: string | null;

  @Field(() => ID, { nullable: true, description: 'Required for someone else’s publicly renderable avatar.' })
  avatarOwnerUserId?: string | null;

  @Field(() => String, { nullable: true, description: 'Language of the text, like `de` or `pt-BR`.' })
  language?: string | null;
}
