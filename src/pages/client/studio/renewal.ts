/**
 * Shows anew what has changed on a page: the page is fetched as it is now, and the parts of it that differ take the place of
 * what is there. What the user is busy with (focus, an open dialog, a player that plays) stays until they leave it.
 */
import { backoffMs, pause } from '../../../../clients/typescript/src/pause.ts';
import { RENEWAL_HEADER } from '../../self-updating-data.ts';

/** Changes that come together are shown together. */
const GATHER_MS = 250;
/** At most once in this time; an account changes several times while one thing is made. */
const APART_MS = 1_000;

function isBusy(element: Element): boolean {
  if (element.contains(document.activeElement)) return true;
  const players = [...element.querySelectorAll<HTMLMediaElement>('audio, video')];
  return element.querySelector('details[open]') !== null || players.some(({ paused }) => !paused);
}

const isList = (element: Element): boolean =>
  element.children.length > 0 && [...element.children].every(({ id }) => id);

/** Makes one element like another; false where the user is busy with what would have to change. */
function renew(shown: Element, fresh: Element): boolean {
  if (shown.isEqualNode(fresh)) return true;
  if (isList(shown) && isList(fresh)) return renewList(shown, fresh);
  if (isBusy(shown)) return false;
  shown.replaceWith(fresh);
  return true;
}

/** By ids: what is the same stays where it is. */
function renewList(shown: Element, fresh: Element): boolean {
  const byId = new Map([...shown.children].map((child) => [child.id, child]));
  let isDone = true;
  let place: Element | null = shown.firstElementChild;
  for (const child of [...fresh.children]) {
    const known = byId.get(child.id);
    byId.delete(child.id);
    if (!known) shown.insertBefore(child, place);
    else {
      if (place === known) place = known.nextElementSibling;
      else shown.insertBefore(known, place);
      isDone = renew(known, child) && isDone;
    }
  }
  for (const gone of byId.values()) {
    if (isBusy(gone)) isDone = false;
    else gone.remove();
  }
  return isDone;
}

/** The parts of this page that are kept up to date (`data-live`). */
export class Renewal {
  /** Something has changed that is not shown yet. */
  #isAsked = false;
  /** Something was left as it was, because the user was busy with it. */
  #isLeft = false;
  #isRunning = false;

  constructor() {
    for (const type of ['focusout', 'pause', 'toggle']) {
      document.addEventListener(type, () => this.#isLeft && this.ask(), { capture: true });
    }
    document.addEventListener('visibilitychange', () => void this.#run());
  }

  /** Something has changed: it is shown soon, in a hidden tab when the user is back. */
  ask(): void {
    this.#isAsked = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    if (!this.#isAsked || this.#isRunning || document.hidden) return;
    this.#isRunning = true;
    await pause(GATHER_MS);
    this.#isAsked = this.#isLeft = false;
    for (let failures = 0; !(await this.#show()); failures += 1) await pause(backoffMs(failures));
    await pause(APART_MS);
    this.#isRunning = false;
    void this.#run();
  }

  /** False where the server did not answer. */
  async #show(): Promise<boolean> {
    const headers = { accept: 'text/html', [RENEWAL_HEADER]: '1' };
    const answer = await fetch(location.href, { headers }).catch(() => undefined);
    if (!answer || answer.status >= 500) return false;
    const text = await answer.text().catch(() => undefined);
    if (text === undefined) return false;
    // Signed out, or what the page is about is gone: that is for the next click to say.
    if (!answer.ok || answer.redirected) return true;
    const fresh = new DOMParser().parseFromString(text, 'text/html');
    for (const region of document.querySelectorAll('[data-live]')) {
      const other = fresh.getElementById(region.id);
      if (other && !renew(region, other)) this.#isLeft = true;
    }
    return true;
  }
}
