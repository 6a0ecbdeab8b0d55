/**
 * An avatar's page for visitors: the conversation begins with a click, so that what is said may be heard, and is there
 * again after a reload. An anonymous visitor is known by a token that the page keeps (`talk/kept-token.ts`).
 */
import { clientAt, sentenceOf, sessionClient, WORK_MS } from './lib/client.ts';
import { BEGIN_VISIT, type BeginVisitData } from './lib/operations.ts';
import { byId, pageData, within } from './lib/page.ts';
import { KeptToken } from './talk/kept-token.ts';
import { Microphone } from './talk/microphone.ts';
import { StageFrame, type StageFrameState } from './talk/stage-frame.ts';
import { TalkBox } from './talk/talk-box.ts';
import { visitorOperations } from './talk/talk-operations.ts';
import { TurnList } from './talk/turn-list.ts';
import { openFeed } from './viewer/feed.ts';
import { History } from './viewer/history.ts';

interface VisitorPage {
  talkSlug: string;
  name: string;
  still: string | null;
  challenge: string | null;
  isSignedIn: boolean;
  canTranscribe: boolean;
  /** Path of live pages. */
  live: string;
  graphql: string;
  nowMs: number;
}

type Begun = BeginVisitData['beginVisit'];

const page = pageData<VisitorPage>();
const form = byId<HTMLFormElement>('talk');
const token = within<HTMLInputElement>(form, '[name=visitorToken]');
const frame = byId<HTMLIFrameElement>('stage');
const problem = byId('problem');
/** Kept of who is signed in, whom the server knows: only that they have begun. */
const SIGNED_IN = 'signed-in';

const kept = new KeptToken(page.talkSlug);
/** A signed-in user is known by their session; in a frame of another site there is none. */
const client = page.isSignedIn ? sessionClient() : clientAt(page.graphql);

let showState: (state: StageFrameState) => void = () => {};
const stage = new StageFrame(frame, (state) => {
  if (state === 'playing') list.silence();
  showState(state);
});
const list = new TurnList({ name: page.name, still: page.still }, () => stage.pause());

// Who embeds the page learns of the stage what who embeds the stage does.
window.addEventListener('message', ({ source, data }) => {
  const isOfStage = source === frame.contentWindow && String(data?.type).startsWith('avatar:');
  if (isOfStage && window.parent !== window) window.parent.postMessage(data, '*');
});

function showError(sentence: string): void {
  problem.textContent = sentence;
  problem.hidden = false;
}

function close(sentence: string): void {
  showError(sentence);
  form.hidden = true;
  frame.hidden = true;
}

function enter({ viewerToken, conversation: { shareSlug: slug } }: Begun, isNew: boolean): void {
  document.getElementById('greeting')?.remove();
  byId('start').hidden = true;
  form.hidden = false;
  frame.src = `${page.live}${slug}?token=${viewerToken}&since=now`;
  frame.hidden = false;
  const box = new TalkBox(
    form,
    stage,
    visitorOperations(client, { slug: page.talkSlug, visitorToken: token.value || null }),
  );
  showState = (state) => box.show(state);
  if (navigator.mediaDevices) {
    const transcribe = page.canTranscribe ? (recording: Blob) => box.transcribe(recording) : undefined;
    new Microphone({ button: byId<HTMLButtonElement>('microphone'), box, transcribe });
  }
  if (isNew) byId('words').focus();
  const watched = { slug, viewerToken, key: null, graphql: page.graphql, cursor: null, replayCursor: null };
  let history: History | undefined;
  openFeed(watched, {
    begun: (earliest) => {
      history = new History(watched, earliest);
      list.offerEarlier(byId('earlier'), history);
    },
    update: (update) => {
      if (!history?.holds(update)) list.show(update);
    },
    connected: () => {},
    ended: () => close('This conversation has ended.'),
  });
}

const begin = byId<HTMLButtonElement>('begin');

async function start(isNew: boolean): Promise<void> {
  begin.disabled = true;
  problem.hidden = true;
  const known = kept.read();
  token.value = page.isSignedIn || known === SIGNED_IN ? '' : (known ?? '');
  const input = { slug: page.talkSlug, visitorToken: token.value || null, challenge: page.challenge };
  try {
    const { beginVisit } = await client.graphql(BEGIN_VISIT, { input }, { timeoutMs: WORK_MS });
    if (beginVisit.visitorToken) token.value = beginVisit.visitorToken;
    kept.write(page.isSignedIn ? SIGNED_IN : token.value);
    enter(beginVisit, isNew);
  } catch (error) {
    begin.disabled = false;
    showError(sentenceOf(error));
  }
}

begin.addEventListener('click', () => void start(true));
const known = kept.read();
// A visitor who has begun here before goes on at once.
if (known !== null && page.isSignedIn === (known === SIGNED_IN)) void start(false);
