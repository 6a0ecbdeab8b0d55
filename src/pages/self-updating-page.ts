/**
 * Pages that update themselves. What is marked with `data-live` (kinds of updates, with spaces between) and an id is
 * shown anew by `client/page-updates.ts` when something of these kinds changes; `data-live-subject` says that only one of them matters.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UPDATE_CURSOR } from './operations.ts';
import type { Page } from './page.ts';
import type { PageContext } from './page-context.ts';
import { mountPage, type PageRequest, type PageRequestHandler } from './page-request.ts';
import { type FollowedPage, RENEWAL_HEADER } from './self-updating-data.ts';

/** The cursor of now, asked for before anything of the page is read; undefined where there is none. */
export async function updateCursor(
  site: PageContext,
  request: FastifyRequest,
  idToken: string,
): Promise<string | undefined> {
  if (request.headers[RENEWAL_HEADER] !== undefined) return undefined;
  return (await site.ask(request, UPDATE_CURSOR, {}, idToken)).data?.updateCursor;
}

/** The page, followed by its script from this cursor on. */
export function followed({ clock }: PageContext, page: Page, cursor: string | undefined): Page {
  if (cursor === undefined) return page;
  const data: FollowedPage = { ...page.data, updatesAfter: cursor, followedMs: clock.now() };
  return { ...page, scripts: [...(page.scripts ?? []), 'page-updates.js'], data };
}

/** The same request, whose page is followed from this cursor on. */
export const followedRequest = (pageRequest: PageRequest, cursor: string | undefined): PageRequest => ({
  ...pageRequest,
  show: (section, page) => pageRequest.show(section, followed(pageRequest.site, page, cursor)),
});

/** A page of who is signed in that keeps itself up to date. */
export function mountFollowedPage(
  fastify: FastifyInstance,
  site: PageContext,
  path: string,
  handler: PageRequestHandler,
): void {
  mountPage(fastify, site, path, async (pageRequest) => {
    const cursor = await updateCursor(site, pageRequest.request, pageRequest.session.idToken);
    return handler(followedRequest(pageRequest, cursor));
  });
}
