/** Memories of avatars, and what they learn by training. */
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { MemoryNamespaceType, MemorySystemType, TrainingStatusType } from './enums.ts';
import { Node } from './node.ts';
import { EpochMillis, Url } from './scalars.ts';

@ObjectType({ description: 'A memory that matches a query.' })
export class Memory {
  @Field(() => ID)
  id: string;

  @Field()
  content: string;

  @Field(() => Float, { description: '0 to 1; comparable within one answer only.' })
  score: number;

  @Field(() => MemoryNamespaceType, { description: 'Who reads it.' })
  namespace: string;
}

@ObjectType({ implements: Node, description: 'A memory as its avatar’s owner sees it in a list.' })
export class StoredMemory extends Node {
  @Field()
  content: string;

  @Field(() => MemoryNamespaceType, { description: 'Who reads it.' })
  namespace: string;

  @Field(() => String, {
    nullable: true,
    description: 'Whose slice it is of. What came from someone else begins with their user id and a colon.',
  })
  speakerRef: string | null;

  @Field(() => Url, { nullable: true, description: 'Knowledge: the address it was read from.' })
  source: string | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

export const StoredMemoryConnection = ConnectionOf(StoredMemory);

@ObjectType({ description: 'A page an avatar learned from, or its personality.' })
export class KnowledgeSource {
  @Field(() => Url, { nullable: true, description: 'The address of the page; null for its personality.' })
  source: string | null;

  @Field(() => Int, { description: 'How many passages it gave.' })
  passages: number;

  @Field(() => EpochMillis, { description: 'When it was read.' })
  learnedAt: number;
}

@ObjectType({ description: 'A passage that an avatar learned from a page.' })
export class KnowledgePassage {
  @Field(() => ID)
  id: string;

  @Field()
  content: string;

  @Field(() => Url, { description: 'The address of the page.' })
  source: string;

  @Field(() => EpochMillis, { description: 'When it was read.' })
  learnedAt: number;
}

export const KnowledgePassageConnection = ConnectionOf(KnowledgePassage);

@ObjectType({ description: 'A page that an avatar has forgotten.' })
export class ForgottenSource {
  @Field(() => Url, { description: 'The address of the page.' })
  source: string;

  @Field(() => Int, { description: 'How many passages were learned from it.' })
  passages: number;
}

@ObjectType()
export class SavedMemory {
  @Field(() => Boolean)
  ok: boolean;

  @Field(() => ID)
  id: string;

  @Field(() => MemorySystemType, { description: 'The memory system that keeps it.' })
  system: string;

  @Field(() => String, { nullable: true })
  sandboxId: string | null;
}

@ObjectType({ description: 'Ranked matches, best first; no language model is involved.' })
export class RecalledMemories {
  @Field(() => [Memory])
  memories: Memory[];

  @Field(() => MemorySystemType, { description: 'The memory system that was asked.' })
  system: string;
}

@ObjectType({ description: 'A memory an answer rests on; `[n]` in the answer is the n-th citation.' })
export class BrainCitation {
  @Field(() => ID)
  id: string;

  @Field()
  content: string;

  @Field(() => Float)
  score: number;
}

@ObjectType()
export class BrainAnswer {
  @Field()
  answer: string;

  @Field(() => [BrainCitation])
  citations: BrainCitation[];
}

@ObjectType()
export class ResetSandbox {
  @Field(() => Boolean)
  ok: boolean;

  @Field()
  sandboxId: string;

  @Field(() => Int, { description: 'How many memories it held.' })
  deleted: number;
}

@ObjectType({ description: 'A training that was asked for.' })
export class QueuedTraining {
  /** Who is trained; the graph shows the avatar. */
  avatarId: string;

  @Field(() => Boolean)
  ok: boolean;

  @Field(() => TrainingStatusType, { description: 'How far it has come.' })
  status: string;

  @Field(() => String, { nullable: true, description: 'Of the last training that succeeded.' })
  gemRef: string | null;
}

@ObjectType({ description: 'A page of knowledgeBaseUrls that gave nothing.' })
export class TrainingFailure {
  @Field(() => Url)
  url: string;

  @Field()
  reason: string;
}

@ObjectType({ description: 'The latest training of an avatar, and how far it has come.' })
export class Training {
  @Field(() => TrainingStatusType, { description: 'How far it has come.' })
  status: string;

  @Field(() => Int, { description: 'Pages looked at.' })
  done: number;

  @Field(() => Int)
  total: number;

  @Field(() => Int, { description: 'Passages in the index.' })
  passages: number;

  @Field(() => [TrainingFailure])
  failures: TrainingFailure[];

  @Field(() => String, { nullable: true, description: 'Why nothing was learned, when it failed.' })
  error: string | null;

  @Field(() => EpochMillis)
  requestedAt: number;

  @Field(() => EpochMillis, { nullable: true })
  finishedAt: number | null;
}
