/** The bodies of the memory endpoints. */
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import { LIMITS, SANDBOX_ID } from '../../src/kernel/limits.ts';
import { MemorySystemType, NewMemoryNamespaceType } from '../enums.ts';
import { Url } from '../scalars.ts';
import { Between, Documented, OptionalText, Pattern, Text } from './rules.ts';

const SandboxName = () =>
  Pattern(SANDBOX_ID, `must be 1 to ${LIMITS.sandboxId} letters, digits, - or _.`, {
    minLength: 1,
    maxLength: LIMITS.sandboxId,
    pattern: SANDBOX_ID.source,
  });
const NAMESPACES = ['public', 'private'] as const;
const ABOUT_SANDBOX =
  'An isolated brain of that name, which belongs to its caller: the owner’s is the owner’s, another caller’s is ' +
  'one of their own. Its first use is an empty one.';
const ABOUT_SPEAKER = 'Whose slice of memory; a caller who is not the owner names slices of their own.';

@InputType()
export class SaveMemoryInput {
  @Field(() => ID)
  avatarId: string;

  @Field()
  @Text(LIMITS.memoryContent)
  content: string;

  @Field(() => String, { nullable: true, description: ABOUT_SPEAKER })
  @OptionalText(LIMITS.speakerRef)
  speakerRef?: string | null;

  @Field(() => NewMemoryNamespaceType, {
    nullable: true,
    description: 'The owner’s choice for a memory without speakerRef: private is read by the owner only.',
  })
  @Documented({ default: 'public' })
  namespace?: (typeof NAMESPACES)[number] | null;

  @Field(() => String, { nullable: true, description: ABOUT_SANDBOX })
  @SandboxName()
  sandboxId?: string | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class RecallInput {
  @Field()
  @Text(LIMITS.recallQuery)
  query: string;

  @Field(() => String, { nullable: true, description: ABOUT_SPEAKER })
  @OptionalText(LIMITS.speakerRef)
  speakerRef?: string | null;

  @Field(() => Int, { nullable: true, defaultValue: LIMITS.recallDefault })
  @Between(1, LIMITS.recallLimit, LIMITS.recallDefault)
  limit?: number | null;

  @Field(() => String, { nullable: true, description: ABOUT_SANDBOX })
  @SandboxName()
  sandboxId?: string | null;
}

@InputType()
export class QueryBrainInput {
  @Field()
  @Text(LIMITS.recallQuery)
  query: string;

  @Field(() => String, { nullable: true, description: ABOUT_SANDBOX })
  @SandboxName()
  sandboxId?: string | null;
}

@InputType()
export class ResetBrainSandboxInput {
  @Field(() => ID)
  avatarId: string;

  @Field()
  @SandboxName()
  sandboxId: string;
}

@ArgsType()
export class SandboxArgs {
  @Field(() => String, { nullable: true })
  @SandboxName()
  sandboxId?: string | null;
}

@ArgsType()
export class KnowledgeArgs {
  @Field(() => Url, { nullable: true, description: 'The address of a page: of that one alone.' })
  source?: string | null;

  @Field(() => String, { nullable: true, description: 'Letters that a passage has in it, in any case.' })
  @OptionalText(LIMITS.recallQuery)
  search?: string | null;
}

@InputType()
export class UpdateMemoryInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => ID)
  id: string;

  @Field()
  @Text(LIMITS.memoryContent)
  content: string;
}

@InputType()
export class DeleteMemoryInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => ID)
  id: string;
}

@InputType()
export class TrainAvatarInput {
  @Field(() => ID)
  avatarId: string;
}

@InputType()
export class ForgetKnowledgeInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => Url, { description: 'The address of the page.' })
  source: string;
}

@InputType()
export class SelectBrainSystemInput {
  @Field(() => ID)
  avatarId: string;

  @Field(() => MemorySystemType)
  system: string;

  @Field(() => Url, { nullable: true, description: 'Required for mem0.' })
  baseUrl?: string | null;

  @Field(() => String, { nullable: true, description: 'Required for supermemory.' })
  apiKey?: string | null;
}

@InputType({ description: 'A server of mem0.' })
export class Mem0Input {
  @Field(() => Url, { description: 'The address of the server.' })
  baseUrl: string;

  @Field(() => String, { nullable: true, description: 'What the server asks for, where it does. Stored encrypted.' })
  apiKey?: string | null;
}

@InputType({ description: 'An account at Supermemory.' })
export class SupermemoryInput {
  @Field({ description: 'The account’s key. Stored encrypted.' })
  apiKey: string;

  @Field(() => Url, { nullable: true, description: 'The address, where it is not the usual one.' })
  baseUrl?: string | null;
}

@InputType({ description: 'A memory system: exactly one of these.' })
export class MemorySystemInput {
  @Field(() => Boolean, { nullable: true, description: 'true: the platform’s own.' })
  managed?: boolean | null;

  @Field(() => Mem0Input, { nullable: true, description: 'A server of mem0.' })
  mem0?: Mem0Input | null;

  @Field(() => SupermemoryInput, { nullable: true, description: 'Supermemory.' })
  supermemory?: SupermemoryInput | null;
}

@InputType({ description: 'Where an avatar’s memories are kept from now on.' })
export class SetMemorySystemInput {
  @Field(() => ID, { description: 'An own avatar.' })
  avatarId: string;

  @Field(() => MemorySystemInput, { description: 'The memory system.' })
  system: MemorySystemInput;
}
