/**
 * Loaders read a field for all rows of a list by one statement. Loaders live as long as one operation, and read as its caller:
 * what the caller may not see is null or empty.
 */
import DataLoader from 'dataloader';
import type { Avatar, AvatarFolder, AvatarImage, Voice } from '../schema/avatar.ts';
import type { Training } from '../schema/brain.ts';
import type { Conversation } from '../schema/conversation.ts';
import type { Turn } from '../schema/turn.ts';
import type { Balance } from '../schema/user.ts';
import type { Principal } from '../src/auth/principal.ts';
import type { Connection, PageRequest } from '../src/kernel/keyset.ts';
import type { Accounts } from '../src/services/accounts/account.service.ts';
import type { FoundUser } from '../src/services/accounts/user.repository.ts';
import type { Avatars } from '../src/services/avatars/avatar.service.ts';
import type { Folders } from '../src/services/avatars/avatar-folder.service.ts';
import type { AvatarImages } from '../src/services/avatars/avatar-image.service.ts';
import type { Training as Trainings } from '../src/services/brain/training.service.ts';
import type { Conversations } from '../src/services/conversations/conversation.service.ts';
import type { ConversationTurns } from '../src/services/conversations/conversation-turns.service.ts';
import type { Gifts } from '../src/services/gifts/gift.service.ts';
import type { Images } from '../src/services/images/image.service.ts';
import type { Speeches } from '../src/services/speech/speech.service.ts';
import type { Voices } from '../src/services/speech/voice.service.ts';
import type { Tribes } from '../src/services/tribes/tribe.service.ts';
import type { Videos } from '../src/services/videos/video.service.ts';

/** The services that read many at once. */
interface Reads {
  accounts: Accounts;
  avatars: Avatars;
  images: AvatarImages;
  training: Trainings;
  conversations: Conversations;
  conversationTurns: ConversationTurns;
  folders: Folders;
  voices: Voices;
  videos: Videos;
  speeches: Speeches;
  generatedImages: Images;
  tribes: Tribes;
  gifts: Gifts;
}

/** A page of a list that belongs to the object with this id. */
export interface PageOf extends PageRequest {
  id: string;
}

/** A page of a conversation's turns, read at this version of the conversation or a later one; without one, as they are. */
interface TurnsOf extends PageOf {
  version?: number | undefined;
}

type PagesOf<Item, Wanted extends PageOf = PageOf> = DataLoader<Wanted, Connection<Item>, string>;

/** Batches the reads of one operation by id, and remembers them for as long as it lasts. */
export interface Loaders {
  owner: DataLoader<string, FoundUser | undefined>;
  primaryImageUrl: DataLoader<string, string | null>;
  avatar: DataLoader<string, Avatar | null>;
  avatarsOfUser: PagesOf<Avatar>;
  imagesOfAvatar: DataLoader<string, AvatarImage[]>;
  trainingOfAvatar: DataLoader<string, Training | null>;
  conversationsOfAvatar: PagesOf<Conversation>;
  folder: DataLoader<string, AvatarFolder | null>;
  voice: DataLoader<string, Voice | null>;
  turns: PagesOf<Turn, TurnsOf>;
  /** Ids of the avatars that voice turns. */
  voicedBy: DataLoader<string, string | null>;
  replyPending: DataLoader<string, boolean>;
  queuePosition: DataLoader<string, number | null>;
  /** By user. Not cached: several mutations of one document may change it. */
  balance: DataLoader<string, Balance>;
  /** The object that a line of the ledger paid for, by its `sourceRef`; its type is in `__typename`. */
  ledgerSource: DataLoader<string, object | null>;
}

type ReadMany = (services: Reads, principal: Principal, ids: string[]) => Promise<(object | null)[]>;

const typed =
  (type: string, read: ReadMany): ReadMany =>
  async (...given) =>
    (await read(...given)).map((found) => found && { ...found, __typename: type });

const proposedGifts = typed('GiftIntent', ({ gifts }, principal, ids) => gifts.proposedAll(principal, ids));
const receivedGifts = typed('ReceivedGift', ({ gifts }, principal, ids) => gifts.receivedAll(principal, ids));

/** By the prefix of a `sourceRef`. Grants have none: they pay for nothing. */
const LEDGER_SOURCES: Readonly<Record<string, ReadMany>> = {
  turn: typed('Turn', ({ conversationTurns }, principal, ids) => conversationTurns.byIds(principal, ids)),
  speech: typed('SpeakGeneration', ({ speeches }, principal, ids) => speeches.readAll(principal, ids)),
  image: typed('KeptImage', ({ generatedImages }, principal, ids) => generatedImages.readAll(principal, ids)),
  video: typed('Video', ({ videos }, principal, ids) => videos.readAll(principal, ids)),
  tribe: typed('Tribe', ({ tribes }, principal, ids) => tribes.readAll(principal, ids)),
  async gift(services, principal, ids) {
    const [proposed, received] = [
      await proposedGifts(services, principal, ids),
      await receivedGifts(services, principal, ids),
    ];
    return ids.map((_, at) => proposed[at] ?? received[at] ?? null);
  },
};

/**
 * The objects that these lines paid for, by a statement or two for each kind; null for deleted ones and for those that the caller
 * may not see.
 */
async function ledgerSources(
  services: Reads,
  principal: Principal | undefined,
  refs: readonly string[],
): Promise<(object | null)[]> {
  const found = new Map<string, object | null>();
  const byKind = Map.groupBy(refs, (ref) => ref.split(':')[0] ?? '');
  for (const [kind, alike] of byKind) {
    const read = LEDGER_SOURCES[kind];
    if (!principal || !read) continue;
    const ids = alike.map((ref) => ref.split(':')[1] ?? '');
    const shown = await read(services, principal, ids);
    for (const [at, ref] of alike.entries()) found.set(ref, shown[at] ?? null);
  }
  return refs.map((ref) => found.get(ref) ?? null);
}

const idOf = ({ id }: PageOf): string => id;

const pageKey = ({ first, after, last, before }: PageRequest): string => JSON.stringify([first, after, last, before]);

/** A loader of pages of lists: one statement for each kind of page asked for, however many objects have such a list. */
const pagesOf = <Item, Wanted extends PageOf = PageOf>(
  read: (of: Wanted[], page: PageRequest) => Promise<Connection<Item>[]>,
): PagesOf<Item, Wanted> =>
  new DataLoader<Wanted, Connection<Item>, string>(
    async (wanted) => {
      const found = new Map<Wanted, Connection<Item>>();
      for (const alike of Map.groupBy(wanted, pageKey).values()) {
        const lists = await read(alike, alike[0] as Wanted);
        for (const [index, each] of alike.entries()) found.set(each, lists[index] as Connection<Item>);
      }
      return wanted.map((each) => found.get(each) as Connection<Item>);
    },
    { cacheKeyFn: (page) => `${page.id} ${pageKey(page)}` },
  );

/** Each loader is made when it is first used: a poll uses none. */
class OperationLoaders implements Loaders {
  readonly #services: Reads;
  readonly #principal: Principal | undefined;
  readonly #made: Partial<Loaders> = {};

  constructor(services: Reads, principal: Principal | undefined) {
    this.#services = services;
    this.#principal = principal;
  }

  get owner(): Loaders['owner'] {
    this.#made.owner ??= new DataLoader((ids) => this.#services.accounts.owners(ids));
    return this.#made.owner;
  }
  get primaryImageUrl(): Loaders['primaryImageUrl'] {
    this.#made.primaryImageUrl ??= new DataLoader((ids) => this.#services.images.primaryUrls(ids));
    return this.#made.primaryImageUrl;
  }
  get avatar(): Loaders['avatar'] {
    this.#made.avatar ??= new DataLoader((ids) => this.#services.avatars.readAll(this.#principal, ids));
    return this.#made.avatar;
  }
  get avatarsOfUser(): Loaders['avatarsOfUser'] {
    this.#made.avatarsOfUser ??= pagesOf((of, page) =>
      this.#services.avatars.ofUsers(this.#principal, of.map(idOf), page),
    );
    return this.#made.avatarsOfUser;
  }
  get imagesOfAvatar(): Loaders['imagesOfAvatar'] {
    this.#made.imagesOfAvatar ??= new DataLoader((ids) => this.#services.images.ofAvatars(this.#principal, ids));
    return this.#made.imagesOfAvatar;
  }
  get trainingOfAvatar(): Loaders['trainingOfAvatar'] {
    this.#made.trainingOfAvatar ??= new DataLoader((ids) => this.#services.training.latestOfAll(this.#principal, ids));
    return this.#made.trainingOfAvatar;
  }
  get conversationsOfAvatar(): Loaders['conversationsOfAvatar'] {
    this.#made.conversationsOfAvatar ??= pagesOf((of, page) =>
      this.#services.conversations.withAvatars(this.#principal, of.map(idOf), page),
    );
    return this.#made.conversationsOfAvatar;
  }
  get folder(): Loaders['folder'] {
    this.#made.folder ??= new DataLoader((ids) => this.#services.folders.readAll(this.#principal, ids));
    return this.#made.folder;
  }
  get voice(): Loaders['voice'] {
    this.#made.voice ??= new DataLoader((ids) => this.#services.voices.readAll(this.#principal, ids));
    return this.#made.voice;
  }
  get turns(): Loaders['turns'] {
    this.#made.turns ??= pagesOf((of, page) => this.#services.conversationTurns.pages(of, page));
    return this.#made.turns;
  }
  get voicedBy(): Loaders['voicedBy'] {
    this.#made.voicedBy ??= new DataLoader((ids) => this.#services.conversationTurns.voicedBy(ids));
    return this.#made.voicedBy;
  }
  get ledgerSource(): Loaders['ledgerSource'] {
    this.#made.ledgerSource ??= new DataLoader((refs) => ledgerSources(this.#services, this.#principal, refs));
    return this.#made.ledgerSource;
  }
  get balance(): Loaders['balance'] {
    const read = async (ids: readonly string[]) => {
      const found = new Map<string, Balance>();
      for (const id of new Set(ids)) found.set(id, await this.#services.accounts.balance(id));
      return ids.map((id) => found.get(id) ?? new Error(`No balance of ${id} was read.`));
    };
    this.#made.balance ??= new DataLoader(read, { cache: false });
    return this.#made.balance;
  }
  get replyPending(): Loaders['replyPending'] {
    this.#made.replyPending ??= new DataLoader((ids) => this.#services.conversationTurns.replyPending(ids));
    return this.#made.replyPending;
  }
  get queuePosition(): Loaders['queuePosition'] {
    this.#made.queuePosition ??= new DataLoader((ids) => this.#services.videos.queuePositions(ids));
    return this.#made.queuePosition;
  }
}

/** Loaders of one operation, which read as its caller. */
export const createLoaders = (services: Reads, principal: Principal | undefined): Loaders =>
  new OperationLoaders(services, principal);
