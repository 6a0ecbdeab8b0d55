/** What a portrait is drawn from. */
import { Field, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { Between, Text } from './rules.ts';

const MAX_VARIATION = 1_000_000;

@InputType()
export class DrawPortraitInput {
  @Field()
  @Text(LIMITS.imagePrompt)
  description: string;

  @Field(() => Int, { nullable: true, description: 'Another number is another face.' })
  @Between(0, MAX_VARIATION)
  variation?: number | null;
}
