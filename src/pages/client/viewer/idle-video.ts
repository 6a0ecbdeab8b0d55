/**
 * The avatar at rest: a recording of blinking and swaying, played round and round above the still and below the turns. It is
 * asked for until the server has made it; viewers who prefer reduced motion keep the still.
 */
import { ConnectionError } from '../../../../clients/typescript/src/errors.ts';
import { clientAt } from '../lib/client.ts';
import { IDLE_VIDEO } from '../lib/operations.ts';
import type { LivePage } from '../lib/page.ts';

const ATTEMPTS = 12;
const WAIT_MS = 3_000;

export class IdleVideo {
  #video: HTMLVideoElement | undefined;
  #isResting = true;

  constructor(page: LivePage, figure: HTMLElement) {
    const wantsRest = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!wantsRest && page.slug.startsWith('c-') && page.still) void this.#find(page, figure, ATTEMPTS);
  }

  /** True while no turn is played; a turn begins where the still is, so the rest begins anew after each. */
  rest(isResting: boolean): void {
    const video = this.#video;
    const isSame = this.#isResting === isResting;
    this.#isResting = isResting;
    if (!video || isSame) return;
    if (!isResting) video.pause();
    else {
      video.currentTime = 0;
      void video.play().catch(() => {});
    }
  }

  async #find({ graphql, slug, viewerToken, key }: LivePage, figure: HTMLElement, attempts: number): Promise<void> {
    for (let left = attempts; left > 0; left -= 1) {
      try {
        const { idleVideo } = await clientAt(graphql).graphql(IDLE_VIDEO, { slug, viewerToken, key }, { retries: 0 });
        if (idleVideo) {
          this.#show(idleVideo, figure);
          return;
        }
      } catch (error) {
        if (!(error instanceof ConnectionError)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }

  #show(src: string, figure: HTMLElement): void {
    const video = document.createElement('video');
    video.className = 'idle';
    video.muted = true;
    video.loop = true;
    video.playsInline = true;
    video.disableRemotePlayback = true;
    video.tabIndex = -1;
    video.setAttribute('aria-hidden', 'true');
    video.addEventListener('playing', () => video.classList.add('shown'), { once: true });
    video.addEventListener('error', () => video.remove());
    video.src = src;
    this.#video = video;
    figure.querySelector('.still')?.after(video);
    if (this.#isResting) void video.play().catch(() => {});
  }
}
