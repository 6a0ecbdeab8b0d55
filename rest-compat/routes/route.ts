/**
 * One documented REST endpoint, a row of the table in `index.ts`. It is a method, a path and the GraphQL operation it
 * executes; the operation's aliases ARE the documented body. Variables are gathered from path, query and body.
 */

/** One row of the table: an endpoint and its operation. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `{name}` parameters, as the documentation writes it. */
  path: string;
  /** The tag of the OpenAPI document. */
  section: string;
  summary: string;
  operation: string;
  /** Its name for generated clients; default the operation's root field. */
  operationId?: string;
  /** Success status, or the ones it may have and which of them the data means; default 200. */
  status?: number | { all: readonly number[]; of(data: Record<string, unknown>): number };
  /** The body is the data of the operation, or its one root field. */
  body: 'data' | 'root';
  /**
   * A field of the body that is a connection in the data: the body has the items alone. Where its `pageInfo` is selected it
   * has pages, by `first` and `after`: the header Link leads to the next one, and `next` beside the list is its cursor.
   */
  list?: string;
  /** The documented body has no `next`: it comes to those alone who ask for a page, by `first` or `after`. */
  documentedWhole?: true;
  /** Fields left out of the body where they are null (documented as "present when ..."). */
  omitNulls?: readonly string[];
  /** What an argument is called in REST, where the graph calls it otherwise: errors name it so. */
  called?: Readonly<Record<string, string>>;
  /** Renames fields of the request body to those of the operation. */
  aliases?: Readonly<Record<string, string>>;
  /** Documented as changing one thing only: whatever else its body has is not looked at, as an object that was read before. */
  ignoresOtherFields?: true;
  /**
   * For OAuth clients: form bodies, HTTP Basic and the errors of RFC 6749; mounted by `oauth-endpoints.ts`. `json` takes a JSON object
   * whose fields may be lists, and no credentials.
   */
  oauth?: true | 'json';
  /** It charges or makes something: an Idempotency-Key is honoured. */
  idempotent?: true;
  /**
   * A cheap operation whose root field `tag` changes whenever the answer would. The answer carries it as its ETag,
   * and If-None-Match is answered from it alone; the operation above selects `tag` too, which the body leaves out.
   */
  tag?: string;
}

/** What is selected of a list that has pages, beside its items. */
export const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';
