/** The transcript page: turns appear and change as they happen, recordings play in place, and the owner can go on talking. */
import { sentenceOf, sessionClient } from './lib/client.ts';
import { DELETE_TURN, NEW_ACCESS_LINK } from './lib/operations.ts';
import { byId, type LivePage, pageData } from './lib/page.ts';
import { Microphone } from './talk/microphone.ts';
import { StageFrame, type StageFrameState } from './talk/stage-frame.ts';
import { TalkBox } from './talk/talk-box.ts';
import { ownerOperations } from './talk/talk-operations.ts';
import { TurnList } from './talk/turn-list.ts';
import { openFeed, type Update } from './viewer/feed.ts';
import { History } from './viewer/history.ts';

interface TranscriptPage extends LivePage {
  /** Whether it is shown to its owner, who may delete what was said. */
  isOwner: boolean;
  /** Whether the platform writes recordings down. */
  canTranscribe: boolean;
}

const page = pageData<TranscriptPage>();
const list = byId('turns');
const speaker = { name: page.name, still: page.still, mayDelete: page.isOwner };
const frame = document.getElementById('stage');
/** Called with what the stage does: by the talk box, where there is one. */
let showState: (state: StageFrameState) => void = () => {};
const stage =
  frame instanceof HTMLIFrameElement
    ? new StageFrame(frame, (state) => {
        if (state === 'playing') turns.silence();
        showState(state);
      })
    : undefined;
const turns = new TurnList(speaker, () => stage?.pause());

function showProblem(sentence: string): void {
  const problem = byId('problem');
  problem.textContent = sentence;
  problem.hidden = false;
}

const showError = (error: unknown): void => showProblem(sentenceOf(error));

/** Turns that were under way change no more. Without a talk box nothing is written here, nor lost. */
function showEnd(): void {
  if (document.getElementById('problem'))
    showProblem('This conversation has ended: nothing new comes, nor can be said.');
}

async function removeTurn(turnId: string): Promise<void> {
  if (!confirm('Delete this for good?')) return;
  try {
    await sessionClient().graphql(DELETE_TURN, { turnId });
    turns.forget(turnId);
  } catch (error) {
    showError(error);
  }
}

list.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-delete]');
  if (button?.dataset.delete && page.isOwner) void removeTurn(button.dataset.delete);
});

function linkForm(form: HTMLFormElement): void {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const { createAccessLink } = await sessionClient().graphql(NEW_ACCESS_LINK, { conversationId: page.slug });
      const made = byId<HTMLInputElement>('made');
      made.value = createAccessLink.url;
      byId('made-link').hidden = false;
      made.select();
    } catch (error) {
      showError(error);
    }
  });
}

/** Open until one looks elsewhere. */
function shareMenu(menu: HTMLDetailsElement): void {
  document.addEventListener('click', (event) => {
    if (!menu.contains(event.target as Node)) menu.open = false;
  });
  // A click into the stage's frame is none of this document; one into the preview leaves the menu as it is.
  window.addEventListener('blur', () => {
    const { activeElement } = document;
    if (activeElement?.tagName === 'IFRAME' && !menu.contains(activeElement)) menu.open = false;
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
  const box = new TalkBox(talk, stage, ownerOperations(sessionClient(), page.slug));
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
const history = new History(page, page.earliest);
turns.offerEarlier(byId('earlier'), history);
const update = (one: Update): void => {
  if (!history.holds(one)) turns.show(one);
};
// A page of earlier turns stays as it is.
if (page.cursor !== null) openFeed(page, { update, connected: () => {}, ended: showEnd });
