/** How much of a list is asked for. */
import { ArgsType, Field, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Between } from './rules.ts';

@ArgsType()
export class PageSize {
  @Field(() => Int, { nullable: true })
  @Between(1, LIMITS.pageSize)
  first?: number | null;
}

/** A page behind a cursor. */
@ArgsType()
export class PageArgs extends PageSize {
  @Field(() => String, { nullable: true })
  after?: string | null;
}
