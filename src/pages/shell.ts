/** The bar on top of the pages that are not a stage, and the few pieces they share. */
import { type Html, html } from './html.ts';
import type { PageSession } from './session.ts';
import type { PagesSite } from './site.ts';

export function topBar({ sitePath }: PagesSite, session: PageSession | undefined, next = ''): Html {
  const signIn = `${sitePath}/signin${next && `?next=${encodeURIComponent(next)}`}`;
  return html`<header class="top">
  <a class="brand" href="${sitePath}/">Avatars</a>
  <nav aria-label="Site">
    <a class="button quiet wide-only" href="${sitePath}/docs">API</a>
    ${
      session
        ? html`<a class="button quiet" href="${sitePath}/account">Account</a><form method="post" action="${sitePath}/signout">${csrfField(session.csrf)}<button class="button quiet">Sign out</button></form>`
        : html`<a class="button quiet" href="${signIn}">Sign in</a>`
    }
  </nav>
</header>`;
}

export function csrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

/** Two decimals, or two digits that count where the amount is small; never more than there is. */
const CREDITS = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
  roundingMode: 'trunc',
  trailingZeroDisplay: 'stripIfInteger',
});
/** An amount to read; the exact one is in its title. */
export const credits = (amount: number): Html =>
  html`<data value="${amount}" title="${amount}">${CREDITS.format(amount).replace('-', '−')}</data>`;
