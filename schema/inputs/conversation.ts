/** What conversations are listed and named with. */
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Url } from '../scalars.ts';
import { PageArgs } from './page.ts';
import { OptionalText } from './rules.ts';

@ArgsType()
export class ConversationListArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Only those whose title, avatar or words hold this text, in any case.',
  })
  @OptionalText(LIMITS.search)
  search?: string | null;
}

@InputType()
export class RenameConversationInput {
  @Field(() => ID, { description: 'The internal id or the c- slug.' })
  conversationId: string;

  @Field(() => String, { nullable: true, description: 'Absent or blank: it has none any more.' })
  @OptionalText(LIMITS.displayName)
  title?: string | null;
}

@InputType()
export class CreateConversationInput {
  @Field(() => ID)
  avatarOwnerUserId: string;

  @Field(() => ID)
  avatarId: string;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class DeleteConversationInput {
  @Field(() => ID, { description: 'The internal id or the c- slug.' })
  conversationId: string;
}

@InputType()
export class SetConversationVisibilityInput {
  @Field(() => ID)
  conversationId: string;

  @Field()
  isPublic: boolean;
}

@InputType()
export class PinAvatarImageInput {
  @Field(() => ID)
  conversationId: string;

  @Field(() => Url)
  avatarImageUrl: string;
}

@InputType()
export class CreateAccessLinkInput {
  @Field(() => ID)
  conversationId: string;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class RevokeAccessLinkInput {
  @Field(() => ID)
  conversationId: string;

  @Field(() => ID)
  linkId: string;
}
