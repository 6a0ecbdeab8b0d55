/** What stands beside a button `data-copy` is copied by a click on it: an example, a secret, a link. */
import { within } from './lib/page.ts';

const SAID_MS = 2_000;

const textBeside = (button: HTMLElement): string => {
  const beside = within(button.parentElement ?? document, 'pre, input');
  return beside instanceof HTMLInputElement ? beside.value : (beside.textContent ?? '');
};

if (navigator.clipboard) {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const words = button.firstChild;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(textBeside(button));
      if (!words) return;
      words.textContent = 'Copied';
      setTimeout(() => {
        words.textContent = 'Copy';
      }, SAID_MS);
    });
  }
}
