/** The bar on top of the pages that are not a stage. */
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';
import type { PageSession } from './session.ts';

/** Links to all sections, in the order of how often they are used. */
const SECTIONS = {
  Talk: '/',
  Avatars: '/studio/avatars',
  Create: '/studio/create',
  Tribe: '/studio/tribe',
  Developers: '/studio/developers',
  Account: '/account',
} as const;
/** A part of the site, as the navigation names it. */
export type Section = keyof typeof SECTIONS;

/** The bar on top; for who is signed in with the navigation, in which `here` is marked. */
export function topBar({ sitePath }: PageContext, session: PageSession | undefined, next = '', here?: Section): Html {
  const signIn = `${sitePath}/signin${next && `?next=${encodeURIComponent(next)}`}`;
  return html`<header class="top">
  <a class="brand" href="${sitePath}/">Avatars</a>
  ${
    session
      ? html`<nav class="sections" aria-label="Site">${Object.entries(SECTIONS).map(
          ([name, path]) =>
            html`<a href="${sitePath}${path}"${name === here && html` aria-current="page"`}>${name}</a>`,
        )}</nav>
  <form method="post" action="${sitePath}/signout">${csrfField(session.csrf)}<button class="button quiet">Sign out</button></form>`
      : html`<nav aria-label="Site"><a class="button quiet wide-only" href="${sitePath}/docs">API</a><a class="button quiet" href="${signIn}">Sign in</a></nav>`
  }
</header>`;
}
