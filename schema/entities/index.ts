/** Every table of the database. A relation points from the child to its parent, so the files import no circle. */
import {
  AvatarEntity,
  AvatarFolderEntity,
  AvatarImageEntity,
  CustomVoiceEntity,
  NonOwnerSpendingEntity,
  TrainingEntity,
} from './avatars.ts';
import {
  BrainDueEntity,
  BrainEmbeddingEntity,
  BrainEntity,
  BrainEntryEntity,
  BrainExternalEntity,
  BrainSpeakerEntity,
  BrainTermEntity,
  BrainVectorEntity,
  PendingMemoryEntity,
} from './brain.ts';
import { AccountChangeEntity, AccountFeedEntity } from './changes.ts';
import { AccessLinkEntity, ConversationEntity } from './conversations.ts';
import { DeletedTurnEntity, MediaRemovalEntity, TalkingHeadCancellationEntity } from './deletions.ts';
import { AccountExportEntity } from './exports.ts';
import {
  ImageGenerationEntity,
  ImageRequestEntity,
  SpeechGenerationEntity,
  VideoGenerationEntity,
} from './generations.ts';
import { GiftIntentEntity } from './gifts.ts';
import {
  LedgerAccountEntity,
  LedgerEntryEntity,
  LedgerHoldEntity,
  LedgerHoldPartEntity,
  LedgerTransferEntity,
} from './ledger.ts';
import {
  OAuthChoiceEntity,
  OAuthClientEntity,
  OAuthCodeEntity,
  OAuthPushedRequestEntity,
  OAuthRefreshEntity,
} from './oauth.ts';
import { IdempotencyKeyEntity, InstanceSecretEntity, WorkerJobEntity } from './platform.ts';
import {
  StreamAccountEntity,
  StreamLinkStateEntity,
  StreamSubscriptionEntity,
  TribeEntity,
  TribeMemberEntity,
} from './tribes.ts';
import { InjectionEntity, TranslatedCaptionEntity, TurnEntity } from './turns.ts';
import { UploadEntity } from './uploads.ts';
import { AccountUsageEntity, MediaObjectEntity } from './usage.ts';
import {
  AccountLinkEntity,
  ApiKeyEntity,
  AuditEventEntity,
  EmailVerificationEntity,
  SessionEntity,
  UserEntity,
} from './users.ts';
import { VisitorEntity } from './visitors.ts';
import { WebhookDeliveryEntity, WebhookEndpointEntity } from './webhooks.ts';

/** Every table's entity. */
export const ENTITIES = [
  InstanceSecretEntity,
  IdempotencyKeyEntity,
  WorkerJobEntity,
  UserEntity,
  EmailVerificationEntity,
  AccountLinkEntity,
  SessionEntity,
  ApiKeyEntity,
  AccountUsageEntity,
  MediaObjectEntity,
  UploadEntity,
  AccountExportEntity,
  AuditEventEntity,
  AccountFeedEntity,
  AccountChangeEntity,
  LedgerAccountEntity,
  LedgerTransferEntity,
  LedgerEntryEntity,
  LedgerHoldEntity,
  LedgerHoldPartEntity,
  AvatarFolderEntity,
  AvatarEntity,
  AvatarImageEntity,
  CustomVoiceEntity,
  TrainingEntity,
  NonOwnerSpendingEntity,
  OAuthClientEntity,
  OAuthCodeEntity,
  OAuthChoiceEntity,
  OAuthRefreshEntity,
  OAuthPushedRequestEntity,
  WebhookEndpointEntity,
  WebhookDeliveryEntity,
  VisitorEntity,
  ConversationEntity,
  AccessLinkEntity,
  InjectionEntity,
  TurnEntity,
  TranslatedCaptionEntity,
  DeletedTurnEntity,
  MediaRemovalEntity,
  TalkingHeadCancellationEntity,
  BrainEntity,
  BrainSpeakerEntity,
  BrainEntryEntity,
  BrainTermEntity,
  BrainExternalEntity,
  BrainEmbeddingEntity,
  BrainDueEntity,
  BrainVectorEntity,
  PendingMemoryEntity,
  ImageGenerationEntity,
  ImageRequestEntity,
  SpeechGenerationEntity,
  VideoGenerationEntity,
  TribeEntity,
  TribeMemberEntity,
  StreamSubscriptionEntity,
  StreamAccountEntity,
  StreamLinkStateEntity,
  GiftIntentEntity,
] as const;

/** What the index of a primary key holds beside the key, so that a recall reads the index alone. */
export const COVERING_KEYS = { brain_term: ['tf', 'len'] };

/** Tables whose entity has a key that the table does not declare: one of a partitioned table holds what it is partitioned by. */
export const UNDECLARED_KEYS = ['account_change', 'conversation_turn'];

/** Tables whose partitions declare the foreign keys, each for itself, and the whole none. */
export const UNDECLARED_REFERENCES = ['conversation_turn'];
