/** Which caption is asked for, in which language. */
import { ArgsType, Field, ID } from 'type-graphql';
import { BCP47 } from '../scalars.ts';
import { Pattern } from './rules.ts';

@ArgsType()
export class CaptionArgs {
  @Field(() => ID, { description: 'Its id, or its t- slug, which is the grant.' })
  turnId: string;

  @Field(() => BCP47, { description: 'BCP 47, e.g. de or pt-BR.' })
  @Pattern(/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i, 'must be a language code such as de or pt-BR.')
  language: string;
}
