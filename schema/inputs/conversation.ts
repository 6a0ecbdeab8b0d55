/** What conversations are listed and named with. */
import { ArgsType, Field, ID } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
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

@ArgsType()
export class RenameConversationArgs {
  @Field(() => ID, { description: 'The internal id or the c- slug.' })
  conversationId: string;

  @Field(() => String, { nullable: true, description: 'Absent or blank: it has none any more.' })
  @OptionalText(LIMITS.displayName)
  title?: string | null;
}
