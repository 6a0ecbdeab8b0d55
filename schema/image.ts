/** Pictures that were generated or edited. */
import { Field, ObjectType } from 'type-graphql';
import { EntityId, Node } from './node.ts';
import { Credits, EpochMillis } from './scalars.ts';

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

@ObjectType({ implements: Node, description: 'A picture of the caller’s history.' })
export class KeptImage extends MadeImage {
  @EntityId('The picture.')
  imageId: string;

  @Field()
  prompt: string;

  @Field({ description: 'generate or edit.' })
  operation: string;

  @Field(() => EpochMillis)
  createdAt: number;
}
