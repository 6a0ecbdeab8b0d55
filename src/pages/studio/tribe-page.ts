/** The tribe of whoever is signed in, the tribes of others, and gifts. */
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../html.ts';
import { credits, csrfField } from '../layout.ts';
import { JOIN_TRIBE, OWN_TRIBE, PROPOSE_GIFT, TRIBE, type TribeData, UPDATE_TRIBE } from '../operations.ts';
import { mountForm, mountPage, type PageRequest, text } from '../page-request.ts';
import type { PagesSite } from '../site.ts';
import { askFirst, flashNotice } from './parts.ts';

const PATH = '/studio/tribe';
type Tribe = TribeData['tribe'];

export function mountTribe(fastify: FastifyInstance, site: PagesSite): void {
  mountPage(fastify, site, PATH, show);
  mountForm(fastify, site, PATH, async (pageRequest) => {
    const cost = text(pageRequest.fields, 'joinCost').trim();
    const variables = { tribeName: text(pageRequest.fields, 'tribeName').trim() || null, joinCost: Number(cost || 0) };
    const { data, message } = await pageRequest.ask(UPDATE_TRIBE, variables);
    return pageRequest.goTo(PATH, data ? { done: 'Saved.' } : { problem: inWords(message) });
  });
  mountForm(fastify, site, `${PATH}/join`, async (pageRequest) => {
    const user = text(pageRequest.fields, 'user');
    const { data, message } = await pageRequest.ask(JOIN_TRIBE, { user });
    const back = `${PATH}?user=${encodeURIComponent(user)}`;
    return pageRequest.goTo(back, data ? { done: 'You are a member now.' } : { problem: message });
  });
  mountForm(fastify, site, `${PATH}/gift`, async (pageRequest) => {
    const { fields } = pageRequest;
    const note = text(fields, 'note').trim();
    const { data, message } = await pageRequest.ask(PROPOSE_GIFT, {
      to: text(fields, 'to').trim(),
      amount: Number(text(fields, 'amount').replace(',', '.')),
      ...(note ? { note } : {}),
    });
    // Nothing has moved: the next page asks for the yes.
    return data
      ? pageRequest.goTo(`/gifts/${data.proposeGift.intentId}`)
      : pageRequest.goTo(PATH, { problem: inWords(message) });
  });
}

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
  const { site, session } = pageRequest;
  return pageRequest.show('Tribe', {
    title: 'Tribe',
    styles: ['studio.css'],
    body: html`<main class="studio"><h1>Tribe</h1>
  ${flashNotice(pageRequest.flash)}
  ${ownSection(pageRequest, own)}
  <section class="panel card" aria-labelledby="others"><h2 id="others">Join a tribe</h2>
    <form class="filters" method="get" action="${site.sitePath}${PATH}" role="search"><label class="visually-hidden" for="user">User id or streaming name</label>
      <input class="input" id="user" name="user" type="search" placeholder="User id or streaming name" value="${asked}"><button class="button">Find</button></form>
    ${other && (other.data ? otherTribe(pageRequest, other.data.tribe) : html`<p class="muted">Nobody is known by this name.</p>`)}
  </section>
  <section class="panel card" aria-labelledby="gift"><h2 id="gift">Give credits</h2>
    <p class="small muted">Transferable: ${credits(me.balance.transferable)}. The next page asks before anything moves.</p>
    <form class="stack" method="post" action="${site.sitePath}${PATH}/gift">${csrfField(session.csrf)}
      <div class="pair"><div class="field"><label for="to">To: user id or streaming name</label><input class="input" id="to" name="to" required autocomplete="off"></div>
      <div class="field"><label for="amount">Credits</label><input class="input" id="amount" name="amount" inputmode="decimal" required autocomplete="off"></div></div>
      <div class="field"><label for="note">Note, if you like</label><input class="input" id="note" name="note" maxlength="200" autocomplete="off"></div>
      <div class="row"><button class="button primary">Continue</button></div></form></section>
</main>`,
  });
}

function ownSection({ site, session }: PageRequest, { tribeName, joinCost, memberCount, user }: Tribe): Html {
  return html`<section class="panel card" aria-labelledby="own"><h2 id="own">Your tribe</h2>
    <p class="muted">${memberCount === 0 ? html`No members yet. Give people your id to join: <code>${user}</code>` : html`${memberCount} ${memberCount === 1 ? 'member' : 'members'}. Your id to join: <code>${user}</code>`}</p>
    <form class="row" method="post" action="${site.sitePath}${PATH}">${csrfField(session.csrf)}
      <div class="field"><label for="tribeName">Name</label><input class="input" id="tribeName" name="tribeName" maxlength="80" autocomplete="off" value="${tribeName}"></div>
      <div class="field"><label for="joinCost">Price to join, in credits</label><input class="input" id="joinCost" name="joinCost" inputmode="decimal" value="${joinCost}"></div>
      <button class="button primary">Save</button></form></section>`;
}

function otherTribe({ site, session }: PageRequest, tribe: Tribe): Html {
  const name = tribe.tribeName ?? 'A tribe without a name';
  const price = tribe.joinCost > 0 ? html`It costs ${credits(tribe.joinCost)} credits.` : html`It is free.`;
  return html`<div class="line"><div class="what"><strong>${name}</strong><span class="muted small">${tribe.memberCount} members</span></div>
    ${tribe.isOwner ? html`<span class="muted">Yours</span>` : tribe.isMember ? html`<span class="muted">You are a member</span>` : html`<div>${price} ${askFirst({ label: 'Join', question: 'You become a member at once.', yes: 'Join the tribe', action: `${site.sitePath}${PATH}/join`, csrf: session.csrf, fields: { user: tribe.user } })}</div>`}</div>`;
}
