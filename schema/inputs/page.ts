/** How much of a list is asked for. */
import { ArgsType, Field, Int } from 'type-graphql';
import { PAGE_ITEMS, type PageRequest } from '../../src/kernel/keyset.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Between } from './rules.ts';

@ArgsType()
class Cursors {
  @Field(() => String, { nullable: true, description: 'Only what follows the item of this cursor.' })
  after?: string | null;

  @Field(() => String, { nullable: true, description: 'Only what comes before the item of this cursor.' })
  before?: string | null;
}

// The default of `first` is not distinguished from the same number in a document.
const FROM_END = `How many from the end, 1 to ${LIMITS.pageSize}; a first of ${PAGE_ITEMS} gives way to it, any other is refused.`;

/** A page of a list. */
@ArgsType()
export class PageArgs extends Cursors implements PageRequest {
  @Field(() => Int, {
    nullable: true,
    defaultValue: PAGE_ITEMS,
    description: `How many from the beginning, 1 to ${LIMITS.pageSize}.`,
  })
  @Between(1, LIMITS.pageSize)
  first?: number | null;

  @Field(() => Int, { nullable: true, description: FROM_END })
  @Between(1, LIMITS.pageSize)
  last?: number | null;
}

/** A page of a list of which an account has few, by its quota. */
@ArgsType()
export class WholeListArgs extends Cursors implements PageRequest {
  @Field(() => Int, {
    nullable: true,
    description: `How many from the beginning, 1 to ${LIMITS.pageSize}; default: all.`,
  })
  @Between(1, LIMITS.pageSize)
  first?: number | null;

  @Field(() => Int, { nullable: true, description: FROM_END })
  @Between(1, LIMITS.pageSize)
  last?: number | null;
}

/** Turns of a conversation: the newest, unless `first` says otherwise. */
@ArgsType()
export class TurnsArgs extends Cursors implements PageRequest {
  @Field(() => Int, { nullable: true, description: `How many from the beginning, 1 to ${LIMITS.pageSize}.` })
  @Between(1, LIMITS.pageSize)
  first?: number | null;

  @Field(() => Int, {
    nullable: true,
    defaultValue: PAGE_ITEMS,
    description: `How many from the end, 1 to ${LIMITS.pageSize}; beside first only if one of the two is ${PAGE_ITEMS}, which gives way.`,
  })
  @Between(1, LIMITS.pageSize)
  last?: number | null;
}
