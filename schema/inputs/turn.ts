/** The body of POST /conversations/{id}/turn. */
import { Field, ID, InputType } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Bounded } from './bounds.ts';

const OUTPUTS = ['text', 'audio', 'video'] as const;

@InputType()
export class InjectTurnInput {
  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.userText })
  userText: string;

  @Field(() => String, { nullable: true })
  @Bounded({ enum: OUTPUTS, default: 'audio' })
  output?: string | null;

  @Field(() => String, { nullable: true })
  @Bounded({ enum: ['chat', 'speak'], default: 'chat' })
  mode?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Rewrites the text through a personality before it is spoken.' })
  @Bounded({ default: false })
  reinterpret?: boolean | null;

  @Field(() => ID, { nullable: true, description: 'Renders the user turn as another avatar of the caller.' })
  speakerAvatarId?: string | null;

  @Field(() => String, { nullable: true, description: 'Output of the speaker turn; default as `output`.' })
  @Bounded({ enum: OUTPUTS })
  userOutput?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Chat mode: the avatar speaks exactly this line; truncated silently.',
  })
  @Bounded({ maxLength: LIMITS.avatarText })
  avatarText?: string | null;
}
