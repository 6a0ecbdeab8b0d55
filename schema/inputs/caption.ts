/** Which caption is asked for, in which language. */
import { ArgsType, Field, ID } from 'type-graphql';
import { BCP47 } from '../scalars.ts';
import { Language } from './rules.ts';

@ArgsType()
export class CaptionArgs {
  @Field(() => ID, { description: 'Its id, or its t- slug, which is the grant.' })
  turnId: string;

  @Field(() => BCP47, { description: 'BCP 47, e.g. de or pt-BR.' })
  @Language()
  language: string;
}
