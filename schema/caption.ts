/** Captions of a turn in another language. */
import { Field, ObjectType } from 'type-graphql';
import { BCP47 } from './scalars.ts';

@ObjectType()
export class TranslatedCaption {
  @Field(() => BCP47, { description: 'Canonical BCP 47 code.' })
  language: string;

  @Field()
  text: string;
}
