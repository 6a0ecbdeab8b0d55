/** Images: drawn from words, or an image changed by words; and all that were made before. */
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../kernel/limits.ts';
import { PRICES } from '../../kernel/prices.ts';
import { credits } from '../credit-amount.ts';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { CREATE, DELETE_IMAGE, EDIT_IMAGE, GENERATE_IMAGE, IMAGES, type ImagesData } from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, type PageRequest, text } from '../page-request.ts';
import { mountFollowedPage } from '../self-updating-page.ts';
import { thumbnail } from '../thumbnail.ts';
import { balanceLine, choose, inCredits, type Problem, RATIOS, refusal, tabs } from './create-parts.ts';
import { askFirst, flashNotice } from './parts.ts';

const PATH = '/studio/create';

export function mountCreateImage(fastify: FastifyInstance, site: PageContext): void {
  mountFollowedPage(fastify, site, PATH, (pageRequest) => show(pageRequest));
  mountForm(fastify, site, `${PATH}/image`, make);
  mountForm(fastify, site, `${PATH}/image/delete`, remove);
}

async function make(pageRequest: PageRequest) {
  const { fields } = pageRequest;
  const [prompt, ratio] = [text(fields, 'prompt').trim(), text(fields, 'ratio')];
  const images = text(fields, 'image').split(/\s+/).filter(Boolean);
  const aspectRatio = ratio ? { aspectRatio: ratio } : {};
  const made =
    images.length > 0
      ? await pageRequest.ask(EDIT_IMAGE, { input: { prompt, images, ...aspectRatio } })
      : await pageRequest.ask(GENERATE_IMAGE, { input: { prompt, ...aspectRatio } });
  return made.data
    ? pageRequest.goTo(PATH, { done: 'Here it is.' })
    : show(pageRequest, { ...made, message: inWords(made.message) });
}

async function remove(pageRequest: PageRequest) {
  const { data, message } = await pageRequest.ask(DELETE_IMAGE, { imageId: text(pageRequest.fields, 'imageId') });
  return pageRequest.goTo(PATH, data ? { done: 'The image is deleted.' } : { problem: message });
}

/** The services name a field as the API does. */
const inWords = (message: string): string =>
  message
    .replace(/^prompt /, 'The description ')
    .replace(/^images must have/, 'Images to change: there must be')
    .replace(/^images\[(\d)\] /, (_, at) => `Image ${Number(at) + 1} `)
    .replace(/^images /, 'An image ');

async function show(pageRequest: PageRequest, problem?: Problem) {
  const after = pageRequest.request.method === 'GET' ? text(pageRequest.fields, 'after') : '';
  const [data, { images: page }] = await Promise.all([
    pageRequest.need(CREATE, {}),
    pageRequest.need(IMAGES, after ? { after } : {}),
  ]);
  const { site, session, fields } = pageRequest;
  const images = page.nodes;
  const last = page.pageInfo.hasNextPage && page.pageInfo.endCursor;
  return pageRequest.show('Create', {
    title: 'Create an image',
    styles: ['studio.css'],
    scripts: ['create.js'],
    data: { prices: { create: priceOf(false), edit: priceOf(true) }, mediaOrigin: site.mediaOrigin },
    status: problem ? 400 : 200,
    body: html`<main class="studio wide"><header class="studio-head"><h1>Create</h1>${tabs(site, 'Image')}</header>
  ${flashNotice(pageRequest.flash)}
  ${refusal(pageRequest, problem, credits(priceOf(text(fields, 'image').trim() !== '')), data)}
  <form class="panel card stack" method="post" action="${site.sitePath}${PATH}/image" data-busy="Drawing …">${csrfField(session.csrf)}
    <div class="field"><label for="prompt">What should it show?</label><textarea class="input" id="prompt" name="prompt" rows="3" required maxlength="2000">${text(fields, 'prompt')}</textarea></div>
    <div class="pair"><div class="field"><label for="image">Images to change or combine, if any: one per line, at most ${LIMITS.imageReferences}</label>
        <textarea class="input" id="image" name="image" rows="2" autocomplete="off" spellcheck="false" placeholder="https://">${text(fields, 'image')}</textarea>
        <ul class="references" id="references" aria-label="Images to change or combine" hidden></ul></div>
      <div class="field"><label for="ratio">Shape</label>${choose(pageRequest, 'ratio', [['', 'Automatic'], ...RATIOS])}</div></div>
    <div class="row"><button class="button primary" id="make-image"><span>Create for ${credits(inCredits(PRICES.imageGenerate.default))} credits</span></button>
      <span class="upload-way" data-for="image" hidden><label class="button" for="image-file">Choose photos</label><input class="visually-hidden" type="file" id="image-file" multiple accept="image/jpeg,image/png,image/webp"></span></div>
    <p class="notice bad" id="problem" role="alert" hidden></p>
    <p class="small muted">Changing or combining images costs ${credits(inCredits(PRICES.imageEdit.default))}; lettering costs ${credits(inCredits(PRICES.imageGenerate.typo_gen))}, or ${credits(inCredits(PRICES.imageEdit.typo_edit))} in images of yours.</p>${balanceLine(data)}
  </form>
  <section class="stack" aria-labelledby="history"><h2 id="history">Your images</h2>
  <div id="made" data-live="image">${images.length === 0 ? html`<p class="muted">Nothing yet. Describe an image above: “a lighthouse at dusk”, “a portrait of a baker with a red scarf”.</p>` : html`<ul class="tiles" id="images">${images.map((one) => tile(pageRequest, one))}</ul>`}</div>
  ${last && html`<p><a class="button" href="${site.sitePath}${PATH}?after=${last}#history">Older</a></p>`}</section>
</main>`,
  });
}

const priceOf = (isEdit: boolean): number =>
  inCredits(isEdit ? PRICES.imageEdit.default : PRICES.imageGenerate.default);

function tile(
  { site, session }: PageRequest,
  { imageId, imageUrl, prompt, creditCost }: ImagesData['images']['nodes'][number],
): Html {
  const { sitePath } = site;
  const { csrf } = session;
  return html`<li class="card made" id="${imageId}"><a href="${imageUrl}"><img class="tile-face" src="${thumbnail(imageUrl, 640)}" alt="${prompt.slice(0, 120)}" loading="lazy"></a>
    <span class="tile-words"><span class="small" title="${prompt}">${prompt}</span><span class="muted small">${credits(creditCost)} credits</span>
    <span class="row"><a class="small" href="${imageUrl}" download>Download</a><a class="small" href="${sitePath}${PATH}?image=${encodeURIComponent(imageUrl)}">Change</a></span>
    ${askFirst({ label: 'Delete', question: 'It goes for good.', yes: 'Delete it', action: `${sitePath}${PATH}/image/delete`, csrf, fields: { imageId } })}</span></li>`;
}
