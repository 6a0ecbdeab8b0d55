/** The bodies of the memory endpoints. */
import { Field, InputType, Int } from 'type-graphql';
import { LIMITS, SANDBOX_ID } from '../../src/kernel/limits.ts';
import { Bounded } from './bounds.ts';

const SANDBOX = { minLength: 1, maxLength: LIMITS.sandboxId, pattern: SANDBOX_ID.source };
const ABOUT_SANDBOX =
  'An isolated brain of that name, which belongs to its caller: the owner’s is the owner’s, another caller’s is ' +
  'one of their own. Its first use is an empty one.';
const ABOUT_SPEAKER = 'Whose slice of memory; a caller who is not the owner names slices of their own.';

@InputType()
export class SaveMemoryInput {
  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.memoryContent })
  content: string;

  @Field(() => String, { nullable: true, description: ABOUT_SPEAKER })
  @Bounded({ maxLength: LIMITS.speakerRef })
  speakerRef?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The owner’s choice for a memory without speakerRef: private is read by the owner only.',
  })
  @Bounded({ enum: ['public', 'private'], default: 'public' })
  namespace?: string | null;

  @Field(() => String, { nullable: true, description: ABOUT_SANDBOX })
  @Bounded(SANDBOX)
  sandboxId?: string | null;
}

@InputType()
export class RecallInput {
  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.recallQuery })
  query: string;

  @Field(() => String, { nullable: true, description: ABOUT_SPEAKER })
  @Bounded({ maxLength: LIMITS.speakerRef })
  speakerRef?: string | null;

  @Field(() => Int, { nullable: true })
  @Bounded({ minimum: 1, maximum: LIMITS.recallLimit, default: LIMITS.recallDefault })
  limit?: number | null;

  @Field(() => String, { nullable: true, description: ABOUT_SANDBOX })
  @Bounded(SANDBOX)
  sandboxId?: string | null;
}

@InputType()
export class QueryBrainInput {
  @Field()
  @Bounded({ minLength: 1, maxLength: LIMITS.recallQuery })
  query: string;

  @Field(() => String, { nullable: true, description: ABOUT_SANDBOX })
  @Bounded(SANDBOX)
  sandboxId?: string | null;
}
