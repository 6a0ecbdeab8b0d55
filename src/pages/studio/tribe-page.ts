/** The tribe of the signed-in user, the tribes of others, and gifts. */
import type { FastifyInstance } from 'fastify';
import { day } from '../account-sections.ts';
import { credits } from '../credit-amount.ts';
import { csrfField } from '../csrf-field.ts';
import type { Flash } from '../flash.ts';
import { type Html, html } from '../html.ts';
import { getCredits, inAmounts, type Refused, shortageOf } from '../missing-credits.ts';
import {
  JOIN_TRIBE,
  OWN_TRIBE,
  PROPOSE_GIFT,
  TRIBE,
  TRIBE_LISTS,
  type TribeData,
  type TribeListsData,
  UPDATE_TRIBE,
} from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, type PageRequest, text } from '../page-request.ts';
import { mountFollowedPage } from '../self-updating-page.ts';
import { askFirst, flashNotice } from './parts.ts';

const PATH = '/studio/tribe';
type Tribe = TribeData['tribe'];

export function mountTribe(fastify: FastifyInstance, site: PageContext): void {
  mountFollowedPage(fastify, site, PATH, show);
  mountForm(fastify, site, PATH, async (pageRequest) => {
    const cost = text(pageRequest.fields, 'joinCost').trim();
    const variables = { tribeName: text(pageRequest.fields, 'tribeName').trim() || null, joinCost: Number(cost || 0) };
    const { data, message } = await pageRequest.ask(UPDATE_TRIBE, variables);
    return pageRequest.goTo(PATH, data ? { done: 'Saved.' } : { problem: inWords(message) });
  });
  mountForm(fastify, site, `${PATH}/join`, async (pageRequest) => {
    const user = text(pageRequest.fields, 'user');
    const joined = await pageRequest.ask(JOIN_TRIBE, { user });
    const back = `${PATH}?user=${encodeURIComponent(user)}`;
    return pageRequest.goTo(back, joined.data ? { done: 'You are a member now.' } : refusal(joined, 'joining costs'));
  });
  mountForm(fastify, site, `${PATH}/gift`, async (pageRequest) => {
    const { fields } = pageRequest;
    const note = text(fields, 'note').trim();
    const proposed = await pageRequest.ask(PROPOSE_GIFT, {
      to: text(fields, 'to').trim(),
      amount: Number(text(fields, 'amount').replace(',', '.')),
      ...(note ? { note } : {}),
    });
    // Nothing has moved: the next page asks for the yes.
    if (proposed.data) return pageRequest.goTo(`/gifts/${proposed.data.proposeGift.intentId}`);
    const flash = refusal({ ...proposed, message: inWords(proposed.message) }, 'the gift takes');
    return show({ ...pageRequest, flash: { at: 'gift', ...flash } });
  });
}

/** Why not; where credits are missing also how many, and the way on. */
const refusal = (refused: Refused, costs: string): Flash => ({
  problem: inAmounts(refused, costs),
  ...(shortageOf(refused) ? { needsCredits: true } : {}),
});

/** The services name a field as the API does. */
const inWords = (message: string): string =>
  message
    .replace(/^tribeName /, 'The name ')
    .replace(/^joinCost /, 'The price ')
    .replace(/^amount /, 'The amount ')
    .replace(/^to /, 'The receiver ')
    .replace(/^note /, 'The note ');

async function show(pageRequest: PageRequest) {
  const { me } = await pageRequest.need(OWN_TRIBE, {});
  const { tribe: own } = await pageRequest.need(TRIBE, { user: me.userId });
  const asked = text(pageRequest.fields, 'user').trim();
  const other = asked ? await pageRequest.ask(TRIBE, { user: asked }) : undefined;
  const { site, session, fields, flash } = pageRequest;
  // A refused form of a gift is shown with what was written in it.
  const gift = flash.at === 'gift' ? fields : {};
  const notice = (section?: string): Html | false =>
    flash.at === section &&
    html`${flashNotice(flash)}${flash.needsCredits && html`<p>${getCredits(site.sitePath)}</p>`}`;
  const lists = await pageRequest.need(TRIBE_LISTS, { user: me.userId, ...pagesAsked(fields) });
  return pageRequest.show('Tribe', {
    title: 'Tribe',
    styles: ['studio.css'],
    scripts: ['copying.js'],
    status: flash.at === 'gift' ? 400 : 200,
    body: html`<main class="studio"><h1>Tribe</h1>
  ${notice()}
  ${ownSection(pageRequest, own, lists)}
  <section class="panel card" aria-labelledby="others"><h2 id="others">Join a tribe</h2>
    <form class="filters" method="get" action="${site.sitePath}${PATH}" role="search"><label class="visually-hidden" for="user">User id or streaming name</label>
      <input class="input" id="user" name="user" type="search" placeholder="User id or streaming name" value="${asked}"><button class="button">Find</button></form>
    ${other && (other.data ? otherTribe(pageRequest, other.data.tribe) : html`<p class="muted">No user is known by this name.</p>`)}
    ${joinedList(pageRequest, lists)}
  </section>
  <section class="panel card" aria-labelledby="gift"><h2 id="gift">Give credits</h2>
    ${notice('gift')}
    <p class="small muted" id="transferable" data-live="balance">Transferable: ${credits(me.balance.transferable)}. The next page asks before anything moves.</p>
    <form class="stack" method="post" action="${site.sitePath}${PATH}/gift#gift">${csrfField(session.csrf)}
      <div class="pair"><div class="field"><label for="to">To: user id or streaming name</label><input class="input" id="to" name="to" required autocomplete="off" value="${text(gift, 'to')}"></div>
      <div class="field"><label for="amount">Credits</label><input class="input" id="amount" name="amount" inputmode="decimal" required autocomplete="off" value="${text(gift, 'amount')}"></div></div>
      <div class="field"><label for="note">Note, if you like</label><input class="input" id="note" name="note" maxlength="200" autocomplete="off" value="${text(gift, 'note')}"></div>
      <div class="row"><button class="button primary">Continue</button></div></form></section>
  ${giftsSection(pageRequest, lists)}
</main>`,
  });
}

/** Lists whose next page an address may ask for. */
const PAGES = ['members', 'joined', 'given', 'received'] as const;

function pagesAsked(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    PAGES.flatMap((name) => (text(fields, name) ? [[`${name}After`, text(fields, name)]] : [])),
  );
}

interface Lines {
  name: (typeof PAGES)[number];
  title: string;
  /** Where there are none. */
  none: string;
  lines: Html[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

function listed({ site, fields }: PageRequest, { name, title, none, lines, pageInfo }: Lines): Html {
  const address = `${site.sitePath}${PATH}`;
  return html`<h3 id="${name}">${title}</h3>${lines.length === 0 ? html`<p class="muted">${none}</p>` : html`<ul class="lines">${lines}</ul>`}
    ${(text(fields, name) || pageInfo.hasNextPage) && html`<p class="row">${text(fields, name) && html`<a class="button" href="${address}#${name}">First</a>`}${pageInfo.hasNextPage && html`<a class="button" href="${address}?${name}=${encodeURIComponent(pageInfo.endCursor ?? '')}#${name}">More</a>`}</p>`}`;
}

const line = (name: string, about: Html, amount: Html): Html =>
  html`<li class="line"><div class="what"><strong><bdi>${name}</bdi></strong><span class="muted small">${about}</span></div><span class="amount">${amount}</span></li>`;

const paid = (charged: number): Html => (charged > 0 ? html`${credits(charged)}` : html`free`);

function joinedList(pageRequest: PageRequest, { tribesJoined: { nodes, pageInfo } }: TribeListsData): Html {
  return listed(pageRequest, {
    name: 'joined',
    title: 'Tribes you joined',
    none: 'None yet. Find a creator above by their id, or open a link of theirs.',
    lines: nodes.map(({ tribeOwner, tribeName, ownerDisplayName, joinedAt, charged }) =>
      line(
        tribeName ?? ownerDisplayName ?? tribeOwner,
        html`${tribeName && ownerDisplayName && html`of <bdi>${ownerDisplayName}</bdi>, `}since ${day(joinedAt)}`,
        paid(charged),
      ),
    ),
    pageInfo,
  });
}

function giftsSection(pageRequest: PageRequest, { giftsGiven, giftsReceived }: TribeListsData): Html {
  const about = (createdAt: number, note: string | null): Html =>
    html`${day(createdAt)}${note && html` · <bdi>${note}</bdi>`}`;
  return html`<section class="panel card" aria-labelledby="gifts" id="gift-lists" data-live="gift"><h2 id="gifts">Gifts</h2>
    ${listed(pageRequest, {
      name: 'received',
      title: 'Received',
      none: 'None yet. To give you credits, others need your id, shown above.',
      lines: giftsReceived.nodes.map(({ from, fromDisplayName, amount, createdAt, note }) =>
        line(fromDisplayName ?? from, about(createdAt, note), html`+${credits(amount)}`),
      ),
      pageInfo: giftsReceived.pageInfo,
    })}
    ${listed(pageRequest, {
      name: 'given',
      title: 'Given',
      none: 'None yet. Give some above.',
      lines: giftsGiven.nodes.map(({ to, toDisplayName, amount, createdAt, note }) =>
        line(toDisplayName ?? to, about(createdAt, note), credits(amount)),
      ),
      pageInfo: giftsGiven.pageInfo,
    })}</section>`;
}

const counted = (members: number): string => (members === 1 ? '1 member' : `${members} members`);

function ownSection(
  pageRequest: PageRequest,
  { tribeName, joinCost, memberCount, user }: Tribe,
  { tribeMembers: { nodes, pageInfo } }: TribeListsData,
): Html {
  const { site, session } = pageRequest;
  const members = nodes.map(({ member, displayName, joinedAt, charged }) =>
    line(displayName ?? member, html`since ${day(joinedAt)}`, paid(charged)),
  );
  return html`<section class="panel card" aria-labelledby="own"><h2 id="own">Your tribe</h2>
    <p class="muted">${memberCount === 0 ? 'No members yet.' : `${counted(memberCount)}.`} Anyone who opens this link can join. Your id is <code>${user}</code>.</p>
    <p class="row copied"><input class="input" readonly aria-label="Link to join your tribe" value="${site.siteUrl}${PATH}?user=${user}#others"><button class="button" type="button" data-copy hidden>Copy</button></p>
    <form class="row" method="post" action="${site.sitePath}${PATH}">${csrfField(session.csrf)}
      <div class="field"><label for="tribeName">Name</label><input class="input" id="tribeName" name="tribeName" maxlength="80" autocomplete="off" value="${tribeName}"></div>
      <div class="field"><label for="joinCost">Price to join, in credits</label><input class="input" id="joinCost" name="joinCost" inputmode="decimal" value="${joinCost}"></div>
      <button class="button primary">Save</button></form>
    ${memberCount > 0 && listed(pageRequest, { name: 'members', title: 'Members', none: 'None here.', lines: members, pageInfo })}</section>`;
}

function otherTribe({ site, session }: PageRequest, tribe: Tribe): Html {
  const name = tribe.tribeName ?? 'A tribe without a name';
  const price = tribe.joinCost > 0 ? html`It costs ${credits(tribe.joinCost)} credits.` : html`It is free.`;
  return html`<div class="line"><div class="what"><strong>${name}</strong><span class="muted small">${counted(tribe.memberCount)}</span></div>
    ${tribe.isOwner ? html`<span class="muted">Yours</span>` : tribe.isMember ? html`<span class="muted">You are a member</span>` : html`<div>${price} ${askFirst({ label: 'Join', question: 'You become a member at once.', yes: 'Join the tribe', action: `${site.sitePath}${PATH}/join`, csrf: session.csrf, fields: { user: tribe.user } })}</div>`}</div>`;
}
