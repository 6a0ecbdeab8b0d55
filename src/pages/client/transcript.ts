/** The transcript page: turns appear and change as they happen, recordings play in place, and the owner can go on talking. */
import { turnBody } from '../turn-view.ts';
import { byId, type LivePage, pageData, post } from './lib/page.ts';
import { Microphone } from './talk/microphone.ts';
import { StageFrame, type StageFrameState } from './talk/stage-frame.ts';
import { postForm, TalkBox } from './talk/talk-box.ts';
import { openFeed, type Update } from './viewer/feed.ts';

/** Only for the owner: where turns are deleted. */
interface TranscriptPage extends LivePage {
  removal: { action: string; csrf: string } | null;
  /** Whether the platform writes recordings down. */
  canTranscribe: boolean;
}

const page = pageData<TranscriptPage>();
const list = byId('turns');
const speaker = { name: page.name, still: page.still, mayDelete: page.removal !== null };
const frame = document.getElementById('stage');
/** Told what the stage does; the talk box, where there is one. */
let showState: (state: StageFrameState) => void = () => {};
const stage =
  frame instanceof HTMLIFrameElement
    ? new StageFrame(frame, (state) => {
        if (state === 'playing') silence();
        showState(state);
      })
    : undefined;
/** Injection and chunk of each shown turn, as soon as the feed told them. */
const updates = new Map<string, Update>();

function isBefore(a: Update, b: Update): boolean {
  return a.injection < b.injection || (a.injection === b.injection && a.chunk < b.chunk);
}

/** What of a turn is to be seen: links are signed anew without anything having changed. */
function look({ turn, isDraft }: Update): string {
  return JSON.stringify([
    turn.status,
    turn.avatarText,
    turn.userText,
    turn.errorMessage,
    turn.mediaError,
    turn.output,
    isDraft,
  ]);
}

function show(update: Update): void {
  const { turn } = update;
  if (update.isDeleted) {
    forget(turn.id);
    return;
  }
  const before = updates.get(turn.id);
  updates.set(turn.id, update);
  let item = document.getElementById(turn.id);
  const isKnown = item !== null;
  if (item && before && look(before) === look(update)) return;
  if (item && !before && item.dataset.status === turn.status) return;
  const scroller = document.getElementById('scroller') ?? document.documentElement;
  const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 120;
  item ??= document.createElement('li');
  item.id = turn.id;
  item.className = `turn ${turn.role}`;
  item.dataset.status = turn.status ?? '';
  // Words that grow are read out once, when they are all there.
  item.ariaBusy = String(update.isDraft);
  // Made by the same escaping template as the server's page.
  item.innerHTML = turnBody(turn, speaker).text;
  if (!isKnown) {
    const next = [...list.children].find((other) => {
      const shown = updates.get(other.id);
      return shown !== undefined && isBefore(update, shown);
    });
    list.insertBefore(item, next ?? null);
    byId('empty').hidden = true;
  }
  if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
}

function forget(turnId: string): void {
  updates.delete(turnId);
  document.getElementById(turnId)?.remove();
  byId('empty').hidden = list.children.length > 0;
}

function complain(error: Error): void {
  const problem = byId('problem');
  problem.textContent = error.message;
  problem.hidden = false;
}

/** It goes from the list when the feed tells of it. */
async function removeTurn(turnId: string, { action, csrf }: NonNullable<TranscriptPage['removal']>): Promise<void> {
  if (!confirm('Delete this for good?')) return;
  await post(action, new URLSearchParams({ turnId, csrf })).catch(complain);
}

/** Of the live stage and the players of the list only one speaks. */
function silence(but?: EventTarget | null): void {
  for (const player of document.querySelectorAll<HTMLMediaElement>('.player')) if (player !== but) player.pause();
}

// The first click on one, and every later one on the controls of any.
list.addEventListener(
  'play',
  ({ target }) => {
    silence(target);
    stage?.pause();
  },
  { capture: true },
);

/** Puts a player where the button was. */
function play(link: HTMLAnchorElement): void {
  const isVideo = link.dataset.play === 'video';
  const player = document.createElement(isVideo ? 'video' : 'audio');
  player.controls = true;
  player.autoplay = true;
  player.className = 'player';
  if (player instanceof HTMLVideoElement) {
    player.playsInline = true;
    if (page.still) player.poster = page.still;
  }
  player.src = link.dataset.src ?? '';
  link.closest('.media-row')?.before(player);
  link.hidden = true;
}

list.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-delete]');
  if (button?.dataset.delete && page.removal) void removeTurn(button.dataset.delete, page.removal);
});

list.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-play]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  play(link);
});

function linkForm(form: HTMLFormElement): void {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await postForm<{ createAccessLink?: { url: string } }>(form).catch(complain);
    if (!answer) return;
    const made = byId<HTMLInputElement>('made');
    made.value = answer.createAccessLink?.url ?? '';
    byId('made-link').hidden = false;
    made.select();
  });
}

/** Open until one looks elsewhere. */
function shareMenu(menu: HTMLDetailsElement): void {
  document.addEventListener('click', (event) => {
    if (!menu.contains(event.target as Node)) menu.open = false;
  });
  // A click into the stage's frame is none of this document.
  window.addEventListener('blur', () => {
    if (document.activeElement?.tagName === 'IFRAME') menu.open = false;
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

const menu = document.getElementById('share');
if (menu instanceof HTMLDetailsElement) shareMenu(menu);
const talk = document.getElementById('talk');
if (talk instanceof HTMLFormElement && stage) {
  const box = new TalkBox(talk, stage);
  showState = (state) => box.show(state);
  if (navigator.mediaDevices) {
    const transcribe = page.canTranscribe ? (recording: Blob) => box.transcribe(recording) : undefined;
    new Microphone({ button: byId<HTMLButtonElement>('microphone'), box, transcribe });
  }
}
const link = document.getElementById('link-form');
if (link instanceof HTMLFormElement) linkForm(link);
const scroller = document.getElementById('scroller');
if (scroller) scroller.scrollTop = scroller.scrollHeight;
openFeed(page, { update: show, connected: () => {}, ended: () => {} });
