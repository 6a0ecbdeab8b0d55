/** Pictures that were generated or edited. */
import { Field, ObjectType } from 'type-graphql';
import { Credits } from './scalars.ts';

@ObjectType({ description: 'A picture that was made and paid.' })
export class MadeImage {
  @Field({ description: 'A long-lived public address, valid wherever an image address is asked for.' })
  imageUrl: string;

  @Field()
  aspectRatio: string;

  @Field(() => Credits)
  creditCost: bigint;

  @Field({ description: 'The model that made it.' })
  model: string;
}
