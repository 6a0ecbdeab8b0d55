/**
 * What fields of lists are read through: one statement for all rows of a list, however long. Loaders live as long as one
 * request, and read as its caller: what the caller may not see is null or empty.
 */
import DataLoader from 'dataloader';
import type { Avatar, AvatarFolder, AvatarImage, Voice } from '../schema/avatar.ts';
import type { Training } from '../schema/brain.ts';
import type { Conversation } from '../schema/conversation.ts';
import type { Turn } from '../schema/turn.ts';
import type { Principal } from '../src/auth/principal.ts';
import type { Accounts } from '../src/services/accounts/account.service.ts';
import type { FoundUser } from '../src/services/accounts/user.repository.ts';
import type { Avatars } from '../src/services/avatars/avatar.service.ts';
import type { Folders } from '../src/services/avatars/avatar-folder.service.ts';
import type { AvatarImages } from '../src/services/avatars/avatar-image.service.ts';
import type { Training as Trainings } from '../src/services/brain/training.service.ts';
import type { Conversations } from '../src/services/conversations/conversation.service.ts';
import type { Voices } from '../src/services/speech/voice.service.ts';

/** The services that read many at once. */
interface Reads {
  accounts: Accounts;
  avatars: Avatars;
  images: AvatarImages;
  training: Trainings;
  conversations: Conversations;
  folders: Folders;
  voices: Voices;
}

/** Of something, the first so many. */
export interface FirstOf {
  id: string;
  first: number;
}

interface LoadersByName {
  owner: DataLoader<string, FoundUser | undefined>;
  primaryImageUrl: DataLoader<string, string | null>;
  avatar: DataLoader<string, Avatar | null>;
  avatarsOfUser: DataLoader<string, Avatar[]>;
  imagesOfAvatar: DataLoader<string, AvatarImage[]>;
  trainingOfAvatar: DataLoader<string, Training | null>;
  conversationsOfAvatar: DataLoader<FirstOf, Conversation[], string>;
  folder: DataLoader<string, AvatarFolder | null>;
  voice: DataLoader<string, Voice | null>;
  newestTurns: DataLoader<FirstOf, Turn[], string>;
  /** Ids of the avatars that voice turns. */
  voicedBy: DataLoader<string, string | null>;
}

export interface Loaders extends LoadersByName {
  /** New ones that read as somebody without a credential: what is shown to many viewers at once is read by these. */
  forEverybody(): Loaders;
}

/** A loader of the first so many of each: one statement for each number asked for. */
const firstOf = <T>(read: (ids: string[], first: number) => Promise<T[]>) =>
  new DataLoader<FirstOf, T, string>(
    async (wanted) => {
      const found = new Map<FirstOf, T>();
      for (const first of new Set(wanted.map((each) => each.first))) {
        const alike = wanted.filter((each) => each.first === first);
        const lists = await read(
          alike.map(({ id }) => id),
          first,
        );
        for (const [index, each] of alike.entries()) found.set(each, lists[index] as T);
      }
      return wanted.map((each) => found.get(each) as T);
    },
    { cacheKeyFn: ({ id, first }) => `${first} ${id}` },
  );

/** Each is made when it is first asked for: a poll asks for none, and pays for none. */
class RequestLoaders implements Loaders {
  readonly #services: Reads;
  readonly #principal: Principal | undefined;
  readonly #made: Partial<LoadersByName> = {};

  constructor(services: Reads, principal: Principal | undefined) {
    this.#services = services;
    this.#principal = principal;
  }

  forEverybody(): Loaders {
    return new RequestLoaders(this.#services, undefined);
  }

  get owner(): LoadersByName['owner'] {
    this.#made.owner ??= new DataLoader((ids) => this.#services.accounts.owners(ids));
    return this.#made.owner;
  }
  get primaryImageUrl(): LoadersByName['primaryImageUrl'] {
    this.#made.primaryImageUrl ??= new DataLoader((ids) => this.#services.images.primaryUrls(ids));
    return this.#made.primaryImageUrl;
  }
  get avatar(): LoadersByName['avatar'] {
    this.#made.avatar ??= new DataLoader((ids) => this.#services.avatars.readAll(this.#principal, ids));
    return this.#made.avatar;
  }
  get avatarsOfUser(): LoadersByName['avatarsOfUser'] {
    this.#made.avatarsOfUser ??= new DataLoader((ids) => this.#services.avatars.ofUsers(this.#principal, ids));
    return this.#made.avatarsOfUser;
  }
  get imagesOfAvatar(): LoadersByName['imagesOfAvatar'] {
    this.#made.imagesOfAvatar ??= new DataLoader((ids) => this.#services.images.ofAvatars(this.#principal, ids));
    return this.#made.imagesOfAvatar;
  }
  get trainingOfAvatar(): LoadersByName['trainingOfAvatar'] {
    this.#made.trainingOfAvatar ??= new DataLoader((ids) => this.#services.training.latestOfAll(this.#principal, ids));
    return this.#made.trainingOfAvatar;
  }
  get conversationsOfAvatar(): LoadersByName['conversationsOfAvatar'] {
    this.#made.conversationsOfAvatar ??= firstOf((ids, first) =>
      this.#services.conversations.withAvatars(this.#principal, ids, first),
    );
    return this.#made.conversationsOfAvatar;
  }
  get folder(): LoadersByName['folder'] {
    this.#made.folder ??= new DataLoader((ids) => this.#services.folders.readAll(this.#principal, ids));
    return this.#made.folder;
  }
  get voice(): LoadersByName['voice'] {
    this.#made.voice ??= new DataLoader((ids) => this.#services.voices.readAll(this.#principal, ids));
    return this.#made.voice;
  }
  get newestTurns(): LoadersByName['newestTurns'] {
    this.#made.newestTurns ??= firstOf((ids, first) => this.#services.conversations.newestTurns(ids, first));
    return this.#made.newestTurns;
  }
  get voicedBy(): LoadersByName['voicedBy'] {
    this.#made.voicedBy ??= new DataLoader((ids) => this.#services.conversations.voicedBy(ids));
    return this.#made.voicedBy;
  }
}

/** Loaders of one request, which read as its caller. */
export const createLoaders = (services: Reads, principal: Principal | undefined): Loaders =>
  new RequestLoaders(services, principal);
