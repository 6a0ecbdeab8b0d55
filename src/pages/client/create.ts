/** Pages of making: what a video will cost as it is described, photographs by file, and a button that is clicked once. */
import { byId, pageData, within } from './lib/page.ts';
import { sendImage } from './studio/upload.ts';

interface CreatePage {
  root?: string;
  rates?: { draft: number; standard: number; high: number };
  prices?: { create: number; edit: number };
}
const { root = '', rates, prices } = pageData<CreatePage>();

/** Spoken characters a second, about. */
const CHARS_PER_SECOND = 15;

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-busy]')) {
  form.addEventListener('submit', () => {
    const button = within<HTMLButtonElement>(form, '.primary');
    const words = button.textContent;
    button.textContent = form.dataset.busy ?? '';
    // Disabled behind the sending; whoever comes back finds it as it was.
    setTimeout(() => {
      button.disabled = true;
    });
    window.addEventListener('pageshow', () => {
      button.disabled = false;
      button.textContent = words;
    });
  });
}

for (const way of document.querySelectorAll<HTMLElement>('.upload-way')) {
  const form = way.closest('form');
  if (!form) throw new Error('The page lacks the form of an upload.');
  way.hidden = false;
  within(way, 'input').addEventListener('change', async ({ target }) => {
    const [file] = (target as HTMLInputElement).files ?? [];
    const problem = byId('problem');
    problem.hidden = true;
    if (!file) return;
    try {
      const csrf = within<HTMLInputElement>(form, '[name=csrf]').value;
      const field = byId<HTMLInputElement>(way.dataset.for ?? '');
      field.value = (await sendImage(root, csrf, file)).url;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    } catch (error) {
      problem.textContent = (error as Error).message;
      problem.hidden = false;
    }
  });
}

const video = document.getElementById('video');
if (video instanceof HTMLFormElement && rates) {
  const show = (): void => {
    const given = new FormData(video);
    const speech = String(given.get('speechText') ?? '').trim();
    const seconds = speech ? Math.max(1, speech.length / CHARS_PER_SECOND) : Number(given.get('duration') || 0);
    const isHigh = given.get('resolution') === '1080p' || given.get('fps') === '48';
    const rate = given.has('draft') ? rates.draft : isHigh ? rates.high : rates.standard;
    byId('price').textContent = `About ${(rate * seconds).toFixed(3).replace(/0+$/, '').replace(/\.$/, '')} credits`;
  };
  video.addEventListener('input', show);
  show();
}

const image = document.getElementById('image');
if (image instanceof HTMLInputElement && prices) {
  const say = (): void => {
    const isEdit = image.value.trim() !== '';
    byId('make-image').textContent = isEdit
      ? `Change for ${prices.edit} credits`
      : `Create for ${prices.create} credits`;
  };
  image.addEventListener('input', say);
  say();
}
