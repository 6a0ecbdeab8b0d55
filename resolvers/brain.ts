/** Memory and training of avatars. Access tokens of apps reach none of it. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Avatar, SetMemorySystemPayload } from '../schema/avatar.ts';
import {
  BrainAnswer,
  ForgottenSource,
  type KnowledgePassage,
  KnowledgePassageConnection,
  KnowledgeSource,
  QueuedTraining,
  RecalledMemories,
  ResetSandbox,
  SavedMemory,
  StoredMemory,
  StoredMemoryConnection,
  Training,
} from '../schema/brain.ts';
import {
  DeleteMemoryInput,
  ForgetKnowledgeInput,
  KnowledgeArgs,
  QueryBrainInput,
  RecallInput,
  ResetBrainSandboxInput,
  SandboxArgs,
  SaveMemoryInput,
  SelectBrainSystemInput,
  SetMemorySystemInput,
  TrainAvatarInput,
  UpdateMemoryInput,
} from '../schema/inputs/brain.ts';
import { PageArgs } from '../schema/inputs/page.ts';
import { Deleted } from '../schema/node.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

@Resolver()
export class BrainResolver {
  @Mutation(() => SavedMemory, {
    description:
      'What someone else than the owner saves goes to slices of their own, which replies to others never use.',
  })
  @Allow({ auth: 'firstParty' })
  @Idempotent()
  saveMemory(
    @Ctx() context: Context,
    @Arg('input', () => SaveMemoryInput) input: SaveMemoryInput,
  ): Promise<SavedMemory> {
    return context.services.brain.save(caller(context), input);
  }

  @Query(() => RecalledMemories)
  @Allow({ auth: 'firstParty' })
  recallMemories(
    @Ctx() context: Context,
    @Arg('avatarId', () => ID) avatarId: string,
    @Arg('input', () => RecallInput) input: RecallInput,
  ): Promise<RecalledMemories> {
    return context.services.brain.recall(caller(context), avatarId, input);
  }

  @Query(() => BrainAnswer, {
    description: 'Managed memory only. Without a language model the answer quotes memories.',
  })
  @Allow({ auth: 'firstParty' })
  queryBrain(
    @Ctx() context: Context,
    @Arg('avatarId', () => ID) avatarId: string,
    @Arg('input', () => QueryBrainInput) input: QueryBrainInput,
  ): Promise<BrainAnswer> {
    return context.services.brain.query(caller(context), avatarId, input);
  }

  @Mutation(() => ResetSandbox)
  @Allow({ auth: 'firstParty' })
  resetBrainSandbox(
    @Ctx() context: Context,
    @Arg('input', () => ResetBrainSandboxInput) { avatarId, sandboxId }: ResetBrainSandboxInput,
  ): Promise<ResetSandbox> {
    return context.services.brain.resetSandbox(caller(context), avatarId, sandboxId);
  }

  @Query(() => StoredMemoryConnection, {
    description: 'Memories of an own avatar, newest first; managed memory only.',
  })
  @Allow({ auth: 'firstParty' })
  memories(
    @Ctx() context: Context,
    @Arg('avatarId', () => ID) avatarId: string,
    @Args(() => SandboxArgs) { sandboxId }: SandboxArgs,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('withKnowledge', () => Boolean, {
      defaultValue: true,
      description: 'False leaves out what was learned by training, which `knowledge` shows.',
    })
    withKnowledge: boolean,
  ): Promise<Connection<StoredMemory>> {
    const which = { sandboxId: sandboxId ?? null, withKnowledge };
    return context.services.brain.list(caller(context), avatarId, { ...which, ...page });
  }

  @Mutation(() => StoredMemory, { description: 'Corrects what a memory says; its place, speaker and date stay.' })
  @Allow({ auth: 'firstParty' })
  updateMemory(
    @Ctx() context: Context,
    @Arg('input', () => UpdateMemoryInput) { avatarId, id, content }: UpdateMemoryInput,
  ): Promise<StoredMemory> {
    return context.services.brain.correct(caller(context), avatarId, id, content);
  }

  @Mutation(() => Deleted)
  @Allow({ auth: 'firstParty' })
  async deleteMemory(
    @Ctx() context: Context,
    @Arg('input', () => DeleteMemoryInput) { avatarId, id }: DeleteMemoryInput,
  ): Promise<Deleted> {
    await context.services.brain.forget(caller(context), avatarId, id);
    return new Deleted(id);
  }

  @Mutation(() => Avatar, {
    description:
      'Chooses where an avatar’s memories are kept. Address and key are stored encrypted and never returned.',
  })
  @Allow({ auth: 'firstParty' })
  selectBrainSystem(
    @Ctx() context: Context,
    @Arg('input', () => SelectBrainSystemInput) { avatarId, system, baseUrl, apiKey }: SelectBrainSystemInput,
  ): Promise<Avatar> {
    const settings = { baseUrl: baseUrl ?? null, apiKey: apiKey ?? null };
    return context.services.brain.select(caller(context), avatarId, system, settings);
  }

  @Mutation(() => SetMemorySystemPayload, {
    description: '`selectBrainSystem` with a typed input. BAD_INPUT for settings that the system does not take.',
  })
  @Allow({ auth: 'firstParty' })
  async setMemorySystem(
    @Ctx() context: Context,
    @Arg('input', () => SetMemorySystemInput) { avatarId, system }: SetMemorySystemInput,
  ): Promise<SetMemorySystemPayload> {
    return { avatar: await context.services.brain.setSystem(caller(context), avatarId, system) };
  }
}

@Resolver()
export class TrainingResolver {
  @Mutation(() => QueuedTraining)
  @Allow({ auth: 'firstParty' })
  trainAvatar(
    @Ctx() context: Context,
    @Arg('input', () => TrainAvatarInput) { avatarId }: TrainAvatarInput,
  ): Promise<QueuedTraining> {
    return context.services.training.train(caller(context), avatarId);
  }

  @Query(() => Training, {
    nullable: true,
    description: 'The latest training of an own avatar; null before the first.',
  })
  @Allow({ auth: 'firstParty' })
  training(@Ctx() context: Context, @Arg('avatarId', () => ID) avatarId: string): Promise<Training | null> {
    return context.services.training.latest(caller(context), avatarId);
  }

  @Query(() => [KnowledgeSource], {
    description: 'How much an own avatar learned by training, of which page, in the order in which they were read.',
  })
  @Allow({ auth: 'firstParty' })
  knowledgeSources(@Ctx() context: Context, @Arg('avatarId', () => ID) avatarId: string): Promise<KnowledgeSource[]> {
    return context.services.knowledge.sources(caller(context), avatarId);
  }

  @Query(() => KnowledgePassageConnection, {
    description: 'What an own avatar learned from pages, passage by passage; of one page, or with a text in it.',
  })
  @Allow({ auth: 'firstParty' })
  knowledge(
    @Ctx() context: Context,
    @Arg('avatarId', () => ID) avatarId: string,
    @Args(() => KnowledgeArgs) asked: KnowledgeArgs,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<KnowledgePassage>> {
    return context.services.knowledge.passages(caller(context), avatarId, { ...asked, ...page });
  }

  @Mutation(() => ForgottenSource, {
    description:
      'Forgets what an own avatar learned from a page, and takes its address off `knowledgeBaseUrls`, so that no training ' +
      'reads it again. NOT_FOUND when it is neither learned nor listed.',
  })
  @Allow({ auth: 'firstParty' })
  forgetKnowledge(
    @Ctx() context: Context,
    @Arg('input', () => ForgetKnowledgeInput) { avatarId, source }: ForgetKnowledgeInput,
  ): Promise<ForgottenSource> {
    return context.services.knowledge.forget(caller(context), avatarId, source);
  }
}
