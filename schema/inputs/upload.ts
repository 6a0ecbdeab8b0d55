/** What uploads are asked for with, and what a portrait is drawn from. */
import { Field, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Between, Text } from './rules.ts';

const MAX_VARIATION = 1_000_000;

@InputType()
export class CreateUploadInput {
  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class DrawPortraitInput {
  @Field()
  @Text(LIMITS.imagePrompt)
  description: string;

  @Field(() => Int, { nullable: true, description: 'Another number is another face.' })
  @Between(0, MAX_VARIATION)
  variation?: number | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}
