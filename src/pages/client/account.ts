/** Lets a voice be heard without showing the page again; without this script the button does that. */
import { byId } from './lib/page.ts';

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
