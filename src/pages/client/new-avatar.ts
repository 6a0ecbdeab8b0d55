/** The page of a new avatar: examples that fill in, a face to look at before it is taken, voices to listen to. */
import { sentenceOf, sessionClient } from './lib/client.ts';
import { DRAW_PORTRAIT } from './lib/operations.ts';
import { byId, mayShow, pageData, within } from './lib/page.ts';
import { listenTo } from './studio/listen.ts';
import { imageFrom, sendFile } from './studio/upload.ts';

const { mediaOrigin } = pageData<{ mediaOrigin: string }>();
const name = byId<HTMLInputElement>('name');
const persona = byId<HTMLTextAreaElement>('persona');
const address = byId<HTMLInputElement>('imageUrl');
/** The face that was drawn or sent; a typed address has a field of its own. */
const own = byId<HTMLInputElement>('face-url');
const image = byId<HTMLImageElement>('face-image');
const words = byId('face-words');
const drawButton = byId('draw');
const problem = byId('problem');

for (const id of ['examples', 'face-buttons', 'face-how', 'voice-filter']) byId(id).hidden = false;

/** True while the face is to be drawn: no image was given. */
let isDrawn = address.value === '';
/** The personality that the last face was drawn from; undefined before the first. */
let drawnFrom: string | undefined;
let variation = 0;
/** Faces that were asked for; only the last one is shown. */
let asked = 0;

function say(sentence: string): void {
  problem.textContent = sentence;
  problem.hidden = sentence === '';
}

function showFace(url: string): void {
  const isShown = mayShow(url, mediaOrigin);
  if (isShown) image.src = url;
  else words.textContent = 'Fetched when you create the avatar.';
  image.hidden = !isShown;
  words.hidden = isShown;
}

async function take(work: Promise<{ url: string }>, waiting: string): Promise<void> {
  asked += 1;
  const mine = asked;
  words.textContent = waiting;
  words.hidden = false;
  image.hidden = true;
  say('');
  try {
    const { url } = await work;
    if (mine !== asked) return;
    own.value = url;
    address.value = '';
    showFace(url);
  } catch (error) {
    if (mine !== asked) return;
    words.textContent = 'Drawn from your words.';
    say(sentenceOf(error));
  }
}

function draw(): Promise<void> {
  isDrawn = true;
  drawButton.textContent = 'Another one';
  drawnFrom = persona.value;
  const description = `${name.value}. ${persona.value}`.slice(0, 2_000);
  const drawing = sessionClient().graphql(DRAW_PORTRAIT, { description, ...(variation > 0 ? { variation } : {}) });
  return take(
    drawing.then(({ drawPortrait }) => drawPortrait),
    'Drawing …',
  );
}

function drawIfNew(): void {
  if (isDrawn && persona.value.trim() !== '' && persona.value !== drawnFrom) void draw();
}

function takePhoto(file: Blob): void {
  isDrawn = false;
  void take(sendFile(file), 'Sending …');
}

byId('examples').addEventListener('click', (event) => {
  const { name: given, persona: text } = (event.target as HTMLElement).dataset;
  if (text === undefined) return;
  name.value = given || name.value;
  persona.value = text;
  drawIfNew();
  if (!name.value) name.focus();
});
persona.addEventListener('change', drawIfNew);
drawButton.addEventListener('click', () => {
  if (persona.value === drawnFrom) variation += 1;
  void draw();
});
byId<HTMLInputElement>('photo').addEventListener('change', ({ target }) => {
  const [file] = (target as HTMLInputElement).files ?? [];
  if (file) takePhoto(file);
});
address.addEventListener('change', () => {
  isDrawn = address.value === '';
  own.value = '';
  if (isDrawn) void draw();
  else showFace(address.value);
});

document.addEventListener('paste', (event) => {
  const file = imageFrom(event.clipboardData);
  if (file) takePhoto(file);
});
const preview = byId('preview');
for (const type of ['dragover', 'drop'] as const) {
  document.addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    preview.classList.toggle('over', type === 'dragover');
    const file = type === 'drop' ? imageFrom(event.dataTransfer) : undefined;
    if (file) takePhoto(file);
  });
}
document.addEventListener('dragleave', () => preview.classList.remove('over'));

const dialog = byId<HTMLDialogElement>('camera-dialog');
const view = byId<HTMLVideoElement>('camera-view');
function stopCamera(): void {
  for (const track of (view.srcObject as MediaStream | null)?.getTracks() ?? []) track.stop();
  view.srcObject = null;
}
if (navigator.mediaDevices) {
  byId('camera').hidden = false;
  byId('camera').addEventListener('click', async () => {
    try {
      view.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' } });
      dialog.showModal();
      await view.play();
    } catch {
      say('The camera cannot be used here.');
    }
  });
}
dialog.addEventListener('close', stopCamera);
byId('no-camera').addEventListener('click', () => dialog.close());
byId('shoot').addEventListener('click', () => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [view.videoWidth, view.videoHeight];
  canvas.getContext('2d')?.drawImage(view, 0, 0);
  canvas.toBlob((blob) => blob && takePhoto(blob), 'image/jpeg', 0.92);
  dialog.close();
});

const filter = byId<HTMLSelectElement>('voice-language');
const lines = [...byId('voices').querySelectorAll<HTMLElement>('li')];
function showVoices(): void {
  for (const line of lines) line.hidden = line.dataset.language !== filter.value;
  const shown = lines.filter((line) => !line.hidden).map((line) => within<HTMLInputElement>(line, 'input'));
  if (!shown.some((input) => input.checked) && shown[0]) shown[0].checked = true;
}
filter.addEventListener('change', showVoices);
showVoices();
listenTo(byId('voices'), byId<HTMLAudioElement>('sample'));

byId<HTMLFormElement>('make').addEventListener('submit', () => {
  const button = byId<HTMLButtonElement>('create');
  button.textContent = 'Creating …';
  // Disabled behind the sending, which would leave it out otherwise.
  setTimeout(() => {
    button.disabled = true;
  });
});
window.addEventListener('pageshow', () => {
  const button = byId<HTMLButtonElement>('create');
  button.disabled = false;
  button.textContent = 'Create and say hello';
});
const given = own.value || address.value;
if (given) showFace(given);
