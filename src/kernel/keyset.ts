/**
 * Pages of lists, as Relay's connections have them: a page lies between two cursors and is read from one end on. A cursor
 * names a place by what the list is ordered by, never by a number of rows, so that what comes or goes meanwhile neither
 * repeats an item nor leaves one out.
 */
import { badInput } from './errors.ts';

/**
 * The page that a caller asks for. Only one of `first` and `last` counts (`first` may also be the graph's default); cursors are
 * those of an earlier page.
 */
export interface PageRequest {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** The rows to read: at most `limit` from one end of those between two keys, neither of which is included. */
export interface Keyset {
  above: string | null;
  below: string | null;
  descending: boolean;
  /** One more than the page has, which shows whether there is another page. */
  limit: number;
}

/** A list and its order. */
export interface Listing<Item> {
  /** Name of its items; cursors contain it, so that one of another list is refused. */
  name: string;
  order: 'asc' | 'desc';
  /** The key that the list is ordered by; unique for each item. */
  keyOf: (item: Item) => string;
  /** What a key looks like; by default an id. */
  key?: RegExp;
}

/** Items of a page that does not say how many. */
export const PAGE_ITEMS = 20;

const ID = /^[a-z]{2,5}_\w{1,80}$/;

const cursorOf = (name: string, key: string): string => Buffer.from(`${name}:${key}`).toString('base64url');

/** The key in a cursor. For a list in the order of ids the plain id is accepted too: REST has always paged by it. */
function keyIn({ name, key = ID }: Listing<never>, argument: string, cursor: string | null | undefined): string | null {
  if (cursor == null) return null;
  if (key === ID && ID.test(cursor)) return cursor;
  const text = Buffer.from(cursor, 'base64url').toString();
  const found = text.startsWith(`${name}:`) ? text.slice(name.length + 1) : '';
  if (!key.test(found) || cursorOf(name, found) !== cursor) throw badInput(argument, 'is not a cursor of this list.');
  return found;
}

interface Edge<Item> {
  cursor: string;
  node: Item;
}

interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

/** A page of a list. Rarely requested fields are computed when they are read. */
export class Connection<Item> {
  readonly nodes: Item[];
  readonly totalCount: number | null;
  readonly #keys: string[];
  readonly #name: string;
  readonly #more: Pick<PageInfo, 'hasNextPage' | 'hasPreviousPage'>;

  constructor(
    name: string,
    items: readonly { node: Item; key: string }[],
    more: Pick<PageInfo, 'hasNextPage' | 'hasPreviousPage'>,
    totalCount: number | null = null,
  ) {
    this.nodes = items.map(({ node }) => node);
    this.totalCount = totalCount;
    this.#keys = items.map(({ key }) => key);
    this.#name = name;
    this.#more = more;
  }

  get edges(): Edge<Item>[] {
    return this.nodes.map((node, i) => ({ node, cursor: cursorOf(this.#name, this.#keys[i] ?? '') }));
  }

  get pageInfo(): PageInfo {
    const [start, end] = [this.#keys[0], this.#keys.at(-1)];
    return {
      ...this.#more,
      startCursor: start === undefined ? null : cursorOf(this.#name, start),
      endCursor: end === undefined ? null : cursorOf(this.#name, end),
    };
  }
}

/**
 * The rows to read for a page. Throws BAD_INPUT for `first` beside `last`, unless it is the default, and for a cursor that is not
 * of this list.
 */
export function keysetOf(request: PageRequest, listing: Listing<never>, items = PAGE_ITEMS): Keyset {
  const { last } = request;
  // `last` overrides the graph's default of `first`; a document that states the same number cannot be distinguished from the
  // default.
  const first = last != null && request.first === PAGE_ITEMS ? null : request.first;
  if (first != null && last != null) throw badInput('last', 'cannot be given beside first.');
  const after = keyIn(listing, 'after', request.after);
  const before = keyIn(listing, 'before', request.before);
  const isAscending = listing.order === 'asc';
  return {
    above: isAscending ? after : before,
    below: isAscending ? before : after,
    descending: isAscending === (last != null),
    limit: (first ?? last ?? items) + 1,
  };
}

/** The page of rows that were read by its keyset, in that order; `show` turns a row into the item. */
export function pageOf<Row, Item>(
  request: PageRequest,
  listing: Listing<NoInfer<Row>>,
  { limit }: Pick<Keyset, 'limit'>,
  rows: readonly Row[],
  show: (row: Row) => Item,
): Connection<Item> {
  const page = rows.slice(0, limit - 1).map((row) => ({ node: show(row), key: listing.keyOf(row) }));
  const hasMore = rows.length >= limit;
  if (request.last == null) {
    return new Connection(listing.name, page, { hasNextPage: hasMore, hasPreviousPage: request.after != null });
  }
  return new Connection(listing.name, page.reverse(), {
    hasNextPage: request.before != null,
    hasPreviousPage: hasMore,
  });
}

/** A page of a list that is read by its keyset. */
export async function readPage<Row, Item>(
  request: PageRequest,
  listing: Listing<NoInfer<Row>>,
  read: (keyset: Keyset) => Promise<readonly Row[]>,
  show: (row: Row) => Item,
): Promise<Connection<Item>> {
  const keyset = keysetOf(request, listing);
  return pageOf(request, listing, keyset, await read(keyset), show);
}

/** A page of a list that is in memory as a whole and in order: without `first` and `last` everything between the cursors. */
export function cutPage<Item>(request: PageRequest, listing: Listing<Item>, all: readonly Item[]): Connection<Item> {
  const { above, below, descending, limit } = keysetOf(request, listing, all.length);
  const within = all
    .map((node) => ({ node, key: listing.keyOf(node) }))
    .filter(({ key }) => (above === null || key > above) && (below === null || key < below));
  const isFromEnd = descending === (listing.order === 'asc');
  const size = limit - 1;
  const page = isFromEnd ? within.slice(-size) : within.slice(0, size);
  const hasMore = within.length > page.length;
  const more = isFromEnd
    ? { hasNextPage: request.before != null, hasPreviousPage: hasMore }
    : { hasNextPage: hasMore, hasPreviousPage: request.after != null };
  return new Connection(listing.name, page, more, all.length);
}

/** For the ORM: the ids of a keyset as a condition, and the order and number of rows. */
export function byId({ above, below, descending, limit }: Keyset) {
  const id = { ...(above === null ? {} : { $gt: above }), ...(below === null ? {} : { $lt: below }) };
  return [
    Object.keys(id).length > 0 ? { id } : {},
    { orderBy: { id: descending ? ('desc' as const) : ('asc' as const) }, limit },
  ] as const;
}
