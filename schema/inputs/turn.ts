/** The body of POST /conversations/{id}/turn, and which turns of a conversation are asked for. */
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { type TurnMode, type TurnOutput } from '../../src/kernel/media-options.ts';
import { TurnModeType, TurnOutputType } from '../enums.ts';
import { Between, Documented, Pattern, Text } from './rules.ts';

@InputType()
export class InjectTurnInput {
  @Field(() => ID, { description: 'The internal id or the c- slug.' })
  conversationId: string;

  @Field()
  @Text(LIMITS.userText, { tooLong: `exceeds ${LIMITS.userText} chars` })
  userText: string;

  @Field(() => TurnOutputType, { nullable: true, defaultValue: 'audio' })
  output?: TurnOutput | null;

  @Field(() => TurnModeType, { nullable: true, defaultValue: 'chat' })
  mode?: TurnMode | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Rewrites the text through a personality before it is spoken.',
  })
  reinterpret?: boolean | null;

  @Field(() => ID, { nullable: true, description: 'Renders the user turn as another avatar of the caller.' })
  speakerAvatarId?: string | null;

  @Field(() => TurnOutputType, { nullable: true, description: 'Output of the speaker turn; default as `output`.' })
  userOutput?: TurnOutput | null;

  @Field(() => String, {
    nullable: true,
    description: 'Chat mode: the avatar speaks exactly this line; truncated silently.',
  })
  @Documented({ maxLength: LIMITS.avatarText })
  avatarText?: string | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType({ description: 'Where a reply is interrupted.' })
export class InterruptTurnInput {
  @Field(() => ID, { description: 'The avatar’s turn that is being heard, or that is waited for.' })
  turnId: string;

  @Field(() => Int, {
    nullable: true,
    description: 'How far into its recording, in milliseconds; without it all of it was heard.',
  })
  @Between(0, 3_600_000)
  heardMs?: number | null;
}

@InputType()
export class DeleteTurnInput {
  @Field(() => ID)
  turnId: string;
}

/** Which turns: the last `limit`, those shown before a turn, or those that changed since a version. */
@ArgsType()
export class TurnPageArgs {
  @Field(() => Int, { nullable: true })
  @Between(1, 1_000)
  limit?: number | null;

  @Field(() => ID, { nullable: true, description: 'Turn id: only what is shown before it.' })
  before?: string | null;

  @Field(() => String, { nullable: true, description: 'The `cursor` of an earlier answer: only what changed since.' })
  @Pattern(/^\d{1,15}$/, 'is not a cursor of this conversation.')
  sinceVersion?: string | null;
}
