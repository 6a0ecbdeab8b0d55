/** An avatar's page: its personality tried beside the form; images by file, drop and paste; the face set by three clicks; voices to listen to. */
import { byId, pageData, within } from './lib/page.ts';
import { listenTo } from './studio/listen.ts';
import { tryOut } from './studio/try-out.ts';
import { imageFrom, sendFile } from './studio/upload.ts';

tryOut(pageData<{ avatarId: string }>().avatarId);

const form = byId<HTMLFormElement>('add-image');
const address = byId<HTMLInputElement>('imageUrl');
const problem = byId('problem');

async function add(file: Blob): Promise<void> {
  problem.hidden = true;
  try {
    address.value = (await sendFile(file)).url;
    form.requestSubmit();
  } catch (error) {
    problem.textContent = (error as Error).message;
    problem.hidden = false;
  }
}

for (const id of ['photo-way', 'photo-how']) byId(id).hidden = false;
byId<HTMLInputElement>('photo').addEventListener('change', ({ target }) => {
  const [file] = (target as HTMLInputElement).files ?? [];
  if (file) void add(file);
});
document.addEventListener('paste', (event) => {
  const file = imageFrom(event.clipboardData);
  if (file) void add(file);
});
for (const type of ['dragover', 'drop'] as const) {
  document.addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    const file = type === 'drop' ? imageFrom(event.dataTransfer) : undefined;
    if (file) void add(file);
  });
}

const PARTS = [
  ['leftEye', 'Click the eye on the left.'],
  ['rightEye', 'Click the eye on the right.'],
  ['mouth', 'Click the middle of the mouth.'],
] as const;
const image = byId<HTMLImageElement>('points-image');
const points = byId<HTMLFormElement>('points-form');
const input = (name: string) => within<HTMLInputElement>(points, `[name=${name}]`);

function nextPoint(): void {
  const next = PARTS.find(([name]) => input(name).value === '');
  byId('points-step').textContent = next?.[1] ?? 'All three are set.';
  byId<HTMLButtonElement>('points-save').disabled = next !== undefined;
}
byId('points').hidden = image.getAttribute('src') === '';
image.addEventListener('click', (event) => {
  const next = PARTS.find(([name]) => input(name).value === '');
  if (!next) return;
  const box = image.getBoundingClientRect();
  const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  input(next[0]).value = `${x.toFixed(4)},${y.toFixed(4)}`;
  const mark = document.createElement('i');
  mark.style.setProperty('left', `${x * 100}%`);
  mark.style.setProperty('top', `${y * 100}%`);
  image.after(mark);
  nextPoint();
});
byId('points-again').addEventListener('click', () => {
  for (const [name] of PARTS) input(name).value = '';
  for (const mark of points.querySelectorAll('i')) mark.remove();
  nextPoint();
});

const listen = byId<HTMLButtonElement>('listen');
const voice = byId<HTMLSelectElement>('voiceId');
const player = byId<HTMLAudioElement>('sample');
const offer = (): void => {
  listen.hidden = voice.value === '';
};
voice.addEventListener('change', offer);
offer();
listen.addEventListener('click', () => {
  player.src = `${listen.dataset.samples}${encodeURIComponent(voice.value)}`;
  void player.play().catch(() => {});
});
const own = document.getElementById('own-voices');
if (own) listenTo(own, player);
