/** Examples are copied by a click. */
import { within } from './lib/page.ts';

const SAID_MS = 2_000;

if (navigator.clipboard) {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const words = button.firstChild;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(within(button.parentElement ?? document, 'pre').textContent ?? '');
      if (!words) return;
      words.textContent = 'Copied';
      setTimeout(() => {
        words.textContent = 'Copy';
      }, SAID_MS);
    });
  }
}
