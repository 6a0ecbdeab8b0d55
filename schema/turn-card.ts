/** What the share page of one turn shows (`shareUrl`). */
import { Field, ObjectType } from 'type-graphql';
import { Url } from './scalars.ts';
import { Turn } from './turn.ts';

@ObjectType({ description: 'A turn with the name and face of its speaker, for its share page and card.' })
export class TurnCard {
  @Field(() => Turn)
  turn: Turn;

  @Field(() => String, { nullable: true })
  avatarDisplayName?: string | null;

  @Field(() => Url, { nullable: true, description: 'The still the video was made from.' })
  avatarImageUrl?: string | null;
}
