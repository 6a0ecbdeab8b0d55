/**
 * Keeps a page up to date: what the account's updates say has changed is shown as the server would show it now, and what has
 * finished is announced to screen readers. One connection a tab, resumed behind the last update after it was lost.
 */
import type { AvatarError } from '../../../clients/typescript/src/errors.ts';
import { type AccountUpdate, type AccountUpdateKind, events } from '../../../clients/typescript/src/graphql.ts';
import { subscribe } from '../../../clients/typescript/src/live.ts';
import type { FollowedPage } from '../self-updating-data.ts';
import { sessionClient } from './lib/client.ts';
import { pageData } from './lib/page.ts';
import { Announcer } from './studio/announcer.ts';
import { regionsFor, showProgress } from './studio/regions.ts';
import { Renewal } from './studio/renewal.ts';

const page = pageData<FollowedPage>();
const announcer = new Announcer(page.followedMs);
const renewal = new Renewal();
const kinds = [...new Set([...document.querySelectorAll<HTMLElement>('[data-live]')].flatMap(kindsOf))];

function kindsOf({ dataset }: HTMLElement): AccountUpdateKind[] {
  return (dataset.live ?? '').split(' ') as AccountUpdateKind[];
}

function take(update: AccountUpdate): void {
  announcer.hear(update);
  if (regionsFor(update) && !showProgress(update)) renewal.ask();
}

function follow(after: string | undefined): void {
  subscribe(
    sessionClient(),
    events,
    { kinds, after },
    {
      next: (data) => take(data.events),
      ended: (error?: AvatarError) => {
        if (error?.code !== 'EXPIRED') return;
        // Away for more than a day: everything is read anew, and followed from now.
        follow(undefined);
        renewal.ask();
      },
    },
  );
}

if (kinds.length > 0) follow(page.updatesAfter);
