/** The body of POST /conversations/{id}/turn, and which turns of a conversation are asked for. */
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { TURN_MODES, TURN_OUTPUTS, type TurnMode, type TurnOutput } from '../../src/kernel/media-options.ts';
import { Between, Documented, OneOf, Pattern, Text } from './rules.ts';

@InputType()
export class InjectTurnInput {
  @Field()
  @Text(LIMITS.userText, { tooLong: `exceeds ${LIMITS.userText} chars` })
  userText: string;

  @Field(() => String, { nullable: true })
  @OneOf(TURN_OUTPUTS, 'audio')
  output?: TurnOutput | null;

  @Field(() => String, { nullable: true })
  @OneOf(TURN_MODES, 'chat')
  mode?: TurnMode | null;

  @Field(() => Boolean, { nullable: true, description: 'Rewrites the text through a personality before it is spoken.' })
  @Documented({ default: false })
  reinterpret?: boolean | null;

  @Field(() => ID, { nullable: true, description: 'Renders the user turn as another avatar of the caller.' })
  speakerAvatarId?: string | null;

  @Field(() => String, { nullable: true, description: 'Output of the speaker turn; default as `output`.' })
  @OneOf(TURN_OUTPUTS)
  userOutput?: TurnOutput | null;

  @Field(() => String, {
    nullable: true,
    description: 'Chat mode: the avatar speaks exactly this line; truncated silently.',
  })
  @Documented({ maxLength: LIMITS.avatarText })
  avatarText?: string | null;
}

/** Which turns: the last `limit`, those shown before a turn, or those that changed behind a cursor. */
@ArgsType()
export class TurnPageArgs {
  @Field(() => Int, { nullable: true })
  @Between(1, 1_000)
  limit?: number | null;

  @Field(() => ID, { nullable: true, description: 'Turn id: only what is shown before it.' })
  before?: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor: only what changed after it.' })
  @Pattern(/^\d{1,15}$/, 'is not a cursor of this conversation.')
  after?: string | null;
}
