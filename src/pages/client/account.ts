/** Lets a voice be heard and an export be waited for without showing the page again; without this script buttons do that. */
import { byId } from './lib/page.ts';
import { listenTo } from './studio/listen.ts';

const button = document.getElementById('listen') as HTMLButtonElement | null;
button?.addEventListener('click', (event) => {
  event.preventDefault();
  const form = new FormData(button.form!);
  const asked = ['baseVoiceId', 'pitch', 'rate'].map((name) => [name, String(form.get(name) ?? '')]);
  const player = byId<HTMLAudioElement>('sample');
  player.hidden = false;
  player.src = `${button.dataset.sample}?${new URLSearchParams(asked)}`;
  // Refused where the browser wants another click; the player is there for it.
  void player.play().catch(() => {});
});

const own = document.getElementById('own-voices');
const heard = document.getElementById('sample');
if (own && heard instanceof HTMLAudioElement) {
  listenTo(own, heard);
  own.addEventListener('click', () => {
    heard.hidden = false;
  });
}

const LOOK_MS = 3_000;

/** Shows anew how far the export is, until it has ended. */
async function lookAgain(): Promise<void> {
  const shown = document.getElementById('export');
  if (!shown?.querySelector('[data-waiting]')) return;
  const answer = await fetch(location.pathname).catch(() => undefined);
  const fresh =
    answer?.ok && new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('export');
  if (fresh) shown.replaceWith(fresh);
  setTimeout(lookAgain, LOOK_MS);
}
setTimeout(lookAgain, LOOK_MS);
