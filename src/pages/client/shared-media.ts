/** A shared recording: its words light up as they are spoken, and each one leads to its place. */
import { byId, pageData } from './lib/page.ts';

interface MediaPage {
  text: string;
  words: { ms: number; at: number; len: number }[];
}

const { text, words } = pageData<MediaPage>();
const player = byId<HTMLMediaElement>('player');
const spans: { ms: number; span: HTMLElement }[] = [];

function drawWords(): void {
  const parts: (Node | string)[] = [];
  let place = 0;
  for (const { ms, at, len } of words) {
    if (len <= 0 || at < place) continue;
    parts.push(text.slice(place, at));
    const span = document.createElement('span');
    span.textContent = text.slice(at, at + len);
    span.addEventListener('click', () => {
      player.currentTime = ms / 1000;
      void player.play();
    });
    spans.push({ ms, span });
    parts.push(span);
    place = at + len;
  }
  parts.push(text.slice(place));
  byId('spoken').replaceChildren(...parts);
}

let shown = -1;
function mark(): void {
  const index = player.ended ? -1 : spans.findLastIndex(({ ms }) => ms <= player.currentTime * 1000);
  if (index !== shown) {
    spans[shown]?.span.classList.remove('now');
    spans[index]?.span.classList.add('now');
    shown = index;
  }
  if (!player.paused) requestAnimationFrame(mark);
}

if (words.length > 0) {
  drawWords();
  player.addEventListener('play', () => requestAnimationFrame(mark));
  player.addEventListener('seeked', mark);
  player.addEventListener('ended', mark);
}

const copy = byId('copy');
if (navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(copy.dataset.address ?? location.href);
    const label = copy.querySelector('span');
    if (label) label.textContent = 'Copied';
  });
}
