/** Videos. */
import { Field, Float, ID, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import { VideoModelType, VideoStatusType, VideoTierType, VisibilityType } from './enums.ts';
import { EntityId, Node } from './node.ts';
import { Credits, EpochMillis, SafeInt, Url } from './scalars.ts';

@ObjectType({ description: 'An avatar that a video features.' })
export class ReferencedAvatar {
  @Field(() => ID)
  id: string;

  @Field()
  name: string;
}

@ObjectType({ implements: Node, description: 'A video that is being made or was made.' })
export class Video {
  @EntityId('The video.')
  generationId: string;

  @Field({ description: 'Of its share page, which is private unless made public.' })
  slug: string;

  @Field(() => Url, { description: 'The share page.' })
  url: string;

  @Field(() => VideoStatusType, { description: 'How far it has come.' })
  status: string;

  @Field(() => Float, { description: 'Share done, 0 to 1.' })
  progress: number;

  @Field(() => VideoModelType, { description: 'How it is made.' })
  model: string;

  @Field(() => [ReferencedAvatar])
  referencedAvatars: ReferencedAvatar[];

  @Field(() => Float, { description: 'An estimate until it is ready, then what was billed.' })
  seconds: number;

  @Field(() => Credits, { description: 'An estimate until it is ready, then what was billed.' })
  creditCost: bigint;

  @Field(() => Url, { nullable: true, description: 'Long-lived public MP4 address, once ready.' })
  videoUrl?: string | null;

  @Field(() => Url, { nullable: true, description: 'Long-lived public address of an image of it, once ready.' })
  stillUrl?: string | null;

  @Field(() => String, { nullable: true })
  error?: string | null;

  @Field({ description: 'Path to poll.' })
  poll: string;

  @Field({ description: 'A logical name, never a path of ours.' })
  storePath: string;

  @Field(() => VisibilityType, { description: 'Who may open the share page.' })
  visibility: string;

  @Field()
  prompt: string;

  @Field(() => SafeInt, { nullable: true, description: 'Makes the same frames again; known once ready.' })
  seed?: number | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType({ description: 'A video as its share page shows it.' })
export class SharedVideo {
  @Field(() => Video)
  video: Video;

  @Field(() => Boolean, { description: 'The reader made it, and may show or hide it.' })
  isOwner: boolean;
}

@ObjectType({ description: 'What a second of finished video costs.' })
export class VideoRate {
  @Field(() => VideoTierType, { description: 'Which price it is.' })
  tier: string;

  @Field(() => Credits)
  creditsPerSecond: bigint;

  @Field({ description: 'Which videos have this rate.' })
  appliesTo: string;
}

export const VideoConnection = ConnectionOf(Video);
