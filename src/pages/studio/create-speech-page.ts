/** Speech: an avatar says a text, as sound or as a talking video, outside of any conversation. */
import type { FastifyInstance } from 'fastify';
import { PRICES } from '../../kernel/prices.ts';
import { day } from '../account-sections.ts';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { CREATE, DELETE_SPEECH, SPEAK, SPEECH, SPEECHES, type SpeechData, type SpeechesData } from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, type PageRequest, text } from '../page-request.ts';
import { mountFollowedPage } from '../self-updating-page.ts';
import { avatarOptions, balanceLine, choose, inCredits, type Problem, refusal, tabs } from './create-parts.ts';
import { askFirst, flashNotice } from './parts.ts';

const PATH = '/studio/create/speech';

export function mountCreateSpeech(fastify: FastifyInstance, site: PageContext): void {
  mountFollowedPage(fastify, site, PATH, (pageRequest) => show(pageRequest));
  mountForm(fastify, site, PATH, make);
  mountForm(fastify, site, `${PATH}/delete`, remove);
}

async function make(pageRequest: PageRequest) {
  const { fields } = pageRequest;
  const input = {
    avatarId: text(fields, 'avatarId'),
    text: text(fields, 'text'),
    textMode: text(fields, 'textMode'),
    output: text(fields, 'output'),
  };
  const speech = await pageRequest.ask(SPEAK, { input });
  const { data, message } = speech;
  if (!data) return show(pageRequest, { ...speech, message: message.replace(/^text /, 'The text ') });
  return pageRequest.goTo(`${PATH}?made=${data.speak.generationId}`);
}

async function remove(pageRequest: PageRequest) {
  const { data, message } = await pageRequest.ask(DELETE_SPEECH, {
    generationId: text(pageRequest.fields, 'generationId'),
  });
  return pageRequest.goTo(PATH, data ? { done: 'The speech is deleted.' } : { problem: message });
}

async function show(pageRequest: PageRequest, problem?: Problem) {
  const { site, session, fields } = pageRequest;
  const after = pageRequest.request.method === 'GET' ? text(fields, 'after') : '';
  const [data, { speeches }] = await Promise.all([
    pageRequest.need(CREATE, {}),
    pageRequest.need(SPEECHES, after ? { after } : {}),
  ]);
  const made = text(fields, 'made');
  const speech = made ? (await pageRequest.ask(SPEECH, { generationId: made })).data?.speakGeneration : undefined;
  const rates = html`${inCredits(PRICES.audioPerSecond)} credits a second as sound, ${inCredits(PRICES.talkingHeadPerSecond)} as video`;
  const speakers = avatarOptions(data, text(fields, 'avatarId'), true);
  return pageRequest.show('Create', {
    title: 'Create speech',
    styles: ['studio.css'],
    scripts: ['create.js'],
    data: {
      speechRates: { audio: inCredits(PRICES.audioPerSecond), video: inCredits(PRICES.talkingHeadPerSecond) },
    },
    status: problem ? 400 : 200,
    ...(speech && isWorking(speech)
      ? { head: html`<noscript><meta http-equiv="refresh" content="2"></noscript>` }
      : {}),
    body: html`<main class="studio wide"><header class="studio-head"><h1>Create</h1>${tabs(site, 'Speech')}</header>
  ${refusal(pageRequest, problem, rates, data)}
  ${flashNotice(pageRequest.flash)}
  ${speech && html`<div id="result" data-live="speech" data-live-subject="${made}"${isWorking(speech) && html` data-working="${made}"`}>${result(pageRequest, made, speech)}</div>`}
  ${
    speakers.length === 0
      ? html`<section class="card empty-state"><h2>No avatar with a voice yet</h2><p class="muted">Make one first; then it can say whatever you write.</p><a class="button primary" href="${site.sitePath}/studio/avatars/new">New avatar</a></section>`
      : html`<form class="panel card stack" method="post" action="${site.sitePath}${PATH}" id="speech" data-busy="Sending …">${csrfField(session.csrf)}
    <div class="field"><label for="avatarId">Who speaks</label><select class="input" id="avatarId" name="avatarId">${speakers}</select></div>
    <div class="field"><label for="text">What it says</label><textarea class="input" id="text" name="text" rows="4" required maxlength="500">${text(fields, 'text')}</textarea></div>
    <div class="pair"><div class="field"><label for="textMode">Words</label>${choose(pageRequest, 'textMode', [
      ['literal', 'Exactly as written'],
      ['personality', 'In its own manner'],
    ])}</div>
    <div class="field"><label for="output">As</label>${choose(pageRequest, 'output', [
      ['video', 'Talking video'],
      ['audio', 'Sound'],
    ])}</div></div>
    <div class="row"><button class="button primary">Create</button><span class="small" id="price" role="status"></span></div>
    <p class="small muted">It costs ${rates} of what is spoken, once it is ready. The same words again cost nothing.</p>${balanceLine(data)}</form>`
  }
  ${gallery(pageRequest, speeches)}
</main>`,
  });
}

const STATES: Readonly<Record<string, string>> = { pending: 'Being made', error: 'Failed' };

/** All that was spoken before. */
function gallery({ site, session }: PageRequest, { nodes, pageInfo }: SpeechesData['speeches']): Html {
  const { sitePath } = site;
  const { csrf } = session;
  const one = ({ generationId, text: words, status, audioUrl, videoUrl, shareSlug, createdAt }: SpeechRow): Html => {
    const media = videoUrl ?? audioUrl;
    return html`<li class="line" id="${generationId}"${status === 'pending' && html` data-working="${generationId}"`}><div class="what"><strong class="clamped" dir="auto">${words}</strong>
      <span class="muted small">${videoUrl ? 'Talking video' : (STATES[status] ?? 'Sound')}, ${day(createdAt)}</span>
      <span class="row">${media && html`<a class="small" href="${media}" download>Download</a>`}${shareSlug && html`<a class="small" href="${sitePath}/${shareSlug}">Share page</a>`}<a class="small" href="${sitePath}${PATH}?made=${generationId}">Show</a></span></div>
      ${askFirst({ label: 'Delete', question: 'It goes for good.', yes: 'Delete it', action: `${sitePath}${PATH}/delete`, csrf, fields: { generationId } })}</li>`;
  };
  return html`<section class="stack" aria-labelledby="history"><h2 id="history">Your speech</h2>
    <div id="said" data-live="speech">${nodes.length === 0 ? html`<p class="muted">Nothing yet. Write above what an avatar should say.</p>` : html`<ul class="lines" id="speeches">${nodes.map(one)}</ul>`}</div>
    ${pageInfo.hasNextPage && html`<p><a class="button" href="${sitePath}${PATH}?after=${encodeURIComponent(pageInfo.endCursor ?? '')}#history">Older</a></p>`}</section>`;
}

type SpeechRow = SpeechesData['speeches']['nodes'][number];
type Generation = SpeechData['speakGeneration'];
const isWorking = ({ status, videoUrl }: Generation): boolean =>
  status === 'pending' || (status === 'audio' && !videoUrl);

function result({ site, session }: PageRequest, generationId: string, speech: Generation): Html {
  const { sitePath } = site;
  const { csrf } = session;
  const { status, audioUrl, videoUrl, shareSlug, errorMessage } = speech;
  const media = videoUrl ?? audioUrl;
  if (status === 'error')
    return html`<p class="notice bad" role="alert">${errorMessage ?? 'It could not be made.'}</p>`;
  if (!media) return html`<p class="notice" role="status">It is being made …</p>`;
  return html`<section class="panel card" aria-labelledby="made"><h2 id="made">Here it is</h2>
    ${videoUrl ? html`<video class="made-video" src="${videoUrl}" controls playsinline aria-label="The avatar speaks"></video>` : html`<audio src="${audioUrl}" controls aria-label="The avatar speaks"></audio>`}
    <p class="row"><a class="button" href="${media}" download>Download</a>${shareSlug && html`<a class="button" href="${sitePath}/${shareSlug}">Share page</a>`}</p>
    ${askFirst({ label: 'Delete', question: 'It goes for good.', yes: 'Delete it', action: `${sitePath}${PATH}/delete`, csrf, fields: { generationId } })}</section>`;
}
