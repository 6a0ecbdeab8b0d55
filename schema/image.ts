/** Images that were generated or edited. */
import { Field, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { ImageModelType, ImageOperationType } from './enums.ts';
import { EntityId, Node } from './node.ts';
import { AspectRatioText, Credits, EpochMillis, Url } from './scalars.ts';

@ObjectType({ description: 'An image that was made and paid.' })
export class MadeImage {
  @Field(() => Url, { description: 'A long-lived public address, valid wherever an image address is asked for.' })
  imageUrl: string;

  @Field(() => AspectRatioText, { description: 'Its width to its height.' })
  aspectRatio: string;

  @Field(() => Credits)
  creditCost: bigint;

  @Field(() => ImageModelType, { description: 'The model that made it.' })
  model: string;
}

@ObjectType({ implements: Node, description: 'An image of the caller’s history.' })
export class KeptImage extends MadeImage {
  @EntityId('The image.')
  imageId: string;

  @Field()
  prompt: string;

  @Field(() => ImageOperationType, { description: 'How it came about.' })
  operation: string;

  @Field(() => EpochMillis)
  createdAt: number;
}

export const KeptImageConnection = ConnectionOf(KeptImage);
