/** Updates of a user's own: what has changed, and how it is now. */
import { Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import { Training } from './brain.ts';
import { Conversation } from './conversation.ts';
import { type AccountChangeKind, AccountChangeKindType } from './enums.ts';
import { GiftIntent, ReceivedGift } from './gift.ts';
import { KeptImage } from './image.ts';
import { EpochMillis } from './scalars.ts';
import { SpeakGeneration } from './speech.ts';
import { Balance } from './user.ts';
import { Video } from './video.ts';

/** Which type an update of a kind is of. */
const TYPES: Record<AccountChangeKind, string> = {
  conversation: 'ConversationUpdate',
  video: 'VideoUpdate',
  speech: 'SpeechUpdate',
  image: 'ImageUpdate',
  balance: 'BalanceUpdate',
  gift: 'GiftUpdate',
  training: 'TrainingUpdate',
};

@InterfaceType({
  description:
    'Something of yours has changed. It is shown as it is when the update is sent: of several changes in between you get the last.',
  resolveType: ({ kind }: AccountUpdate) => TYPES[kind],
})
export abstract class AccountUpdate {
  @Field({
    description: 'Pass as `after` to resume behind it, within a day. All subscriptions of a user have one order.',
  })
  cursor: string;

  @Field(() => AccountChangeKindType, { description: 'What it is about.' })
  kind: AccountChangeKind;

  @Field(() => ID, {
    description: 'The id of what has changed: of a balance the user, of a training the avatar.',
  })
  subjectId: string;

  @Field(() => EpochMillis, { description: 'When it changed.' })
  changedAt: number;
}

@ObjectType({
  implements: AccountUpdate,
  description: 'A conversation was started, renamed, opened or closed, got or lost a turn, or a turn of it changed.',
})
export class ConversationUpdate extends AccountUpdate {
  @Field(() => Conversation, {
    nullable: true,
    description: 'The conversation as it is now; null once it was deleted.',
  })
  conversation?: Conversation | null;
}

@ObjectType({ implements: AccountUpdate, description: 'A video was begun, came further or ended.' })
export class VideoUpdate extends AccountUpdate {
  @Field(() => Video, { nullable: true, description: 'The video as it is now; null once it was deleted.' })
  video?: Video | null;
}

@ObjectType({ implements: AccountUpdate, description: 'A one-shot speech was begun, came further or ended.' })
export class SpeechUpdate extends AccountUpdate {
  @Field(() => SpeakGeneration, { nullable: true, description: 'The speech as it is now; null once it was deleted.' })
  speech?: SpeakGeneration | null;
}

@ObjectType({ implements: AccountUpdate, description: 'An image was made, refused or deleted.' })
export class ImageUpdate extends AccountUpdate {
  @Field(() => KeptImage, { nullable: true, description: 'The image; null where it was refused or deleted.' })
  image?: KeptImage | null;
}

@ObjectType({ implements: AccountUpdate, description: 'Credits came, went, were set aside or released.' })
export class BalanceUpdate extends AccountUpdate {
  @Field(() => Balance, { description: 'Your credits now.' })
  balance?: Balance;
}

@ObjectType({ implements: AccountUpdate, description: 'A gift was proposed or resolved, or you were given one.' })
export class GiftUpdate extends AccountUpdate {
  @Field(() => GiftIntent, {
    nullable: true,
    description: 'The gift as its sender sees it; null where that is not you.',
  })
  gift?: GiftIntent | null;

  @Field(() => ReceivedGift, {
    nullable: true,
    description: 'The gift that you were given; null where it is your own.',
  })
  received?: ReceivedGift | null;
}

@ObjectType({
  implements: AccountUpdate,
  description: 'The training of an avatar was asked for, came further or ended.',
})
export class TrainingUpdate extends AccountUpdate {
  @Field(() => Training, {
    nullable: true,
    description: 'The avatar’s latest training; null once the avatar was deleted.',
  })
  training?: Training | null;
}
