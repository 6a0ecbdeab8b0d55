/** Following what changes of a user's own. */
import { ArgsType, Field, ID } from 'type-graphql';
import { type AccountChangeKind, AccountChangeKindType } from '../enums.ts';

const AFTER =
  'Cursor of the last update that was seen, or `updateCursor`: first comes what has changed behind it. Default: from now on.';

/** Where a subscription goes on. */
@ArgsType()
export class FollowArgs {
  @Field(() => String, { nullable: true, description: AFTER })
  after?: string | null;
}

@ArgsType()
export class FollowSubjectArgs extends FollowArgs {
  @Field(() => ID, { nullable: true, description: 'Only this one; default: all of yours.' })
  id?: string | null;
}

@ArgsType()
export class FollowEventsArgs extends FollowArgs {
  @Field(() => [AccountChangeKindType], {
    nullable: true,
    description: 'Only what changes of these kinds; default: all that you may read.',
  })
  kinds?: AccountChangeKind[] | null;
}
