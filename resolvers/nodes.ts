/** Reading anything again by its id: each kind by the same service, and under the same rule, as by its own query. */
import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { Node } from '../schema/node.ts';
import { Allow, ruleOf } from '../src/auth/allow.ts';
import { authorize } from '../src/auth/principal.ts';
import { badInput, PlatformError } from '../src/kernel/errors.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { type Context, caller } from './context.ts';

interface NodeKind {
  /** The GraphQL type. */
  type: string;
  /** The root field whose `@Allow` is this kind's as well. */
  rule: string;
  read(context: Context, id: string): Promise<object | null | undefined>;
}

/** The item with this id of a list of the caller's; for kinds of which an account has few. */
const oneOf = async <T extends object>(list: Promise<readonly T[]>, key: keyof T, id: string): Promise<T | undefined> =>
  (await list).find((each) => each[key] === id);

const kind = (type: string, rule: string, read: NodeKind['read']): NodeKind => ({ type, rule, read });

const readLine: NodeKind['read'] = (context, id) => context.services.accounts.ledgerEntry(caller(context).userId, id);

/** Its recipient sees another side of it than its sender. */
const readGift: NodeKind['read'] = async (context, id) => {
  const principal = caller(context);
  const received = principal.scopes ? null : await context.services.gifts.receivedOne(principal, id);
  return received ? { ...received, __typename: 'ReceivedGift' } : context.services.gifts.read(principal, id);
};

/** By the prefix of their ids. */
const KINDS: ReadonlyMap<string, NodeKind> = new Map(
  Object.entries({
    avt: kind('Avatar', 'avatar', ({ services, principal }, id) => services.avatars.read(principal, id)),
    fld: kind('AvatarFolder', 'avatarFolders', (context, id) =>
      oneOf(context.services.folders.list(caller(context)), 'folderId', id),
    ),
    cnv: kind('Conversation', 'conversation', ({ services, principal }, id) =>
      services.conversations.read(id, principal),
    ),
    trn: kind('Turn', 'conversation', ({ services, principal }, id) => services.conversationTurns.byId(id, principal)),
    vid: kind('Video', 'video', (context, id) => context.services.videos.read(caller(context), id)),
    spk: kind('SpeakGeneration', 'speakGeneration', (context, id) =>
      context.services.speeches.read(caller(context), id),
    ),
    pic: kind('KeptImage', 'images', (context, id) => context.services.generatedImages.read(caller(context), id)),
    gft: kind('GiftIntent', 'giftIntent', readGift),
    usr: kind('User', 'me', async (context, id) =>
      id === caller(context).userId ? context.services.accounts.user(id) : null,
    ),
    ses: kind('OpenSession', 'sessions', (context, id) =>
      oneOf(context.services.accountSettings.list(caller(context)), 'sessionId', id),
    ),
    key: kind('ApiKey', 'apiKeys', (context, id) => oneOf(context.services.apiKeys.list(caller(context)), 'id', id)),
    aud: kind('AuditEvent', 'auditEvents', (context, id) => context.services.auditEvents.read(caller(context), id)),
    svcc: kind('OAuthClient', 'oauthClients', (context, id) =>
      oneOf(context.services.oauthClients.list(caller(context)), 'clientId', id),
    ),
    whe: kind('WebhookEndpoint', 'webhookEndpoints', (context, id) =>
      oneOf(context.services.webhookEndpoints.list(caller(context)), 'id', id),
    ),
    whd: kind('WebhookDelivery', 'webhookEndpoints', (context, id) =>
      context.services.webhookEndpoints.delivery(caller(context), id),
    ),
    tfr: kind('LedgerEntry', 'ledgerEntries', readLine),
    hld: kind('LedgerEntry', 'ledgerEntries', readLine),
    img: kind('AvatarImage', 'avatarImages', (context, id) => context.services.images.read(caller(context), id)),
    lnk: kind('StandingLink', 'accessLinks', (context, id) => context.services.accessLinks.read(caller(context), id)),
    mem: kind('StoredMemory', 'memories', (context, id) => context.services.brain.read(caller(context), id)),
    vis: kind('Visitor', 'visitors', (context, id) => context.services.talkSettings.visitor(caller(context), id)),
    tok: kind('OAuthGrant', 'oauthGrants', (context, id) => context.services.oauthGrants.read(caller(context), id)),
  }),
);
/** Voices: presets have the names that their engine gives them, without a prefix. */
const VOICE = kind('Voice', 'voices', (context, id) => oneOf(context.services.voices.list(caller(context)), 'id', id));

/** Which type a node is of. Synchronous, as graphql-jit wants it. */
export const typeOfNode = (node: { __typename: string }): string => node.__typename;

/** What was read of an id. */
type FoundNode = { __typename: string };

const NOTHING = ['NOT_FOUND', 'FORBIDDEN', 'MISSING_SCOPE', 'UNAUTHENTICATED'];

/** null both where the id is unknown and where this caller may not read the object: callers cannot distinguish the two. */
export async function readNode(context: Context, id: string): Promise<FoundNode | null> {
  const { type, rule, read } = KINDS.get(id.slice(0, id.indexOf('_'))) ?? VOICE;
  try {
    const declared = ruleOf(rule);
    if (!declared) throw new Error(`There is no ${rule} whose rule ${type} could have.`);
    authorize(declared, context.principal);
    const found = await read(context, id);
    return found ? { __typename: type, ...found } : null;
  } catch (error) {
    if (error instanceof PlatformError && NOTHING.includes(error.code)) return null;
    throw error;
  }
}

/**
 * Several, in the order of their ids. @throws PlatformError where there are more than a page has
 * @param argument what the caller calls the list
 */
export async function readNodes(
  context: Context,
  argument: string,
  ids: readonly string[],
): Promise<(FoundNode | null)[]> {
  if (ids.length > LIMITS.pageSize) throw badInput(argument, `must have at most ${LIMITS.pageSize} items.`);
  // One after the other: a hundred at once would leave no connection for other requests.
  const found = new Map<string, FoundNode | null>();
  for (const id of new Set(ids)) found.set(id, await readNode(context, id));
  return ids.map((id) => found.get(id) ?? null);
}

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'Whatever bears this id; null when nothing does, or nothing that you may read.',
  })
  @Allow({ auth: 'optional' })
  node(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'The `id` of anything that implements Node.' }) id: string,
  ): Promise<object | null> {
    return readNode(context, id);
  }

  @Query(() => [Node], {
    nullable: 'items',
    description: 'The same for several ids, at most 100, in the order of the ids.',
  })
  @Allow({ auth: 'optional' })
  nodes(
    @Ctx() context: Context,
    @Arg('ids', () => [ID], { description: 'Each the `id` of anything that implements Node.' }) ids: string[],
  ): Promise<(object | null)[]> {
    return readNodes(context, 'ids', ids);
  }
}
