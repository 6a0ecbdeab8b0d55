/** Pages of making: what a video will cost as it is described, photographs by file, and a button that is clicked once. */
import { byId, mayShow, pageData, within } from './lib/page.ts';
import { sendFile } from './studio/upload.ts';

interface CreatePage {
  rates?: { draft: number; standard: number; high: number };
  prices?: { create: number; edit: number };
  /** Where images of ours lie. */
  mediaOrigin?: string;
  /** Of a second of speech. */
  speechRates?: { audio: number; video: number };
}
const { rates, prices, mediaOrigin = '', speechRates } = pageData<CreatePage>();

/** Spoken characters a second, about; of a script whose characters are syllables or words. */
const [CHARS_PER_SECOND, SYLLABLES_PER_SECOND] = [15, 4.5];
const SYLLABLES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** How long a text takes to say, about. */
function secondsOf(text: string): number {
  const syllables = text.match(SYLLABLES)?.length ?? 0;
  return Math.max(1, (text.length - syllables) / CHARS_PER_SECOND + syllables / SYLLABLES_PER_SECOND);
}

/** Rounded up to what is worth saying. */
const about = (credits: number): string => `About ${Math.ceil(credits * 10_000 - 1e-6) / 10_000} credits`;

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-busy]')) {
  form.addEventListener('submit', () => {
    const button = within<HTMLButtonElement>(form, '.primary');
    const words = button.textContent;
    button.textContent = form.dataset.busy ?? '';
    // Disabled after the form was sent; a user who comes back finds it enabled.
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
  way.hidden = false;
  within(way, 'input').addEventListener('change', async ({ target }) => {
    const files = [...((target as HTMLInputElement).files ?? [])];
    const problem = byId('problem');
    problem.hidden = true;
    const field = byId<HTMLInputElement | HTMLTextAreaElement>(way.dataset.for ?? '');
    try {
      for (const file of files) {
        const { url } = await sendFile(file);
        const before = field instanceof HTMLTextAreaElement ? field.value.trim() : '';
        field.value = before === '' ? url : `${before}\n${url}`;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
      (target as HTMLInputElement).value = '';
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
    const seconds = speech ? secondsOf(speech) : Number(given.get('duration') || 0);
    const isHigh = given.get('resolution') === '1080p' || given.get('fps') === '48';
    const rate = given.has('draft') ? rates.draft : isHigh ? rates.high : rates.standard;
    byId('price').textContent = about(rate * seconds);
  };
  video.addEventListener('input', show);
  show();
}

const speech = document.getElementById('speech');
if (speech instanceof HTMLFormElement && speechRates) {
  const show = (): void => {
    const given = new FormData(speech);
    const words = String(given.get('text') ?? '').trim();
    const rate = given.get('output') === 'audio' ? speechRates.audio : speechRates.video;
    byId('price').textContent = words === '' ? '' : about(rate * secondsOf(words));
  };
  speech.addEventListener('input', show);
  show();
}

const image = document.getElementById('image');
if (image instanceof HTMLTextAreaElement && prices) {
  const list = byId('references');
  const say = (): void => {
    const addresses = image.value.split(/\s+/).filter(Boolean);
    byId('make-image').textContent =
      addresses.length > 0 ? `Change for ${prices.edit} credits` : `Create for ${prices.create} credits`;
    list.hidden = addresses.length === 0;
    list.replaceChildren(...addresses.map(reference));
  };
  const look = (address: string, at: number): HTMLElement => {
    if (mayShow(address, mediaOrigin)) {
      const view = document.createElement('img');
      view.src = address;
      view.alt = `Image ${at + 1}`;
      return view;
    }
    const site = document.createElement('span');
    site.className = 'small muted';
    site.textContent = URL.canParse(address) ? new URL(address).host : 'No address';
    return site;
  };
  /** What it looks like, or where it comes from, and a button that leaves it out. */
  const reference = (address: string, at: number): HTMLElement => {
    const [item, out] = [document.createElement('li'), document.createElement('button')];
    out.type = 'button';
    out.className = 'button small-button';
    out.textContent = 'Remove';
    out.setAttribute('aria-label', `Remove image ${at + 1}`);
    out.addEventListener('click', () => {
      const rest = image.value.split(/\s+/).filter(Boolean);
      rest.splice(at, 1);
      image.value = rest.join('\n');
      say();
      image.focus();
    });
    item.append(look(address, at), out);
    return item;
  };
  image.addEventListener('input', say);
  say();
}
