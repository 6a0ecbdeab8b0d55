/** What every resolver is given: who calls, the services, and loaders that live as long as one request. */
import DataLoader from 'dataloader';
import type { Logger } from 'pino';
import type { Principal } from '../src/auth/principal.ts';
import type { AccessLinks } from '../src/services/access-links.ts';
import type { Accounts, OwnerNames } from '../src/services/accounts.ts';
import type { ApiKeys } from '../src/services/api-keys.ts';
import type { AvatarImages } from '../src/services/avatar-images.ts';
import type { Avatars } from '../src/services/avatars.ts';
import type { Brain } from '../src/services/brain.ts';
import type { Captions } from '../src/services/captions.ts';
import type { Clips } from '../src/services/clips.ts';
import type { Conversations } from '../src/services/conversations.ts';
import type { Folders } from '../src/services/folders.ts';
import type { Gifts } from '../src/services/gifts.ts';
import type { IdleClips } from '../src/services/idle-clips.ts';
import type { Images } from '../src/services/images.ts';
import type { Live, LiveSink } from '../src/services/live.ts';
import type { OAuthClients } from '../src/services/oauth-clients.ts';
import type { OAuthConsent } from '../src/services/oauth-consent.ts';
import type { OAuthGrants } from '../src/services/oauth-grants.ts';
import type { OAuthTokens } from '../src/services/oauth-tokens.ts';
import type { Speak } from '../src/services/speak.ts';
import type { SpendingCaps } from '../src/services/spending-cap.ts';
import type { StreamLinks } from '../src/services/stream-links.ts';
import type { Training } from '../src/services/training.ts';
import type { Tribes } from '../src/services/tribes.ts';
import type { Turns } from '../src/services/turns.ts';
import type { Videos } from '../src/services/videos.ts';
import type { Voices } from '../src/services/voices.ts';

export interface Services {
  accounts: Accounts;
  apiKeys: ApiKeys;
  avatars: Avatars;
  images: AvatarImages;
  generatedImages: Images;
  folders: Folders;
  voices: Voices;
  speak: Speak;
  videos: Videos;
  accessLinks: AccessLinks;
  conversations: Conversations;
  turns: Turns;
  live: Live;
  clips: Clips;
  captions: Captions;
  idleClips: IdleClips;
  oauthClients: OAuthClients;
  oauthConsent: OAuthConsent;
  oauthTokens: OAuthTokens;
  oauthGrants: OAuthGrants;
  brain: Brain;
  training: Training;
  tribes: Tribes;
  gifts: Gifts;
  streamLinks: StreamLinks;
  spendingCaps: SpendingCaps;
}

export interface Loaders {
  owner: DataLoader<string, OwnerNames | undefined>;
  primaryImageUrl: DataLoader<string, string | null>;
}

export interface Context {
  principal?: Principal;
  services: Services;
  loaders: Loaders;
  log: Logger;
  requestId: string;
  /** The caller's address, for limits on failures. */
  address: string;
  /** Where a door wants the updates of a subscription written; without it they are iterated over. */
  sink?: LiveSink<unknown>;
}

/** Made when first asked for: a poll asks for none. */
export function createLoaders(services: Services): Loaders {
  let owner: Loaders['owner'] | undefined;
  let primaryImageUrl: Loaders['primaryImageUrl'] | undefined;
  return {
    get owner() {
      owner ??= new DataLoader((ids) => services.accounts.owners(ids));
      return owner;
    },
    get primaryImageUrl() {
      primaryImageUrl ??= new DataLoader((ids) => services.images.primaryUrls(ids));
      return primaryImageUrl;
    },
  };
}

/** The caller of a resolver whose `@Allow` admits nobody without a credential. */
export function caller(context: Context): Principal {
  if (!context.principal) throw new Error('A resolver that needs a caller lacks its @Allow.');
  return context.principal;
}
