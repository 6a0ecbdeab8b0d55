/** Builds the services on the ports of the platform, in the order in which they need one another. */
import type { Services } from '../../resolvers/context.ts';
import type { EngineCheck } from '../../schema/operators.ts';
import type { IdTokens } from '../auth/id-tokens.ts';
import { pairwiseSubject } from '../auth/oauth-proofs.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { InstanceSecrets } from '../auth/secrets.ts';
import { operatorJobs } from '../jobs/operator-jobs.ts';
import type { Config } from '../kernel/config.ts';
import { LIMITS } from '../kernel/limits.ts';
import { openSecret, type Seal, sealSecret } from '../kernel/sealing.ts';
import { type Mailer, openMailer } from '../mail/mailer.ts';
import { Accounts } from '../services/accounts/account.service.ts';
import { AccountDeletion } from '../services/accounts/account-deletion.service.ts';
import { AccountExports } from '../services/accounts/account-export.service.ts';
import { AccountLinks } from '../services/accounts/account-links.service.ts';
import { AccountSettings } from '../services/accounts/account-settings.service.ts';
import { ApiKeys } from '../services/accounts/api-key.service.ts';
import { AuditEvents } from '../services/accounts/audit.service.ts';
import { EmailVerification } from '../services/accounts/email-verification.service.ts';
import { IdempotencyKeys } from '../services/accounts/idempotency.service.ts';
import { SpendingCaps } from '../services/accounts/spending-cap.service.ts';
import { Avatars } from '../services/avatars/avatar.service.ts';
import { AvatarDeletion } from '../services/avatars/avatar-deletion.service.ts';
import { Folders } from '../services/avatars/avatar-folder.service.ts';
import { AvatarImages } from '../services/avatars/avatar-image.service.ts';
import { FaceFitting } from '../services/avatars/face-fitting.service.ts';
import { IdleVideos } from '../services/avatars/idle-video.service.ts';
import { BrainAccess } from '../services/brain/brain.access.ts';
import { Brain } from '../services/brain/brain.service.ts';
import { BrainChat } from '../services/brain/chat-memory.service.ts';
import { Knowledge } from '../services/brain/knowledge.service.ts';
import type { Graph } from '../services/brain/memory/graph.service.ts';
import type { MemoryPort } from '../services/brain/memory.port.ts';
import { Training } from '../services/brain/training.service.ts';
import { AccessLinks } from '../services/conversations/access-link.service.ts';
import { Conversations } from '../services/conversations/conversation.service.ts';
import { ConversationDeletion } from '../services/conversations/conversation-deletion.service.ts';
import { ConversationTurns } from '../services/conversations/conversation-turns.service.ts';
import { Gifts } from '../services/gifts/gift.service.ts';
import { Images } from '../services/images/image.service.ts';
import { Live } from '../services/live/live.service.ts';
import { MediaRemovals } from '../services/media/media-removal.service.ts';
import { ClientRegistrations } from '../services/oauth/client-registration.service.ts';
import { OAuthClients } from '../services/oauth/oauth-client.service.ts';
import { OAuthConsent } from '../services/oauth/oauth-consent.service.ts';
import { OAuthGrants } from '../services/oauth/oauth-grant.service.ts';
import { OAuthTokens } from '../services/oauth/oauth-token.service.ts';
import { Operators } from '../services/operators/operator.service.ts';
import type { Platform } from '../services/platform/platform.port.ts';
import { Speeches } from '../services/speech/speech.service.ts';
import { Transcriptions } from '../services/speech/transcription.service.ts';
import { Voices } from '../services/speech/voice.service.ts';
import { LocalStreams } from '../services/tribes/local-streams.repository.ts';
import { StreamLinks } from '../services/tribes/stream-link.service.ts';
import type { StreamPlatform } from '../services/tribes/stream-platform.port.ts';
import { type SubjectOf, Tribes } from '../services/tribes/tribe.service.ts';
import { Twitch } from '../services/tribes/twitch.client.ts';
import { Captions } from '../services/turns/caption.service.ts';
import { PersonaTryOuts } from '../services/turns/persona-try-out.service.ts';
import { SharedTurns } from '../services/turns/shared-turn.service.ts';
import { Turns } from '../services/turns/turn.service.ts';
import { TurnDeletion } from '../services/turns/turn-deletion.service.ts';
import { TurnInterruption } from '../services/turns/turn-interruption.service.ts';
import { Uploads } from '../services/uploads/upload.service.ts';
import { Videos } from '../services/videos/video.service.ts';
import { TalkSettings } from '../services/visitors/talk-settings.service.ts';
import { Visitors } from '../services/visitors/visitor.service.ts';
import { WebhookDeliveries } from '../services/webhooks/webhook-delivery.service.ts';
import { WebhookEndpoints } from '../services/webhooks/webhook-endpoint.service.ts';
import { createGuardedFetch } from '../storage/guarded-client.ts';

/** What the services need beside the platform's ports. */
interface Shared {
  idTokens: IdTokens;
  secrets: InstanceSecrets;
  graph: Graph | null;
  limits: RateLimits;
  /** Calls everything that is configured, once each. */
  examineSelf: () => Promise<EngineCheck[]>;
}

/** Every service that resolvers call, and three that only jobs and the process itself use: memory, removals, deliveries. */
export function createServices(
  platform: Platform,
  { idTokens, secrets, graph, limits, examineSelf }: Shared,
): { services: Services; memory: MemoryPort; removals: MediaRemovals; webhookDeliveries: WebhookDeliveries } {
  const images = new AvatarImages(platform);
  const voices = new Voices(platform);
  const conversations = new Conversations(platform, images);
  const removals = new MediaRemovals(platform);
  const guardedFetch = createGuardedFetch({
    allowHosts: platform.config.FETCH_ALLOW_HOSTS,
    maxBytes: LIMITS.externalAnswerBytes,
  });
  const brainNeeds = { ...platform, graph, masterKey: secrets.encryption.toString('base64'), guardedFetch };
  const brainAccess = new BrainAccess(brainNeeds);
  const memory = new BrainChat(brainNeeds, brainAccess);
  const turnDeletion = new TurnDeletion(platform, conversations, memory, removals);
  const conversationDeletion = new ConversationDeletion(platform, conversations, memory, removals);
  const mailer = mailerOf(platform.config);
  const emailVerification = new EmailVerification(platform, mailer);
  const accounts = new Accounts(platform, idTokens, emailVerification);
  const seal = createSeal(secrets);
  const streams = openStreams(platform, seal);
  const subjectOf: SubjectOf = ({ userId, clientId, avatarId }) =>
    pairwiseSubject(secrets.pairwise, { userId, clientId: clientId ?? '', avatarId: avatarId ?? '' });
  const avatarDeletion = new AvatarDeletion(platform, conversationDeletion, turnDeletion, removals);
  const generatedImages = new Images(platform, removals);
  const speeches = new Speeches(platform, images, voices, removals);
  const videos = new Videos(platform, voices, removals);
  const oauthClients = new OAuthClients(platform);
  const turns = new Turns(platform, conversations, voices);
  const turnInterruption = new TurnInterruption(platform, conversations);
  const transcriptions = new Transcriptions(platform);
  const auditEvents = new AuditEvents(platform, accounts);
  const accountExports = new AccountExports(platform, auditEvents, removals);
  const services = {
    idempotency: new IdempotencyKeys(platform, seal),
    accounts,
    accountSettings: new AccountSettings(platform),
    accountExports,
    accountDeletion: new AccountDeletion(platform, {
      avatars: avatarDeletion,
      conversations: conversationDeletion,
      images: generatedImages,
      videos,
      speech: speeches,
      apps: oauthClients,
      exports: accountExports,
      removals,
    }),
    emailVerification,
    accountLinks: new AccountLinks(platform, mailer, emailVerification),
    auditEvents,
    apiKeys: new ApiKeys(platform),
    avatars: new Avatars(platform, images, voices),
    avatarDeletion,
    images,
    generatedImages,
    uploads: new Uploads(platform, images),
    folders: new Folders(platform),
    voices,
    accessLinks: new AccessLinks(platform, conversations),
    conversations,
    conversationTurns: new ConversationTurns(platform, conversations),
    conversationDeletion,
    turnDeletion,
    turnInterruption,
    turns,
    personaTryOuts: new PersonaTryOuts(platform, memory),
    speeches,
    transcriptions,
    videos,
    live: new Live(platform, conversations),
    sharedTurns: new SharedTurns(platform),
    captions: new Captions(platform, conversations),
    faceFitting: new FaceFitting(platform),
    idleVideos: new IdleVideos(platform, conversations),
    oauthClients,
    oauthRegistrations: new ClientRegistrations(platform),
    oauthConsent: new OAuthConsent(platform),
    oauthTokens: new OAuthTokens(platform, images, secrets.pairwise),
    oauthGrants: new OAuthGrants(platform, images),
    brain: new Brain(brainNeeds, brainAccess),
    training: new Training(platform),
    knowledge: new Knowledge(platform),
    tribes: new Tribes(platform, streams, subjectOf),
    gifts: new Gifts(platform, subjectOf),
    streamLinks: new StreamLinks(platform, accounts, streams, seal),
    spendingCaps: new SpendingCaps(platform),
    operators: new Operators(platform, accounts, operatorJobs(platform.db), examineSelf),
    talkSettings: new TalkSettings(platform),
    visitors: new Visitors(
      { ...platform, limits },
      { conversations, turns, interruption: turnInterruption, transcriptions },
      secrets.pairwise,
    ),
    webhookEndpoints: new WebhookEndpoints(platform, seal),
  };
  const webhookDeliveries = new WebhookDeliveries(platform, seal, guardedFetch);
  return { services, memory, removals, webhookDeliveries };
}

/** Seals tokens of the streaming platform and secrets of webhooks with the instance's key. */
function createSeal(secrets: InstanceSecrets): Seal {
  const key = secrets.encryption.toString('base64');
  return {
    seal: (plain, context) => sealSecret(key, plain, context),
    open: (sealed, context) => openSecret(key, sealed, context),
  };
}

/** Undefined where no mail server is configured. */
function mailerOf({ SMTP_URL: url, SMTP_FROM: from }: Config): Mailer | undefined {
  return url && from ? openMailer({ url, from }) : undefined;
}

/** Twitch where it is configured, else the table that operators fill. */
function openStreams(platform: Platform, seal: Seal): StreamPlatform {
  const { config, db, remote } = platform;
  if (!config.TWITCH_CLIENT_ID) return new LocalStreams(db);
  return new Twitch({
    db,
    seal,
    clientId: config.TWITCH_CLIENT_ID,
    clientSecret: config.TWITCH_CLIENT_SECRET!,
    apiUrl: config.TWITCH_BASE_URL!,
    authUrl: config.TWITCH_AUTH_URL!,
    redirectUri: `${config.SITE_URL}/stream-link/callback`,
    fetch: remote.fetch('streaming'),
  });
}
