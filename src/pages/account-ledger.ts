/** The ledger of an account: its lines, of one kind where one is chosen, and all of them as a file for a spreadsheet. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { day } from './account-sections.ts';
import type { AccountView } from './account-view.ts';
import { credits } from './credit-amount.ts';
import { type Html, html } from './html.ts';
import { LEDGER, type LedgerEntryFields, type LedgerVariables } from './operations.ts';
import type { PageContext } from './page-context.ts';
import { pageSession } from './session.ts';

/** The kinds a user can choose from. */
export type LedgerKind = NonNullable<LedgerVariables['kind']>;

/** What a line is called, by the kind that the filter names. */
const KINDS: Readonly<Record<LedgerKind, string>> = {
  turn: 'Conversations',
  speech: 'Speech',
  image: 'Images',
  video: 'Videos',
  tribe: 'Tribes',
  gift: 'Gifts',
  grant: 'Credits received',
  hold: 'On hold',
};

/** What a line is called, by the label that the ledger has for it. */
const LABELS: Readonly<Record<string, string>> = {
  grant: 'Credits received',
  hold: 'On hold',
  turn: 'Conversation',
  speech: 'Speech',
  'svc-image': 'Image',
  'svc-video': 'Video',
  gift: 'Gift',
  tribe: 'Tribe',
};

/** Notes that the platform writes itself. */
const MEMOS: Readonly<Record<string, string>> = { welcome: 'Welcome', demo: 'Demo account' };

/** What the address of the page asks for. */
export function ledgerVariables(request: FastifyRequest): LedgerVariables {
  const { after, kind } = request.query as { after?: unknown; kind?: unknown };
  const known = (Object.keys(KINDS) as LedgerKind[]).find((one) => one === kind);
  return { ...(typeof after === 'string' && after !== '' ? { after } : {}), ...(known ? { kind: known } : {}) };
}

/** The account page's list of what was earned and spent. */
export function ledgerSection({ site, data }: AccountView, { after, kind }: LedgerVariables): Html {
  const { nodes: entries, pageInfo } = data.ledgerEntries;
  const older = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  const query = (more: Record<string, string>): string => {
    const text = String(new URLSearchParams({ ...(kind && { kind }), ...more }));
    return text && `?${text}`;
  };
  return html`<section class="panel card" aria-labelledby="ledger"><h2 id="ledger">Spending</h2>
  <form class="row" method="get" action="${site.sitePath}/account#ledger">
    <div class="field narrow"><label for="kind">Show</label><select class="input" id="kind" name="kind"><option value="">Everything</option>${Object.entries(
      KINDS,
    ).map(
      ([name, words]) => html`<option value="${name}"${name === kind && html` selected`}>${words}</option>`,
    )}</select></div>
    <button class="button">Show</button>
    <a class="button quiet" href="${site.sitePath}/account/ledger.csv${query({})}" download="ledger.csv">Save as CSV</a></form>
  ${entries.length === 0 && html`<p class="muted">Nothing${after ? ' older' : kind ? ' of this kind' : ' yet'}.</p>`}
  <ul class="lines ledger">${entries.map(line)}</ul>
  ${
    (after || older) &&
    html`<nav class="row" aria-label="Pages of the ledger">
    ${after && html`<a class="button" href="${site.sitePath}/account${query({})}#ledger">Newest</a>`}
    ${older && html`<a class="button" href="${site.sitePath}/account${query({ after: older })}#ledger">Older</a>`}
  </nav>`
  }</section>`;
}

function line({ kind, amount, memo, createdAt }: LedgerEntryFields): Html {
  const sign = amount > 0 ? '+' : '';
  return html`<li class="line"><div class="what"><strong>${LABELS[kind] ?? kind}</strong>
    <span class="muted small">${day(createdAt)}${memo && html` · ${MEMOS[memo] ?? memo}`}</span></div>
    <span class="amount${amount > 0 && ' plus'}">${sign}${credits(amount)}</span></li>`;
}

/** Pages of a hundred lines that one file has at most, the newest. */
const MAX_PAGES = 200;

/** Sends the ledger as CSV. */
export async function sendLedger(
  site: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = pageSession(request);
  void reply.removeHeader('access-control-allow-origin').header('cache-control', 'no-store');
  const { kind } = ledgerVariables(request);
  const lines = ['time,kind,credits,for,note,id'];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked: LedgerVariables = { ...(kind ? { kind } : {}), ...(after ? { after } : {}) };
    const { data } = await site.ask(request, LEDGER, asked, session?.idToken);
    if (!data) return reply.redirect(`${site.sitePath}/signin?next=${encodeURIComponent(`${site.sitePath}/account`)}`);
    const { nodes, pageInfo } = data.ledgerEntries;
    lines.push(...nodes.map(csvLine));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  return reply
    .headers({ 'content-type': 'text/csv; charset=utf-8', 'x-content-type-options': 'nosniff' })
    .send(`${lines.join('\r\n')}\r\n`);
}

const csvLine = ({ id, kind, amount, sourceRef, memo, createdAt }: LedgerEntryFields): string =>
  [new Date(createdAt).toISOString(), LABELS[kind] ?? kind, String(amount), cell(sourceRef), cell(memo ?? ''), id].join(
    ',',
  );

/** Others write notes: no text is a formula to a spreadsheet. */
const cell = (text: string): string => {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
