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

/** Each is made when it is first asked for: a poll asks for none. */
export function createLoaders(services: Reads, principal: Principal | undefined): Loaders {
  const make: { [Name in keyof LoadersByName]: () => LoadersByName[Name] } = {
    owner: () => new DataLoader((ids) => services.accounts.owners(ids)),
    primaryImageUrl: () => new DataLoader((ids) => services.images.primaryUrls(ids)),
    avatar: () => new DataLoader((ids) => services.avatars.readAll(principal, ids)),
    avatarsOfUser: () => new DataLoader((ids) => services.avatars.ofUsers(principal, ids)),
    imagesOfAvatar: () => new DataLoader((ids) => services.images.ofAvatars(principal, ids)),
    trainingOfAvatar: () => new DataLoader((ids) => services.training.latestOfAll(principal, ids)),
    conversationsOfAvatar: () => firstOf((ids, first) => services.conversations.withAvatars(principal, ids, first)),
    folder: () => new DataLoader((ids) => services.folders.readAll(principal, ids)),
    voice: () => new DataLoader((ids) => services.voices.readAll(principal, ids)),
    newestTurns: () => firstOf((ids, first) => services.conversations.newestTurns(ids, first)),
    voicedBy: () => new DataLoader((ids) => services.conversations.voicedBy(ids)),
  };
  const loaders = { forEverybody: () => createLoaders(services, undefined) };
  for (const [name, create] of Object.entries(make)) {
    let made: unknown;
    Object.defineProperty(loaders, name, {
      get: () => {
        made ??= create();
        return made;
      },
    });
  }
  return loaders as Loaders;
}
