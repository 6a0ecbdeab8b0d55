/** What the account page shows: the account itself, and what the last form did. */
import type { AccountData, GrantFields } from './operations.ts';
import type { PageContext } from './page-context.ts';
import type { PageSession } from './session.ts';

/** What just happened, shown on the page. */
export interface ActionResult {
  /** Section it belongs to. */
  at?: string;
  problem?: string;
  done?: string;
  /** Address of what a voice sounds like. */
  sample?: string;
  /** What the form held. */
  given?: Record<string, string>;
  status?: number;
}

/** What the parts of the account page show. */
export interface AccountView {
  site: PageContext;
  session: PageSession;
  data: AccountData;
  grants: GrantFields[];
  happened: ActionResult;
}
