/** All tokens that apps hold for a user, who revokes an app at once, however many tokens it has. */
import type { FastifyRequest } from 'fastify';
import { GRANTS, type GrantFields, type GrantsVariables } from './operations.ts';
import type { PageContext } from './page-context.ts';

/** So many pages of a hundred are read at most; what lies behind them comes up once those are taken back. */
const MAX_PAGES = 50;

export async function allGrants(site: PageContext, request: FastifyRequest, idToken: string): Promise<GrantFields[]> {
  const all: GrantFields[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked: GrantsVariables = after ? { after } : {};
    const { data } = await site.ask(request, GRANTS, asked, idToken);
    if (!data) break;
    const { nodes, pageInfo } = data.oauthGrants;
    all.push(...nodes);
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  return all;
}
