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
  /** Name of the operation in generated clients; default: its root field. */
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
  /** The documented body has no `next`: only callers who ask for a page by `first` or `after` get one. */
  documentedWhole?: true;
  /** Fields left out of the body where they are null (documented as "present when ..."). */
  omitNulls?: readonly string[];
  /** REST names of arguments that have other names in the graph; errors use them. */
  called?: Readonly<Record<string, string>>;
  /** Renames fields of the request body to those of the operation. */
  aliases?: Readonly<Record<string, string>>;
  /**
   * Documented as changing one thing only: other fields of the body are ignored, so that a caller may send the whole object it
   * has read.
   */
  ignoresOtherFields?: true;
  /**
   * For OAuth clients: form bodies, HTTP Basic and the errors of RFC 6749; mounted by `oauth-endpoints.ts`. `json` takes a JSON object
   * whose fields may be lists, and no credentials.
   */
  oauth?: true | 'json';
  /** The operation charges or creates something, and takes an Idempotency-Key. */
  idempotent?: true;
  /**
   * A cheap operation whose root field `tag` changes whenever the answer would. It is the answer's ETag, and If-None-Match is
   * answered by this operation alone. `operation` selects `tag` too; the body leaves it out.
   */
  tag?: string;
}

/** Selection of a list that has pages, beside its items. */
export const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';
