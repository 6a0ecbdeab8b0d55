/** Turns of a conversation. Written by SQL that is fenced by state and attempt, never as an entity. */
import { Extensions, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { Conversation } from './conversation.ts';
import { MediumType, TurnRoleType, TurnStatusType } from './enums.ts';
import { Node } from './node.ts';
import { EpochMillis, Url } from './scalars.ts';

@ObjectType({ description: 'A word of the speech and when it is spoken, for captions.' })
export class WordMark {
  @Field(() => Int, { description: 'Milliseconds from the start of the recording.' })
  ms: number;

  @Field(() => Int, { description: 'Offset into the spoken text, in UTF-16 units.' })
  at: number;

  @Field(() => Int)
  len: number;
}

@ObjectType({ implements: Node, description: 'One turn: the caller’s words, or one chunk of an avatar’s reply.' })
export class Turn {
  @Field(() => ID)
  id: string;

  @Field(() => TurnRoleType, { description: 'Whose words it is.' })
  role: string;

  @Field(() => String, { nullable: true })
  userText?: string | null;

  @Field(() => String, { nullable: true })
  avatarText?: string | null;

  @Field(() => MediumType, { nullable: true, description: 'What is made of it; null for words alone.' })
  output?: string | null;

  @Field(() => TurnStatusType, { nullable: true, description: 'How far it has come.' })
  status?: string | null;

  @Field(() => Url, { nullable: true, description: 'Freshly signed on every read; lives one hour.' })
  audioUrl?: string | null;

  @Field(() => Url, { nullable: true })
  videoUrl?: string | null;

  @Field(() => Url, { nullable: true, description: 'The video while it is still being rendered.' })
  streamUrl?: string | null;

  @Field(() => String, { nullable: true })
  shareSlug?: string | null;

  @Field(() => Url, { nullable: true })
  shareUrl?: string | null;

  @Field(() => Url, { nullable: true })
  liveUrl?: string | null;

  @Field(() => String, { nullable: true })
  errorMessage?: string | null;

  @Field(() => String, { nullable: true })
  mediaError?: string | null;

  @Field(() => [WordMark], { nullable: true })
  words?: WordMark[] | null;

  @Field(() => Float, { nullable: true, description: 'Seconds of speech, once it is known.' })
  seconds?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What was heard of it where its reply was interrupted, maybe nothing; null where it was not interrupted, or all was heard.',
  })
  heardText?: string | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType({ description: 'A reply that was interrupted.' })
export class InterruptedTurn {
  @Field(() => ID, { description: 'The turn that was being heard.' })
  turnId: string;

  @Field(() => [ID], { description: 'Chunks that no worker had begun to render: they are gone, and cost nothing.' })
  droppedTurnIds: string[];
}

@ObjectType({ description: 'A turn that came or changed, pushed live.' })
export class TurnUpdate {
  @Field({ description: 'Pass as `after` to resume behind it. Updates come in the order of the changes.' })
  cursor: string;

  @Field(() => Int, {
    description: 'Turns are shown by `injection`, then by `chunk`: which injection it belongs to.',
  })
  injection: number;

  @Field(() => Int, { description: '0 is the caller’s row, 1 and on the chunks of the reply.' })
  chunk: number;

  @Field({
    description: 'True once the turn was deleted: `turn` is then its id and nothing of what it held, in status error.',
  })
  isDeleted: boolean;

  @Field({
    description:
      'True while the reply is being written: `turn.avatarText` is what there is of it so far, and grows with the next update, at most ten times a second. It is not stored: a viewer who comes late gets the next one.',
  })
  isDraft: boolean;

  @Field(() => Turn)
  turn: Turn;
}

@ObjectType()
export class ConversationWithTurns {
  @Field(() => ID)
  conversationId: string;

  @Field(() => Conversation)
  conversation: Conversation;

  @Field(() => [Turn])
  turns: Turn[];

  @Extensions({ repeats: 'turns' })
  @Field(() => [TurnUpdate], { description: 'The same turns as `turnUpdated` sends them, each with its place.' })
  updates: TurnUpdate[];

  @Field({ description: 'Cursor for `turnUpdated(after:)` and for reading only what changed.' })
  cursor: string;

  @Field({
    description:
      'Cursor for `turnUpdated(after:)` that begins with these turns: they come in the order of their changes, beside what else changed since the first of them.',
  })
  replayCursor: string;

  @Field({ description: 'Changes whenever this answer would; the REST read shows it as its ETag.' })
  tag: string;
}

@ObjectType()
export class InjectedTurn {
  @Field(() => Turn, { description: 'The pending shell: the first chunk of the reply.' })
  turn: Turn;

  @Field({ description: 'A logical name, never a path of ours.' })
  storePath: string;

  @Field(() => Boolean)
  async: boolean;
}

export const TurnConnection = ConnectionOf(Turn);
