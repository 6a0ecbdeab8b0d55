/** Captions of a turn in another language. */
import { Field, ObjectType } from 'type-graphql';

@ObjectType()
export class TranslatedCaption {
  @Field({ description: 'Canonical BCP 47 code.' })
  language: string;

  @Field()
  text: string;
}
