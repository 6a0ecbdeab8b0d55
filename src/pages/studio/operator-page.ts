/** The instance, for its operators; to all other users there is no such page. */
import type { FastifyInstance } from 'fastify';
import { day } from '../account-sections.ts';
import { sizeOf } from '../account-settings.ts';
import { credits } from '../credit-amount.ts';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { GRANT, HEALTH, type HealthData, OPERATOR, type OperatorData, RETRY_JOBS } from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, mountPage, type PageRequest, text } from '../page-request.ts';
import { flashNotice } from './parts.ts';

const PATH = '/studio/operator';

/** The page and its forms. */
export function mountOperator(fastify: FastifyInstance, site: PageContext): void {
  mountPage(fastify, site, PATH, show);
  mountPage(fastify, site, `${PATH}/health`, showHealth);
  mountForm(fastify, site, `${PATH}/grant`, async (pageRequest) => {
    const { fields } = pageRequest;
    const userId = text(fields, 'userId');
    const amount = Number(text(fields, 'amount').replace(',', '.'));
    const { data, code, message } = await pageRequest.ask(GRANT, { userId, amount });
    if (code === 'FORBIDDEN') return show(pageRequest);
    const back = `${PATH}?search=${encodeURIComponent(userId)}#users`;
    const flash = data
      ? { at: 'users', done: `Granted. They have ${data.grantCredits.available} credits now.` }
      : { at: 'users', problem: message.replace(/^amount /, 'The amount ') };
    return pageRequest.goTo(back, flash);
  });
  mountForm(fastify, site, `${PATH}/retry`, async (pageRequest) => {
    const jobId = text(pageRequest.fields, 'jobId') || null;
    const { retryFailedJobs } = await pageRequest.need(RETRY_JOBS, { jobId });
    const flash =
      retryFailedJobs > 0
        ? { done: `${retryFailedJobs} will be tried again.` }
        : { problem: 'Nothing was left to try again.' };
    return pageRequest.goTo(`${PATH}#jobs`, { at: 'jobs', ...flash });
  });
}

async function show(pageRequest: PageRequest) {
  const { fields, site } = pageRequest;
  const search = text(fields, 'search').trim();
  const after = text(fields, 'after');
  const data = await pageRequest.need(OPERATOR, { search: search || null, ...(after ? { after } : {}) });
  const { bytes, accounts } = data.storageUsed;
  return pageRequest.show('Account', {
    title: 'Operator',
    styles: ['studio.css', 'account.css'],
    body: html`<main class="studio"><h1>Operator</h1>
  ${flashNotice(pageRequest.flash)}
  ${usersSection(pageRequest, data, search)}
  ${jobsSection(pageRequest, data)}
  <section class="panel card" aria-labelledby="storage"><h2 id="storage">Storage</h2>
    <dl class="figures"><div><dt>Media</dt><dd class="big">${sizeOf(bytes)}</dd></div><div><dt>Accounts with media</dt><dd>${accounts}</dd></div></dl></section>
  <section class="panel card" aria-labelledby="engines"><h2 id="engines">Engines</h2>
    <p class="small muted">Asks everything that is configured once: what answers, how fast, and what is missing. It takes up to a minute, and a provider may charge for it.</p>
    <p><a class="button" href="${site.sitePath}${PATH}/health">Check now</a></p></section>
</main>`,
  });
}

function usersSection({ site, session }: PageRequest, { operatorUsers }: OperatorData, search: string): Html {
  const { nodes, pageInfo } = operatorUsers;
  const page = `${site.sitePath}${PATH}`;
  const older = new URLSearchParams({ search, after: pageInfo.endCursor ?? '' });
  return html`<section class="panel card" aria-labelledby="users"><h2 id="users">Users</h2>
    <form class="filters" method="get" action="${page}#users" role="search"><label class="visually-hidden" for="search">Name, e-mail or id</label>
      <input class="input" id="search" name="search" type="search" placeholder="Name, e-mail or id" value="${search}"><button class="button">Search</button></form>
    ${nodes.length === 0 && html`<p class="muted">No user matches.</p>`}
    <ul class="lines">${nodes.map(
      ({ userId, displayName, email, emailVerified, createdAt, available, storageBytes }) => html`<li class="line">
      <div class="what"><strong><bdi>${displayName ?? email ?? userId}</bdi></strong>
        <span class="small muted">${displayName && email} ${!emailVerified && '(not confirmed) '}<code>${userId}</code></span>
        <span class="small muted">since ${day(createdAt)}, ${credits(available)} credits, ${sizeOf(storageBytes)}</span></div>
      <details class="ask"><summary class="button" aria-label="Grant credits to ${displayName ?? email ?? userId}">Grant</summary>
        <form class="row" method="post" action="${page}/grant">${csrfField(session.csrf)}<input type="hidden" name="userId" value="${userId}">
        <div class="field"><label for="amount-${userId}">Credits</label><input class="input" id="amount-${userId}" name="amount" inputmode="decimal" required autocomplete="off"></div>
        <button class="button primary">Grant</button></form></details></li>`,
    )}</ul>
    ${pageInfo.hasNextPage && html`<p><a class="button" href="${page}?${String(older)}#users">Older</a></p>`}</section>`;
}

function jobsSection(
  { site, session }: PageRequest,
  { jobQueues, failedJobs: { nodes: failedJobs } }: OperatorData,
): Html {
  const action = `${site.sitePath}${PATH}/retry`;
  return html`<section class="panel card" aria-labelledby="jobs"><h2 id="jobs">Jobs</h2>
    <div class="table-scroll" tabindex="0" role="region" aria-label="Jobs by kind"><table class="usage"><thead><tr><th scope="col">Kind</th><th scope="col">Waiting</th><th scope="col">Running</th><th scope="col">Failed</th></tr></thead>
    <tbody>${jobQueues.map(({ kind, waiting, running, failed }) => html`<tr><th scope="row">${kind}</th><td>${waiting}</td><td>${running}</td><td>${failed}</td></tr>`)}</tbody></table></div>
    ${failedJobs.length === 0 && html`<p class="muted">No job has failed.</p>`}
    <ul class="lines">${failedJobs.map(
      ({ jobId, kind, workId, userId, failedAt, attempts, errors, outages }) => html`<li class="line">
      <div class="what"><strong>${kind} of <code>${workId}</code></strong>
        <span class="small muted">${day(failedAt)}, ${attempts} attempts, ${errors} errors, ${outages} outages${userId && html`, for <code>${userId}</code>`}</span></div>
      <form method="post" action="${action}">${csrfField(session.csrf)}<input type="hidden" name="jobId" value="${jobId}"><button class="button" aria-label="Try ${kind} of ${workId} again">Try again</button></form></li>`,
    )}</ul>
    ${failedJobs.length > 1 && html`<form method="post" action="${action}">${csrfField(session.csrf)}<button class="button">Try all again</button></form>`}</section>`;
}

const ANSWERS: Readonly<Record<string, string>> = { yes: 'Answers', no: 'Does not answer', none: 'Not configured' };

async function showHealth(pageRequest: PageRequest) {
  const { engineHealth } = await pageRequest.need(HEALTH, {});
  const back = `${pageRequest.site.sitePath}${PATH}`;
  return pageRequest.show('Account', {
    title: 'Engines',
    styles: ['studio.css', 'account.css'],
    body: html`<main class="studio"><p class="small"><a href="${back}">Operator</a></p><h1>Engines</h1>
  <ul class="lines panel card">${engineHealth.map(check)}</ul>
  <p><a class="button" href="${back}/health">Check again</a></p></main>`,
  });
}

function check({ part, answer, ms, by, note }: HealthData['engineHealth'][number]): Html {
  return html`<li class="line"><div class="what"><strong>${part.replaceAll('_', ' ')}</strong>
    <span class="small${answer !== 'no' && ' muted'}">${ANSWERS[answer] ?? answer}${by && html`: ${by}`}${ms !== null && html`, ${ms} ms`}</span>
    ${note && html`<span class="small muted">${note}</span>`}</div></li>`;
}
