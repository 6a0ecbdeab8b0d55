/** All tokens that apps hold for somebody: people take back an app, however many tokens it has gathered. */
import type { FastifyRequest } from 'fastify';
import { GRANTS, type GrantFields } from './operations.ts';
import type { PagesSite } from './site.ts';

/** So many pages of a hundred are read at most; what lies behind them comes up once those are taken back. */
const MAX_PAGES = 50;

export async function allGrants(site: PagesSite, request: FastifyRequest, idToken: string): Promise<GrantFields[]> {
  const all: GrantFields[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const after = all.at(-1)?.tokenId;
    const { data } = await site.ask(request, GRANTS, after ? { after } : {}, idToken);
    if (!data || data.oauthGrants.length === 0) break;
    all.push(...data.oauthGrants);
  }
  return all;
}
