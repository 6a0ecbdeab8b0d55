/** Subscriptions to changes of what the caller owns: one for each kind, and `events` for all of them. */
import { Args, Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import {
  AccountUpdate,
  BalanceUpdate,
  ConversationUpdate,
  GiftUpdate,
  ImageUpdate,
  SpeechUpdate,
  TrainingUpdate,
  VideoUpdate,
} from '../schema/account-update.ts';
import type { AccountChangeKind } from '../schema/enums.ts';
import { FollowArgs, FollowEventsArgs, FollowSubjectArgs } from '../schema/inputs/live.ts';
import { Allow } from '../src/auth/allow.ts';
import { authorize, type Principal, type Rule } from '../src/auth/principal.ts';
import { PlatformError } from '../src/kernel/errors.ts';
import type { AccountChange } from '../src/services/live/account-changes.queries.ts';
import { BoundedQueue, intoQueue } from '../src/services/live/feeds/update.queue.ts';
import { type Context, caller } from './context.ts';
import { readNode } from './nodes.ts';

/** Who may follow a kind: every caller who may read it. */
const RULES: Record<AccountChangeKind, Rule> = {
  conversation: { auth: 'bearer', scopes: ['generate'] },
  video: { auth: 'bearer', scopes: ['generate'] },
  speech: { auth: 'bearer', scopes: ['generate'] },
  image: { auth: 'firstParty' },
  balance: { auth: 'firstParty' },
  gift: { auth: 'bearer', scopes: ['donations'] },
  training: { auth: 'firstParty' },
};
const ANY_KIND: Rule = { auth: 'bearer', scopes: ['generate', 'donations'] };
const KINDS = Object.keys(RULES) as AccountChangeKind[];

/** Updates that may wait for a subscriber. */
const QUEUED = 256;

type Reader = (args: unknown, context: Context) => unknown;

const node =
  (id: string): Reader =>
  (_, context) =>
    readNode(context, id);

/** The fields that an update of each kind has beside the common ones; a field is read only where it is asked for. */
const SUBJECTS: Record<AccountChangeKind, (id: string) => Record<string, Reader>> = {
  conversation: (id) => ({ conversation: node(id) }),
  video: (id) => ({ video: node(id) }),
  speech: (id) => ({ speech: node(id) }),
  image: (id) => ({ image: node(id) }),
  balance: (id) => ({ balance: (_, { services }) => services.accounts.balance(id) }),
  gift: (id) => ({
    // To its recipient it is a ReceivedGift.
    gift: async (_, context) => {
      const gift = await readNode(context, id);
      return gift?.__typename === 'GiftIntent' ? gift : null;
    },
    received: (_, context) => {
      const principal = caller(context);
      return principal.scopes ? null : context.services.gifts.receivedOne(principal, id);
    },
  }),
  training: (id) => ({ training: (_, { loaders }) => loaders.trainingOfAvatar.load(id) }),
};

const showChange = ({ version, kind, subjectId, changedAt }: AccountChange): object => ({
  cursor: String(version),
  kind,
  subjectId,
  changedAt,
  ...SUBJECTS[kind](subjectId),
});

/** What a subscriber asks for. */
interface Following extends FollowSubjectArgs {
  kinds: readonly AccountChangeKind[];
}

async function followAccount(context: Context, { kinds, id, after }: Following): Promise<AsyncIterable<object>> {
  const principal = caller(context);
  let leave = (): void => {};
  const queue = new BoundedQueue<AccountChange>(QUEUED, () => leave());
  leave = await context.services.live.accounts.join(principal, {
    after,
    wants: (change) => kinds.includes(change.kind) && (id == null || change.subjectId === id),
    sink: intoQueue(queue),
    failed: (error) => queue.end(error),
    revoked: () => queue.end(new PlatformError('UNAUTHENTICATED', 'The credential was revoked.')),
  });
  return new Updates(queue, context, principal);
}

/** Turns the changes in a queue into updates; those that an app may not read are left out. */
class Updates implements AsyncIterableIterator<object> {
  readonly #queue: BoundedQueue<AccountChange>;
  readonly #context: Context;
  readonly #isApp: boolean;

  constructor(queue: BoundedQueue<AccountChange>, context: Context, principal: Principal) {
    this.#queue = queue;
    this.#context = context;
    this.#isApp = principal.kind === 'token';
  }

  async next(): Promise<IteratorResult<object>> {
    for (;;) {
      const { value, done } = await this.#queue.next();
      if (done) return { value: undefined, done };
      if (!this.#isApp || (await readNode(this.#context, value.subjectId))) return { value: showChange(value), done };
    }
  }

  async return(): Promise<IteratorResult<object>> {
    await this.#queue.return();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

interface Subscribing {
  args: FollowSubjectArgs;
  context: unknown;
}

const followed =
  (kind: AccountChangeKind) =>
  ({ args, context }: Subscribing) =>
    followAccount(context as Context, { ...args, kinds: [kind] });

/** The kinds that the caller may read, of those asked for or of all. Throws when one that was asked for may not be read. */
function kindsFor(principal: Principal, asked: AccountChangeKind[] | null | undefined): AccountChangeKind[] {
  if (asked) {
    for (const kind of asked) authorize(RULES[kind], principal);
    return asked;
  }
  return KINDS.filter((kind) => {
    try {
      authorize(RULES[kind], principal);
      return true;
    } catch {
      return false;
    }
  });
}

const RESUMES = 'Resumes behind a cursor without gap or duplicate.';

@Resolver()
export class AccountUpdateResolver {
  @Query(() => String, {
    description:
      'The cursor of now, for subscriptions to what is yours: ask for it, read what you show, then follow behind it.',
  })
  @Allow(ANY_KIND)
  updateCursor(@Ctx() context: Context): Promise<string> {
    return context.services.live.accounts.cursor(caller(context));
  }

  @Subscription(() => AccountUpdate, {
    description: `Everything of yours that changes, or only some kinds of it. ${RESUMES} EXPIRED for a cursor that is more than a day old.`,
    subscribe: ({ args, context }: { args: FollowEventsArgs; context: unknown }) =>
      followAccount(context as Context, { ...args, kinds: kindsFor(caller(context as Context), args.kinds) }),
  })
  @Allow(ANY_KIND)
  events(@Root() update: AccountUpdate, @Args(() => FollowEventsArgs) _: FollowEventsArgs): AccountUpdate {
    return update;
  }

  @Subscription(() => ConversationUpdate, {
    description: `Your conversations, those that visitors of your avatars hold included, as they change. ${RESUMES}`,
    subscribe: followed('conversation'),
  })
  @Allow(RULES.conversation)
  conversationUpdated(
    @Root() update: ConversationUpdate,
    @Args(() => FollowSubjectArgs) _: FollowSubjectArgs,
  ): ConversationUpdate {
    return update;
  }

  @Subscription(() => VideoUpdate, {
    description: `Your videos as they come further. ${RESUMES}`,
    subscribe: followed('video'),
  })
  @Allow(RULES.video)
  videoUpdated(@Root() update: VideoUpdate, @Args(() => FollowSubjectArgs) _: FollowSubjectArgs): VideoUpdate {
    return update;
  }

  @Subscription(() => SpeechUpdate, {
    description: `One-shot speech that you asked for, as it comes further. ${RESUMES}`,
    subscribe: followed('speech'),
  })
  @Allow(RULES.speech)
  speechUpdated(@Root() update: SpeechUpdate, @Args(() => FollowSubjectArgs) _: FollowSubjectArgs): SpeechUpdate {
    return update;
  }

  @Subscription(() => ImageUpdate, {
    description: `Images of yours that are made, refused or deleted. ${RESUMES}`,
    subscribe: followed('image'),
  })
  @Allow(RULES.image)
  imageUpdated(@Root() update: ImageUpdate, @Args(() => FollowSubjectArgs) _: FollowSubjectArgs): ImageUpdate {
    return update;
  }

  @Subscription(() => BalanceUpdate, {
    description: `Your credits as they come and go. ${RESUMES}`,
    subscribe: followed('balance'),
  })
  @Allow(RULES.balance)
  balanceUpdated(@Root() update: BalanceUpdate, @Args(() => FollowArgs) _: FollowArgs): BalanceUpdate {
    return update;
  }

  @Subscription(() => GiftUpdate, {
    description: `Gifts that you send, as they are proposed and resolved, and those that you are given. ${RESUMES}`,
    subscribe: followed('gift'),
  })
  @Allow(RULES.gift)
  giftUpdated(@Root() update: GiftUpdate, @Args(() => FollowSubjectArgs) _: FollowSubjectArgs): GiftUpdate {
    return update;
  }

  @Subscription(() => TrainingUpdate, {
    description: `Trainings of your avatars as they come further; \`id\` is the avatar. ${RESUMES}`,
    subscribe: followed('training'),
  })
  @Allow(RULES.training)
  trainingUpdated(@Root() update: TrainingUpdate, @Args(() => FollowSubjectArgs) _: FollowSubjectArgs): TrainingUpdate {
    return update;
  }
}
