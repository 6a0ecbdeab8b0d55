/** Videos: from words, from an image, with avatars in them; the price before the click, and all that were made. */
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../kernel/limits.ts';
import { PRICES } from '../../kernel/prices.ts';
import { credits } from '../credit-amount.ts';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import {
  CREATE,
  type CreateData,
  DELETE_VIDEO,
  GENERATE_VIDEO,
  type GenerateVideoInput,
  VIDEOS,
  type VideosData,
} from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, type PageRequest, text } from '../page-request.ts';
import { mountFollowedPage } from '../self-updating-page.ts';
import { thumbnail } from '../thumbnail.ts';
import { avatarOptions, balanceLine, choose, inCredits, type Problem, RATIOS, refusal, tabs } from './create-parts.ts';
import { flashNotice } from './parts.ts';

const PATH = '/studio/create/video';
const DEFAULT_SECONDS = '5';
const IMAGES = 'image/jpeg,image/png,image/webp';

export function mountCreateVideo(fastify: FastifyInstance, site: PageContext): void {
  mountFollowedPage(fastify, site, PATH, (pageRequest) => show(pageRequest));
  mountForm(fastify, site, PATH, make);
  mountForm(fastify, site, `${PATH}/delete`, remove);
}

async function make(pageRequest: PageRequest) {
  const made = await pageRequest.ask(GENERATE_VIDEO, { input: readForm(pageRequest.fields) });
  return made.data ? pageRequest.goTo(`/${made.data.generateVideo.slug}`) : show(pageRequest, made);
}

async function remove(pageRequest: PageRequest) {
  const { data, message } = await pageRequest.ask(DELETE_VIDEO, {
    generationId: text(pageRequest.fields, 'generationId'),
  });
  return pageRequest.goTo(PATH, data ? { done: 'The video is deleted.' } : { problem: message });
}

/** What is left empty is left to the service. */
function readForm(fields: Record<string, unknown>): GenerateVideoInput {
  const given = (name: string): string | undefined => text(fields, name).trim() || undefined;
  const speechText = given('speechText');
  const seed = given('seed');
  const avatarIds = [fields.avatarIds ?? []].flat().map(String);
  return {
    prompt: text(fields, 'prompt'),
    avatarId: given('avatarId'),
    ...(avatarIds.length > 0 ? { avatarIds } : {}),
    speechText,
    image: given('image'),
    lastFrameImage: given('lastFrameImage'),
    srcVideo: given('srcVideo'),
    audio: given('audio'),
    model: given('model'),
    ...(speechText ? {} : { duration: Number(text(fields, 'duration') || DEFAULT_SECONDS) }),
    aspectRatio: given('aspectRatio'),
    resolution: given('resolution'),
    fps: Number(text(fields, 'fps') || 24),
    draft: fields.draft !== undefined,
    saveAudio: fields.silent === undefined,
    promptUpsampling: fields.verbatim === undefined,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    visibility: fields.public === undefined ? 'private' : 'public',
  };
}

async function show(pageRequest: PageRequest, problem?: Problem) {
  const after = pageRequest.request.method === 'GET' ? text(pageRequest.fields, 'after') : '';
  const [data, { videos: page }] = await Promise.all([
    pageRequest.need(CREATE, {}),
    pageRequest.need(VIDEOS, after ? { after } : {}),
  ]);
  const { site, session, fields } = pageRequest;
  const { draft, standard, high } = PRICES.videoPerSecond;
  const rates = html`${credits(inCredits(draft))} to ${credits(inCredits(high))} credits a second`;
  const videos = page.nodes;
  const last = page.pageInfo.hasNextPage && page.pageInfo.endCursor;
  return pageRequest.show('Create', {
    title: 'Create a video',
    styles: ['studio.css'],
    scripts: ['create.js'],
    data: {
      rates: { draft: inCredits(draft), standard: inCredits(standard), high: inCredits(high) },
    },
    status: problem ? 400 : 200,
    body: html`<main class="studio wide"><header class="studio-head"><h1>Create</h1>${tabs(site, 'Video')}</header>
  ${flashNotice(pageRequest.flash)}
  ${refusal(pageRequest, problem, rates, data)}
  <form class="panel card stack" method="post" action="${site.sitePath}${PATH}" id="video" data-busy="Sending …">${csrfField(session.csrf)}
    <div class="field"><label for="prompt">What happens in it?</label><textarea class="input" id="prompt" name="prompt" rows="3" required maxlength="2000">${text(fields, 'prompt')}</textarea></div>
    <div class="pair"><div class="field"><label for="avatarId">Avatar in it</label><select class="input" id="avatarId" name="avatarId"><option value="">None</option>${avatarOptions(data, text(fields, 'avatarId'), false)}</select></div>
      <div class="field"><label for="duration">Seconds</label><input class="input" id="duration" name="duration" type="number" min="1" max="20" value="${text(fields, 'duration') || DEFAULT_SECONDS}"></div></div>
    <div class="field"><label for="speechText">What the avatar says, if anything; this sets the length</label><textarea class="input" id="speechText" name="speechText" rows="2" maxlength="300">${text(fields, 'speechText')}</textarea></div>
    ${more(pageRequest, data)}
    <div class="row"><button class="button primary">Create</button><span class="small" id="price" role="status"></span></div>
    <p class="small muted">It costs ${rates}, when it is ready. One that fails or is cancelled costs nothing.</p>${balanceLine(data)}
    <p class="notice bad" id="problem" role="alert" hidden></p>
  </form>
  <section class="stack" aria-labelledby="history"><h2 id="history">Your videos</h2>
  <div id="made" data-live="video">${videos.length === 0 ? html`<p class="muted">Nothing yet. Describe a scene above: “waves roll in below a lighthouse at dusk”.</p>` : html`<ul class="tiles" id="videos">${videos.map((one) => tile(site, one))}</ul>`}</div>
  ${last && html`<p><a class="button" href="${site.sitePath}${PATH}?after=${last}#history">Older</a></p>`}</section>
</main>`,
  });
}

function more(pageRequest: PageRequest, { avatars }: CreateData): Html {
  const { fields } = pageRequest;
  const chosen = new Set([fields.avatarIds ?? []].flat().map(String));
  const address = (name: string, words: string, accept: string): Html =>
    html`<div class="field"><label for="${name}">${words}</label><input class="input" id="${name}" name="${name}" type="url" autocomplete="off" placeholder="https://" value="${text(fields, name)}">
      <span class="upload-way" data-for="${name}" hidden><label class="button small-button" for="${name}-file">Choose a file<span class="visually-hidden"> for: ${words}</span></label><input class="visually-hidden" type="file" id="${name}-file" accept="${accept}"></span></div>`;
  const tick = (name: string, words: string): Html =>
    html`<label class="tick"><input type="checkbox" name="${name}" value="yes"${fields[name] !== undefined && html` checked`}> ${words}</label>`;
  return html`<details${chosen.size > 0 && html` open`}><summary class="small">More choices</summary><div class="stack">
    ${
      avatars.nodes.length > 1 &&
      html`<fieldset class="stack tight many"><legend class="small">More avatars in it, ${LIMITS.featuredAvatars} in all</legend>${avatars.nodes.map(
        ({ avatarId, displayName }) =>
          html`<label class="tick"><input type="checkbox" name="avatarIds" value="${avatarId}"${chosen.has(avatarId) && html` checked`}> <bdi>${displayName ?? 'Avatar'}</bdi></label>`,
      )}</fieldset>`
    }
    <div class="pair">${address('image', 'First image', IMAGES)}${address('lastFrameImage', 'Last image', IMAGES)}${address('srcVideo', 'Video to change', 'video/*')}${address('audio', 'Sound to use', 'audio/*')}</div>
    <div class="pair"><div class="field"><label for="aspectRatio">Shape</label>${choose(pageRequest, 'aspectRatio', [['', 'Automatic'], ...RATIOS])}</div>
      <div class="field"><label for="resolution">Size</label>${choose(pageRequest, 'resolution', [
        ['720p', '720p'],
        ['1080p', '1080p'],
      ])}</div>
      <div class="field"><label for="fps">Frames a second</label>${choose(pageRequest, 'fps', [
        ['24', '24'],
        ['48', '48'],
      ])}</div>
      <div class="field"><label for="model">Model</label>${choose(pageRequest, 'model', [
        ['', 'Picked for you'],
        ['cinematic', 'Cinematic'],
        ['motion', 'Motion: moves one image'],
        ['scene', 'Scene: from words alone'],
        ['ensemble', 'Ensemble: several avatars, or a video to change'],
      ])}</div></div>
    <p class="small muted">Picked for you means: ensemble where two images or avatars come together or a video is changed, else cinematic.</p>
    ${tick('draft', 'Draft: lower quality at a lower price')}${tick('silent', 'Without sound')}${tick('verbatim', 'Take my description word for word')}${tick('public', 'All who have the address may watch it')}
    <div class="field narrow"><label for="seed">Seed: the same number makes the same video again</label><input class="input" id="seed" name="seed" inputmode="numeric" value="${text(fields, 'seed')}"></div>
  </div></details>`;
}

const STATES: Readonly<Record<string, string>> = { queued: 'Waiting', rendering: 'Being made', error: 'Failed' };

function tile(
  { sitePath }: PageContext,
  {
    generationId,
    slug,
    prompt,
    stillUrl,
    status,
    progress,
    queuePosition,
    creditCost,
    visibility,
  }: VideosData['videos']['nodes'][number],
): Html {
  const place = queuePosition && queuePosition > 1 ? `, number ${queuePosition}` : '';
  const state = STATES[status] ? STATES[status] + place : visibility === 'public' ? 'Public' : 'Private';
  const isWorking = status === 'queued' || status === 'rendering';
  return html`<li id="${generationId}"${isWorking && html` data-working="${generationId}"`}><a class="tile card" href="${sitePath}/${slug}">${stillUrl ? html`<img class="tile-face" src="${thumbnail(stillUrl, 640)}" alt="" loading="lazy">` : html`<span class="tile-face" aria-hidden="true">…</span>`}
    <span class="tile-words"><strong>${prompt}</strong><span class="muted small">${state}, ${credits(creditCost)} credits</span>${isWorking && html`<progress max="1" value="${String(progress)}" data-video="${generationId}" aria-label="How far it is"></progress>`}</span></a></li>`;
}
