/** The live viewer: the stage, its controls, captions and the list, joined to the feed. */
import 'media-chrome/dist/media-controller.js';
import 'media-chrome/dist/media-control-bar.js';
import 'media-chrome/dist/media-fullscreen-button.js';
import 'media-chrome/dist/media-mute-button.js';
import 'media-chrome/dist/media-play-button.js';
import 'media-chrome/dist/media-volume-range.js';
import { spokenText } from '../turn-data.ts';
import { byId, type LivePage, pageData } from './lib/page.ts';
import { notifyParent } from './lib/parent.ts';
import { Captions } from './viewer/captions.ts';
import { openFeed } from './viewer/feed.ts';
import { History } from './viewer/history.ts';
import { IdleVideo } from './viewer/idle-video.ts';
import { bindKeys } from './viewer/keys.ts';
import { LoudnessRing } from './viewer/loudness-ring.ts';
import { readOptions } from './viewer/options.ts';
import type { StageState } from './viewer/player.ts';
import type { Entry } from './viewer/playlist.ts';
import { refreshTurn } from './viewer/refresh.ts';
import { AvatarStage } from './viewer/stage.ts';
import { TranscriptDrawer } from './viewer/transcript-drawer.ts';
import { Translation } from './viewer/translation.ts';

customElements.define('avatar-stage', AvatarStage);

const page = pageData<LivePage>();
const options = readOptions(location, page.nowMs);
const viewer = byId('viewer');
const stage = byId<AvatarStage>('stage');
const captions = new Captions(byId('caption'));
const ring = new LoudnessRing(byId('ring'));
const idle = new IdleVideo(page, stage.querySelector<HTMLElement>('.figure') ?? stage);
const translation = new Translation(page);
const history = new History(page, page.earliest);
const drawer = new TranscriptDrawer(
  {
    panel: byId('drawer'),
    scroller: byId('said-scroller'),
    list: byId('said'),
    earlier: byId('earlier'),
    open: byId('open-drawer'),
    close: byId('close-drawer'),
  },
  {
    name: page.name,
    entries: stage.playlist.entries,
    history,
    loadEarlier,
    replay: (entry) => stage.replay(entry),
  },
);

const LABELS: Record<StageState, string> = {
  idle: 'Live',
  thinking: 'Thinking',
  playing: 'Speaking',
  paused: 'Paused',
};
const NOTE_MS = 6_000;
const AWAY_MS = 1_200;
/** A translation that takes longer is announced. */
const SLOW_MS = 1_500;

let asked: Entry | undefined;
let noteTimer: ReturnType<typeof setTimeout> | undefined;
let awayTimer: ReturnType<typeof setTimeout> | undefined;

function note(text: string): void {
  const place = byId('note');
  place.textContent = text;
  place.hidden = false;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => {
    place.hidden = true;
  }, NOTE_MS);
}

function showState(): void {
  viewer.dataset.state = stage.state;
  idle.rest(stage.entry?.turn.output !== 'video' || stage.state === 'thinking');
  byId('state').textContent = LABELS[stage.state];
  byId('start').hidden = stage.state !== 'paused' || stage.timeMs > 0;
  byId('latest').hidden = stage.playlist.backlog < 2;
  notifyParent({ type: 'avatar:state', state: stage.state, muted: stage.muted });
}

function emitTurn(phase: 'start' | 'end' | 'failed', { turn }: Entry): void {
  notifyParent({ type: 'avatar:turn', phase, turnId: turn.id, role: turn.role, output: turn.output });
}

function showAsked(entry: Entry | undefined): void {
  asked = entry;
  const place = byId('asked');
  place.hidden = !entry;
  place.textContent = entry ? spokenText(entry.turn) : '';
}

/** Captions of the present turn, in the chosen language as soon as it is there. */
function caption(entry: Entry): void {
  const { turn } = entry;
  captions.show(turn);
  byId('spoken').textContent = spokenText(turn);
  const translated = translation.of(turn);
  const isSlow = translated && setTimeout(() => note('The captions are being translated …'), SLOW_MS);
  void translated?.then((answer) => {
    clearTimeout(isSlow);
    // Shown also when the turn is over: nothing else would show that it was asked for in vain.
    if (!('text' in answer)) return note('Captions stay in the original: no translator is at hand here.');
    if (stage.entry !== entry) return;
    captions.show(turn, answer.text);
    byId('spoken').textContent = answer.text;
    byId('spoken').lang = translation.language;
  });
}

function onStart(entry: Entry): void {
  if (asked && asked.injection !== entry.injection) showAsked(undefined);
  caption(entry);
  drawer.mark(entry.turn.id);
  if (entry.turn.output === 'audio' && entry.turn.audioUrl) void ring.show(entry.turn.id, entry.turn.audioUrl);
  else ring.hide();
  emitTurn('start', entry);
}

function onEnd(entry: Entry): void {
  ring.hide();
  drawer.mark(undefined);
  emitTurn('end', entry);
  // The last words stay a moment when nothing follows at once.
  setTimeout(() => {
    if (stage.entry) return;
    captions.clear();
    if (stage.state === 'idle') showAsked(undefined);
  }, 900);
}

stage.when('state', showState);
stage.when('asked', showAsked);
stage.when('turnstart', onStart);
stage.when('turnend', onEnd);
stage.when('failed', (entry) => {
  note(entry.turn.errorMessage ?? 'One reply could not be shown.');
  emitTurn('failed', entry);
});
stage.when('unplayable', (entry) => {
  ring.hide();
  caption(entry);
  note('This video cannot be played just now: here are its words.');
  emitTurn('failed', entry);
});
stage.when('soundblocked', (isBlocked) => {
  byId('sound').hidden = !isBlocked;
});
stage.addEventListener('volumechange', () => {
  if (!stage.muted) byId('sound').hidden = true;
});
stage.refresh = ({ turn }) => refreshTurn(page, turn);

byId('sound').addEventListener('click', () => {
  stage.muted = false;
});
byId('start').addEventListener('click', () => void stage.play());
byId('latest').addEventListener('click', () => stage.skipToLatest());
const language = byId<HTMLSelectElement>('language');
translation.fill(language);
language.addEventListener('change', () => {
  translation.language = language.value;
  viewer.classList.toggle('no-captions', language.value === 'off');
  if (language.value === 'off') translation.language = '';
  if (stage.entry) caption(stage.entry);
});
// All of the viewer, or its captions would stay behind. (The attribute for it is read before the element is there.)
byId<HTMLElement & { fullscreenElement: Element }>('controller').fullscreenElement = viewer;
// A frame of another site offers fullscreen only where it may use it.
byId('fullscreen').hidden = window.top !== window && !document.fullscreenEnabled;
bindKeys(stage, {
  captions: () => {
    language.value = language.value === 'off' ? '' : 'off';
    language.dispatchEvent(new Event('change'));
  },
  drawer: () => drawer.toggle(),
  fullscreen: () => byId('fullscreen').hidden || byId('fullscreen').click(),
});
stage.addEventListener('click', () => {
  if (!byId('sound').hidden) stage.muted = false;
  else if (stage.paused) void stage.play();
  else stage.pause();
});

function frame(): void {
  if (stage.entry) {
    captions.at(stage.timeMs, stage.durationMs);
    ring.at(stage.timeMs);
  }
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);

/** Puts what was said before into the list; false when there is no more, or it cannot be had. */
async function loadEarlier(): Promise<boolean> {
  const updates = await history.load();
  if (updates) stage.playlist.putEarlier(updates);
  return updates !== undefined;
}

/** What is to be played from the moment that was asked for: the newest turns alone, or as far back as that lies. */
async function loadWanted(): Promise<void> {
  const isWanted = (): boolean => (stage.playlist.entries[0]?.turn.createdAt ?? 0) >= options.sinceMs;
  while (history.hasMore && isWanted() && (await loadEarlier()));
  drawer.fill();
}

let wanted: Promise<void> | undefined;
let isHere = false;
stage.playlist.sinceMs = options.sinceMs;
openFeed(page, {
  update: (update) => {
    if (history.holds(update)) return;
    if (update.isDeleted) {
      stage.playlist.remove(update.turn.id);
      drawer.remove(update.turn.id);
      return;
    }
    const wasInterrupted = stage.entry?.turn.heardText != null;
    const entry = stage.playlist.put(update);
    drawer.put(entry);
    if (stage.entry === entry && !wasInterrupted && entry.turn.heardText !== null) stage.fallSilent(entry.turn.id);
    stage.consider();
    byId('latest').hidden = stage.playlist.backlog < 2;
  },
  caughtUp: (isCaughtUp) => {
    isHere = isCaughtUp;
    if (!isCaughtUp) stage.hold(true);
    else if (!history.hasMore) stage.hold(false);
    else {
      wanted ??= loadWanted();
      void wanted.then(() => isHere && stage.hold(false));
    }
  },
  connected: (isConnected) => {
    clearTimeout(awayTimer);
    const show = (): void => {
      byId('away').hidden = isConnected;
    };
    if (isConnected) show();
    else awayTimer = setTimeout(show, AWAY_MS);
  },
  ended: () => {
    byId('away').textContent = 'This viewer is no longer let in.';
    byId('away').hidden = false;
  },
});
if (options.autoplay) void stage.play();
showState();
