/** Speech: an avatar says a text, as sound or as a talking video, outside of any conversation. */
import type { FastifyInstance } from 'fastify';
import { PRICES } from '../../kernel/prices.ts';
import { type Html, html } from '../html.ts';
import { credits, csrfField } from '../layout.ts';
import { CREATE, DELETE_SPEECH, SPEAK, SPEECH, type SpeechData } from '../operations.ts';
import { mountForm, mountPage, type PageRequest, text } from '../page-request.ts';
import type { PagesSite } from '../site.ts';
import { avatarOptions, balanceLine, choose, inCredits, type Problem, refusal, tabs } from './create-parts.ts';
import { askFirst, flashNotice } from './parts.ts';

const PATH = '/studio/create/speech';

export function mountCreateSpeech(fastify: FastifyInstance, site: PagesSite): void {
  mountPage(fastify, site, PATH, (pageRequest) => show(pageRequest));
  mountForm(fastify, site, PATH, make);
  mountForm(fastify, site, `${PATH}/delete`, remove);
}

async function make(pageRequest: PageRequest) {
  const { fields } = pageRequest;
  const input = { text: text(fields, 'text'), textMode: text(fields, 'textMode'), output: text(fields, 'output') };
  const { data, code, message } = await pageRequest.ask(SPEAK, { avatarId: text(fields, 'avatarId'), input });
  if (!data) return show(pageRequest, { code, message: message.replace(/^text /, 'The text ') });
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
  const data = await pageRequest.need(CREATE, {});
  const made = text(fields, 'made');
  const spoken = made ? (await pageRequest.ask(SPEECH, { generationId: made })).data?.speakGeneration : undefined;
  const rates = html`${credits(inCredits(PRICES.audioPerSecond))} credits a second as sound, ${credits(inCredits(PRICES.talkingHeadPerSecond))} as video`;
  const speakers = avatarOptions(data, text(fields, 'avatarId'), true);
  return pageRequest.show('Create', {
    title: 'Create speech',
    styles: ['studio.css'],
    scripts: ['create.js'],
    status: problem ? 400 : 200,
    ...(spoken && isWorking(spoken) ? { head: html`<meta http-equiv="refresh" content="2">` } : {}),
    body: html`<main class="studio"><header class="studio-head"><h1>Create</h1>${tabs(site, 'Speech')}</header>
  ${refusal(pageRequest, problem, rates, data)}
  ${flashNotice(pageRequest.flash)}
  ${spoken && result(pageRequest, made, spoken)}
  ${
    speakers.length === 0
      ? html`<section class="card empty-state"><h2>No avatar with a voice yet</h2><p class="muted">Make one first; then it can say whatever you write.</p><a class="button primary" href="${site.sitePath}/studio/avatars/new">New avatar</a></section>`
      : html`<form class="panel card stack" method="post" action="${site.sitePath}${PATH}" data-busy="Sending …">${csrfField(session.csrf)}
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
    <div class="row"><button class="button primary">Create</button></div>
    <p class="small muted">It costs ${rates}.</p>${balanceLine(data)}</form>`
  }
</main>`,
  });
}

type Generation = SpeechData['speakGeneration'];
const isWorking = ({ status, videoUrl }: Generation): boolean =>
  status === 'pending' || (status === 'audio' && !videoUrl);

function result({ site, session }: PageRequest, generationId: string, spoken: Generation): Html {
  const { sitePath } = site;
  const { csrf } = session;
  const { status, audioUrl, videoUrl, shareSlug, errorMessage } = spoken;
  const media = videoUrl ?? audioUrl;
  if (status === 'error')
    return html`<p class="notice bad" role="alert">${errorMessage ?? 'It could not be made.'}</p>`;
  if (!media) return html`<p class="notice" role="status">It is being made …</p>`;
  return html`<section class="panel card" aria-labelledby="made"><h2 id="made">Here it is</h2>
    ${videoUrl ? html`<video class="made-video" src="${videoUrl}" controls playsinline aria-label="The avatar speaks"></video>` : html`<audio src="${audioUrl}" controls aria-label="The avatar speaks"></audio>`}
    <p class="row"><a class="button" href="${media}" download>Download</a>${shareSlug && html`<a class="button" href="${sitePath}/${shareSlug}">Share page</a>`}</p>
    ${askFirst({ label: 'Delete', question: 'It goes for good.', yes: 'Delete it', action: `${sitePath}${PATH}/delete`, csrf, fields: { generationId } })}</section>`;
}
