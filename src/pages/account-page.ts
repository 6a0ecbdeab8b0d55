/**
 * The account page: credits and what they paid for, connected apps and custom voices. Plain
 * forms; each shows again what it was given when something is wrong.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { allGrants } from './account-grants.ts';
import { ledgerSection, ledgerVariables } from './account-ledger.ts';
import { appsSection, creditsSection, voicesSection } from './account-sections.ts';
import { activitySection } from './account-security.ts';
import { settingsSection } from './account-settings.ts';
import { usageSection } from './account-usage.ts';
import type { AccountView, ActionResult } from './account-view.ts';
import { takeFlash } from './flash.ts';
import { html } from './html.ts';
import { ACCOUNT } from './operations.ts';
import { type Page, sendPage } from './page.ts';
import type { PageContext } from './page-context.ts';
import { followed, updateCursor } from './self-updating-page.ts';
import { pageSession } from './session.ts';
import { topBar } from './top-bar.ts';

/** The page for a signed-in user; others go to sign in first. */
export async function showAccount(
  site: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  result?: ActionResult,
): Promise<FastifyReply> {
  const session = pageSession(request);
  const variables = ledgerVariables(request);
  const cursor = session && (await updateCursor(site, request, session.idToken));
  const asked = session && (await site.ask(request, ACCOUNT, variables, session.idToken));
  if (!session || asked?.code === 'UNAUTHENTICATED') return toSignIn(site, reply);
  if (!asked?.data) return reply.redirect(`${site.sitePath}/`, 303);
  // What ended the session is said on the page of signing in.
  const happened: ActionResult = result ?? takeFlash(request, reply, site.siteUrl);
  const grants = await allGrants(site, request, session.idToken);
  const view: AccountView = { site, session, data: asked.data, grants, happened };
  const { me } = asked.data;
  const page: Page = {
    title: 'Your account',
    status: happened.status ?? 200,
    styles: ['account.css'],
    scripts: ['account.js'],
    body: html`${topBar(site, session, '', 'Account')}
<main class="account">
  <header class="stack tight"><h1>${me.displayName ?? 'Your account'}</h1>
    ${me.isOperator && html`<p><a href="${site.sitePath}/studio/operator">Operator</a></p>`}
    ${me.streamUsername && html`<p class="muted">On the streaming platform: ${me.streamUsername}</p>`}</header>
  ${!me.emailVerified && html`<p class="notice">Your e-mail address is not confirmed yet: your welcome credits wait for it. <a href="${site.sitePath}/verify-email">Confirm it</a></p>`}
  ${creditsSection(view)}
  ${usageSection(view)}
  ${ledgerSection(view, variables)}
  ${appsSection(view)}
  ${voicesSection(view)}
  ${settingsSection(view)}
  ${activitySection(view)}
</main>`,
  };
  return sendPage(site, reply, followed(site, page, cursor));
}

/** Sends a visitor to the sign-in page, which leads back. */
export function toSignIn(site: PageContext, reply: FastifyReply): FastifyReply {
  return reply.redirect(`${site.sitePath}/signin?next=${encodeURIComponent(`${site.sitePath}/account`)}`, 303);
}
