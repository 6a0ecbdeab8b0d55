/** What an avatar knows, as its page shows it: what it learnt of which web page, and what it remembers and where that is kept. */
import { day } from '../account-sections.ts';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { type AvatarView, action, held, type Memory, pageOf, section } from './avatar-view.ts';
import { askFirst } from './parts.ts';

const TRAINING_WORDS: Readonly<Record<string, string>> = {
  queued: 'It will read these pages in a moment.',
  running: 'It is reading.',
  trained: 'It has read these pages.',
  failed: 'It could not read them.',
  superseded: 'It will read these pages in a moment.',
};

/** The pages it was trained on, and what it learnt of them. */
export function knowledgeSection(view: AvatarView): Html {
  const { avatar, pageRequest } = view;
  return section(
    view,
    'knowledge',
    'Knowledge',
    html`<form class="stack" method="post" action="${action(view, 'knowledge', 'knowledge')}">${csrfField(pageRequest.session.csrf)}
    <div class="field"><label for="pages">Web pages to learn from, one per line, at most ten</label>
      <textarea class="input" id="pages" name="pages" rows="3" placeholder="https://" spellcheck="false">${held(view, 'knowledge', 'pages', avatar.knowledgeBaseUrls.join('\n'))}</textarea></div>
    <div class="row"><button class="button primary" name="train" value="yes">Save and read them</button></div></form>
    ${learntPart(view)}`,
  );
}

function learntPart(view: AvatarView): Html {
  const { training } = view;
  const pages = view.knowledgeSources.filter(({ source }) => source !== null);
  const { avatarId } = view.avatar;
  const isReading = training?.status === 'queued' || training?.status === 'running';
  return html`<div class="stack" id="learnt" data-live="training" data-live-subject="${avatarId}"${isReading && html` data-working="${avatarId}"`}>
    ${
      training &&
      html`<p class="notice${training.status === 'failed' && ' bad'}" role="status">${TRAINING_WORDS[training.status] ?? training.status} ${training.status === 'running' && html`${training.done} of ${training.total} pages.`} ${training.error}</p>
      ${training.failures.length > 0 && html`<ul class="small">${training.failures.map(({ url, reason }) => html`<li>${url}: ${reason}</li>`)}</ul>`}`
    }
    ${
      pages.length > 0 &&
      html`<h3>What it learnt</h3><ul class="lines">${pages.map((page) => sourceLine(view, page))}</ul>
      <form class="filters" method="get" action="${pageOf(view)}#learnt" role="search"><label class="visually-hidden" for="find">Search what it learnt</label>
        <input class="input" id="find" name="find" type="search" maxlength="200" placeholder="Search what it learnt" value="${view.learnt?.search}"><button class="button">Search</button></form>`
    }
    ${view.learnt && passages(view, view.learnt)}</div>`;
}

const counted = (count: number): string => (count === 1 ? '1 passage' : `${count} passages`);

function sourceLine(
  view: AvatarView,
  { source, passages: count, learnedAt }: AvatarView['knowledgeSources'][number],
): Html {
  const page = source ?? '';
  return html`<li class="line"><div class="what"><a class="clamped" href="${page}" rel="noreferrer noopener" target="_blank">${page.replace(/^https?:\/\//, '')}</a>
      <span class="muted small">${counted(count)}, read ${day(learnedAt)}</span></div>
    <div class="row"><a class="button" href="${pageOf(view)}?page=${encodeURIComponent(page)}#learnt">Show<span class="visually-hidden"> what it learnt from ${page}</span></a>
    ${askFirst({ label: 'Forget', question: 'It will not know this page any more, and not read it again.', yes: 'Forget the page', action: action(view, 'knowledge/forget', 'knowledge'), csrf: view.pageRequest.session.csrf, fields: { source: page } })}</div></li>`;
}

function passages(view: AvatarView, { nodes, pageInfo, source, search }: NonNullable<AvatarView['learnt']>): Html {
  const query = new URLSearchParams({
    ...(source ? { page: source } : {}),
    ...(search ? { find: search } : {}),
    learnt: pageInfo.endCursor ?? '',
  });
  return html`<ol class="passages">${nodes.map(
    ({ content, source: page }) =>
      html`<li><p dir="auto">${content}</p>${!source && html`<p class="muted small">${page}</p>`}</li>`,
  )}</ol>
    ${nodes.length === 0 && html`<p class="muted" role="status">Nothing that it learnt has these words in it.</p>`}
    <p class="row">${pageInfo.hasNextPage && html`<a class="button" href="${pageOf(view)}?${query.toString()}#learnt">More</a>`}<a class="button quiet" href="${pageOf(view)}#knowledge">Close</a></p>`;
}

const NAMESPACES: Readonly<Record<string, string>> = {
  public: 'Everyone',
  private: 'Only you',
  speaker: 'About one person',
  sandbox: 'Sandbox',
};

const MANAGED = 'managed';

/** The systems that can keep memories, and what each is. */
const SYSTEMS: Readonly<Record<string, { name: string; about: string }>> = {
  [MANAGED]: { name: 'This platform', about: 'This platform: nothing to set up' },
  mem0: { name: 'mem0', about: 'mem0: a server of yours, by its address; a key where it asks for one' },
  supermemory: { name: 'supermemory', about: 'supermemory: with a key of yours; its address where it is your own' },
};

/** What it remembers, and which system keeps that. */
export function memorySection(view: AvatarView): Html {
  const { pageRequest, avatar, memories, moreMemories, searched } = view;
  const page = pageOf(view);
  const isManaged = (avatar.brainSystem ?? MANAGED) === MANAGED;
  return section(
    view,
    'memory',
    'Memory',
    html`${systemPart(view)}
    ${!isManaged && !searched && html`<p class="muted">This memory system cannot be listed; search it instead.</p>`}
    <form class="filters" method="get" action="${page}#memory" role="search"><label class="visually-hidden" for="memorySearch">Search its memory</label>
      <input class="input" id="memorySearch" name="memory" type="search" placeholder="Search" value="${searched}"><button class="button">Search</button></form>
    ${searched && !memories && html`<p class="notice bad" role="alert">The memory system did not answer. Please try again.</p>`}
    ${memories?.length === 0 && html`<p class="muted">${searched ? 'Nothing matches.' : 'Nothing yet. It remembers what you say in a conversation, or here.'}</p>`}
    <ul class="lines">${memories?.map((memory) => memoryLine(view, memory, isManaged))}</ul>
    ${moreMemories && html`<p><a class="button" href="${page}?after=${encodeURIComponent(moreMemories)}#memory">Older</a></p>`}
    <form class="row" method="post" action="${action(view, 'remember', 'memory')}">${csrfField(pageRequest.session.csrf)}
      <div class="field"><label for="content">Something to remember</label><input class="input" id="content" name="content" required maxlength="2000" autocomplete="off" value="${held(view, 'remember', 'content')}"></div>
      <button class="button">Remember</button></form>`,
  );
}

function systemPart(view: AvatarView): Html {
  const { pageRequest, avatar } = view;
  const kept = avatar.brainSystem ?? MANAGED;
  const chosen = held(view, 'memory/system', 'system', kept);
  return html`<p class="small muted">Kept by: ${SYSTEMS[kept]?.name ?? kept}</p>
    <details${view.refusedForm === 'memory/system' && html` open`}><summary class="small">Keep it somewhere else</summary><form class="stack" method="post" action="${action(view, 'memory/system', 'memory')}">${csrfField(pageRequest.session.csrf)}
      <fieldset class="stack tight"><legend class="small">What it remembers is kept by</legend>${Object.entries(
        SYSTEMS,
      ).map(
        ([system, { about }]) =>
          html`<label class="tick"><input type="radio" name="system" value="${system}"${system === chosen && html` checked`}> ${about}</label>`,
      )}</fieldset>
      <div class="pair"><div class="field"><label for="baseUrl">Its address</label><input class="input" id="baseUrl" name="baseUrl" type="url" autocomplete="off" placeholder="https://" value="${held(view, 'memory/system', 'baseUrl')}"></div>
      <div class="field"><label for="apiKey">Key</label><input class="input" id="apiKey" name="apiKey" type="password" autocomplete="off"></div></div>
      <p class="small muted">What is kept now stays where it is, and is known again when you come back to it. The key is kept encrypted and never shown. What it learnt of web pages stays on this platform.</p>
      <div class="row"><button class="button">Save</button></div></form></details>`;
}

/** What another system keeps is changed there. */
function memoryLine(view: AvatarView, { id, content, namespace }: Memory, isManaged: boolean): Html {
  const { csrf } = view.pageRequest.session;
  return html`<li class="line"><div class="what"><span dir="auto">${content}</span><span class="muted small">${NAMESPACES[namespace] ?? namespace}</span>
    ${
      isManaged &&
      html`<details><summary class="small">Change</summary><form class="row" method="post" action="${action(view, 'memory/edit', 'memory')}">${csrfField(csrf)}<input type="hidden" name="id" value="${id}">
      <div class="field"><label class="visually-hidden" for="edit-${id}">What it remembers</label><textarea class="input" id="edit-${id}" name="content" rows="2" maxlength="2000">${content}</textarea></div><button class="button">Save</button></form></details>`
    }</div>
    ${isManaged && askFirst({ label: 'Forget', question: 'It will not know this any more.', yes: 'Forget it', action: action(view, 'memory/delete', 'memory'), csrf, fields: { id } })}</li>`;
}
