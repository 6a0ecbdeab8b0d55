/** Inputs of an avatar's page: its owner's settings, and what visitors send. */
import { Field, ID, InputType } from 'type-graphql';
import { fromMicro } from '../../src/kernel/credits.ts';
import { FIRST_TALK_CAPS, LIMITS } from '../../src/kernel/limits.ts';
import type { TurnOutput } from '../../src/kernel/media-options.ts';
import { type TalkAudience, TalkAudienceType, TurnOutputType } from '../enums.ts';
import { BCP47, Credits, FileBytes } from '../scalars.ts';
import { CreditsFrom, OptionalText, Pattern, Text } from './rules.ts';
import { InterruptTurnInput } from './turn.ts';

const NotNegative = () => CreditsFrom(0n, 'must not be negative.');

@InputType({
  description: `What is left out stays as it is; null lifts a cap, or takes the greeting away. A page that is opened for the first time with caps left out gets ${fromMicro(FIRST_TALK_CAPS.perVisitor)} credits for one visitor and ${fromMicro(FIRST_TALK_CAPS.perDay)} for all of them.`,
})
export class SetTalkSettingsInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => TalkAudienceType, { nullable: true, description: 'Who may talk with it.' })
  audience?: TalkAudience | null;

  @Field(() => Credits, { nullable: true, description: 'What one visitor may spend per UTC day; you pay.' })
  @NotNegative()
  creditsPerVisitor?: bigint | null;

  @Field(() => Credits, { nullable: true, description: 'What all visitors may spend per UTC day; you pay.' })
  @NotNegative()
  creditsPerDay?: bigint | null;

  @Field(() => String, { nullable: true, description: 'What every new visitor is greeted with, in writing.' })
  @OptionalText(LIMITS.greeting)
  greeting?: string | null;
}

@InputType({ description: 'A visitor to block, or to let in again.' })
export class SetVisitorBlockedInput {
  @Field(() => ID, { description: 'Of an own avatar.' })
  visitorId: string;

  @Field(() => Boolean, { description: 'True shuts them out at once, and new anonymous visitors of their network.' })
  isBlocked: boolean;
}

/** Whose page it is, and who comes. */
@InputType()
abstract class OnPage {
  @Field({ description: 'The last part of the address of the avatar’s page.' })
  slug: string;

  @Field(() => String, {
    nullable: true,
    description: 'What `beginVisit` named an anonymous visitor with; who is signed in needs none.',
  })
  @Pattern(/^\w{32}$/, 'is not a visitor’s token.')
  visitorToken?: string | null;
}

@InputType({ description: 'Who comes to an avatar’s page, for the first time or again.' })
export class BeginVisitInput extends OnPage {
  @Field(() => String, {
    nullable: true,
    description: 'Handed to the operator’s check of new visitors, where there is one.',
  })
  @OptionalText(LIMITS.challengeAnswer)
  challenge?: string | null;
}

@InputType({ description: 'What a visitor says.' })
export class SayToAvatarInput extends OnPage {
  @Field()
  @Text(LIMITS.userText, { tooLong: `exceeds ${LIMITS.userText} chars` })
  userText: string;

  @Field(() => TurnOutputType, {
    nullable: true,
    defaultValue: 'video',
    description: 'As what the reply is made.',
  })
  output?: TurnOutput | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType({ description: 'Where a visitor interrupts a reply.' })
export class InterruptAvatarInput extends OnPage {
  @Field(() => InterruptTurnInput, { description: 'Which turn, and how far it was heard.' })
  turn: InterruptTurnInput;
}

@InputType({ description: 'A recording of what a visitor says.' })
export class TranscribeForAvatarInput extends OnPage {
  @Field(() => FileBytes, { description: 'In base64.' })
  audio: Uint8Array;

  @Field(() => BCP47, { nullable: true, description: 'What is spoken; found out where it is left out.' })
  language?: string | null;
}
