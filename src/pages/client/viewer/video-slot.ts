/**
 * One of the two video elements that take turns: while one plays, the other loads what comes next. A slot that is not
 * needed drops its source, so that hundreds of turns hold the memory of two.
 */
import type { Item } from './playlist.ts';

/** A turn with a recording. */
export type MediaItem = Extract<Item, { kind: 'video' | 'audio' }>;

const FADE_MS = 120;

export class VideoSlot {
  readonly video: HTMLVideoElement;
  item: MediaItem | undefined;
  #fade: Animation | undefined;

  constructor(parent: HTMLElement) {
    this.video = document.createElement('video');
    this.video.className = 'turn-video';
    this.video.playsInline = true;
    this.video.preload = 'auto';
    this.video.disableRemotePlayback = true;
    this.video.tabIndex = -1;
    this.video.setAttribute('aria-hidden', 'true');
    parent.append(this.video);
  }

  /** True when this turn is loaded here; a recording that failed while it was loaded ahead is not. */
  holds(item: MediaItem): boolean {
    return this.item?.entry.turn.id === item.entry.turn.id && !this.video.error;
  }

  get isHidden(): boolean {
    return Number(this.video.style.opacity || 0) === 0;
  }

  /** Loads the recording, hidden, to be played from `fromSeconds`. */
  load(item: MediaItem, fromSeconds = 0): void {
    this.#fade?.cancel();
    this.item = item;
    this.video.style.opacity = '0';
    this.video.src = item.src;
    if (fromSeconds === 0) return;
    const seek = (): void => {
      if (this.item === item) this.video.currentTime = fromSeconds;
    };
    this.video.addEventListener('loadedmetadata', seek, { once: true });
  }

  /** Shows the video once its first frame is there, above the other slot; then calls back. */
  reveal(then: () => void): void {
    const { item: mine, video } = this;
    if (mine?.kind === 'audio') {
      then();
      return;
    }
    let isShown = false;
    const show = (): void => {
      if (isShown || this.item !== mine) return;
      isShown = true;
      video.style.zIndex = '2';
      this.#fadeTo(1, then);
    };
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(show);
    // WebKit draws no frame of what is transparent, and so calls no callback: time that passes is the other sign.
    const hasMoved = (): void => {
      if (this.item === mine && (video.currentTime === 0 || video.readyState < video.HAVE_CURRENT_DATA)) return;
      video.removeEventListener('timeupdate', hasMoved);
      show();
    };
    video.addEventListener('timeupdate', hasMoved);
  }

  /** Lets the still shine through again, then forgets the recording. */
  leave(): void {
    if (!this.item) return;
    if (this.isHidden) this.drop();
    else this.#fadeTo(0, () => this.drop());
  }

  drop(): void {
    this.item = undefined;
    this.#fade?.cancel();
    this.video.pause();
    this.video.style.opacity = '0';
    this.video.style.zIndex = '1';
    if (this.video.hasAttribute('src')) {
      this.video.removeAttribute('src');
      this.video.load();
    }
  }

  #fadeTo(opacity: number, then: () => void): void {
    this.#fade?.cancel();
    const from = this.video.style.opacity || '0';
    this.video.style.opacity = String(opacity);
    const fade = this.video.animate([{ opacity: from }, { opacity }], { duration: FADE_MS, easing: 'linear' });
    this.#fade = fade;
    fade.finished.then(then, () => {});
  }
}
