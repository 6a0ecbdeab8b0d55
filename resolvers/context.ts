/**
 * What every resolver is given: the caller, the services, and loaders that live as long as one operation. Only resolvers import
 * it: transports know `request-context.ts`, and the executor adds the rest.
 */
import type { Origin, Principal } from '../src/auth/principal.ts';
import type { Accounts } from '../src/services/accounts/account.service.ts';
import type { AccountDeletion } from '../src/services/accounts/account-deletion.service.ts';
import type { AccountExports } from '../src/services/accounts/account-export.service.ts';
import type { AccountLinks } from '../src/services/accounts/account-links.service.ts';
import type { AccountSettings } from '../src/services/accounts/account-settings.service.ts';
import type { ApiKeys } from '../src/services/accounts/api-key.service.ts';
import type { AuditEvents } from '../src/services/accounts/audit.service.ts';
import type { EmailVerification } from '../src/services/accounts/email-verification.service.ts';
import type { IdempotencyKeys } from '../src/services/accounts/idempotency.service.ts';
import type { SpendingCaps } from '../src/services/accounts/spending-cap.service.ts';
import type { Avatars } from '../src/services/avatars/avatar.service.ts';
import type { AvatarDeletion } from '../src/services/avatars/avatar-deletion.service.ts';
import type { Folders } from '../src/services/avatars/avatar-folder.service.ts';
import type { AvatarImages } from '../src/services/avatars/avatar-image.service.ts';
import type { FaceFitting } from '../src/services/avatars/face-fitting.service.ts';
import type { IdleVideos } from '../src/services/avatars/idle-video.service.ts';
import type { Brain } from '../src/services/brain/brain.service.ts';
import type { Knowledge } from '../src/services/brain/knowledge.service.ts';
import type { Training } from '../src/services/brain/training.service.ts';
import type { AccessLinks } from '../src/services/conversations/access-link.service.ts';
import type { Conversations } from '../src/services/conversations/conversation.service.ts';
import type { ConversationDeletion } from '../src/services/conversations/conversation-deletion.service.ts';
import type { ConversationTurns } from '../src/services/conversations/conversation-turns.service.ts';
import type { Gifts } from '../src/services/gifts/gift.service.ts';
import type { Images } from '../src/services/images/image.service.ts';
import type { Live } from '../src/services/live/live.service.ts';
import type { ClientRegistrations } from '../src/services/oauth/client-registration.service.ts';
import type { OAuthClients } from '../src/services/oauth/oauth-client.service.ts';
import type { OAuthConsent } from '../src/services/oauth/oauth-consent.service.ts';
import type { OAuthGrants } from '../src/services/oauth/oauth-grant.service.ts';
import type { OAuthTokens } from '../src/services/oauth/oauth-token.service.ts';
import type { Operators } from '../src/services/operators/operator.service.ts';
import type { Speeches } from '../src/services/speech/speech.service.ts';
import type { Transcriptions } from '../src/services/speech/transcription.service.ts';
import type { Voices } from '../src/services/speech/voice.service.ts';
import type { StreamLinks } from '../src/services/tribes/stream-link.service.ts';
import type { Tribes } from '../src/services/tribes/tribe.service.ts';
import type { Captions } from '../src/services/turns/caption.service.ts';
import type { PersonaTryOuts } from '../src/services/turns/persona-try-out.service.ts';
import type { SharedTurns } from '../src/services/turns/shared-turn.service.ts';
import type { Turns } from '../src/services/turns/turn.service.ts';
import type { TurnDeletion } from '../src/services/turns/turn-deletion.service.ts';
import type { TurnInterruption } from '../src/services/turns/turn-interruption.service.ts';
import type { Uploads } from '../src/services/uploads/upload.service.ts';
import type { Videos } from '../src/services/videos/video.service.ts';
import type { TalkSettings } from '../src/services/visitors/talk-settings.service.ts';
import type { Visitors } from '../src/services/visitors/visitor.service.ts';
import type { WebhookEndpoints } from '../src/services/webhooks/webhook-endpoint.service.ts';
import type { Loaders } from './loaders.ts';
import type { RequestContext } from './request-context.ts';

/** Every service that resolvers may call. */
export interface Services {
  accounts: Accounts;
  accountSettings: AccountSettings;
  accountDeletion: AccountDeletion;
  accountExports: AccountExports;
  emailVerification: EmailVerification;
  accountLinks: AccountLinks;
  auditEvents: AuditEvents;
  apiKeys: ApiKeys;
  avatars: Avatars;
  avatarDeletion: AvatarDeletion;
  images: AvatarImages;
  generatedImages: Images;
  uploads: Uploads;
  folders: Folders;
  voices: Voices;
  speeches: Speeches;
  transcriptions: Transcriptions;
  videos: Videos;
  accessLinks: AccessLinks;
  conversations: Conversations;
  conversationTurns: ConversationTurns;
  conversationDeletion: ConversationDeletion;
  turnDeletion: TurnDeletion;
  turnInterruption: TurnInterruption;
  turns: Turns;
  personaTryOuts: PersonaTryOuts;
  live: Live;
  sharedTurns: SharedTurns;
  captions: Captions;
  faceFitting: FaceFitting;
  idleVideos: IdleVideos;
  oauthClients: OAuthClients;
  oauthRegistrations: ClientRegistrations;
  oauthConsent: OAuthConsent;
  oauthTokens: OAuthTokens;
  oauthGrants: OAuthGrants;
  brain: Brain;
  training: Training;
  knowledge: Knowledge;
  tribes: Tribes;
  gifts: Gifts;
  streamLinks: StreamLinks;
  spendingCaps: SpendingCaps;
  operators: Operators;
  talkSettings: TalkSettings;
  visitors: Visitors;
  idempotency: IdempotencyKeys;
  webhookEndpoints: WebhookEndpoints;
}

/** What a resolver is given. */
export interface Context extends RequestContext {
  services: Services;
  loaders: Loaders;
}

/** The caller of a resolver whose `@Allow` requires a credential. */
export function caller(context: Context): Principal {
  if (!context.principal) throw new Error('A resolver that needs a caller lacks its @Allow.');
  const { principal, keyed } = context;
  return { ...principal, origin: originOf(context), ...(keyed ? { keyed } : {}) };
}

/** Where a request came from, for the audit log of what needs no credential. */
export const originOf = ({ address, requestId }: Context): Origin => ({ address, requestId });
