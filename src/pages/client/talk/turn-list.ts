/** The turns of a conversation as a list: they appear and change as they happen, and recordings play in place. */
import { type Speaker, turnBody } from '../../turn-view.ts';
import { byId } from '../lib/page.ts';
import type { Update } from '../viewer/feed.ts';
import { type History, isBefore } from '../viewer/history.ts';

/** Where an item of the list stands; undefined for one that is no turn. */
function placeOf({ dataset: { place } }: HTMLElement): { injection: number; chunk: number } | undefined {
  const [injection, chunk] = place?.split('.').map(Number) ?? [];
  return injection === undefined || chunk === undefined ? undefined : { injection, chunk };
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

export class TurnList {
  readonly #list = byId('turns');
  readonly #speaker: Speaker;
  /** The feed's last update of each turn. */
  readonly #updates = new Map<string, Update>();

  /** @param plays called before a recording of the list plays: of the live stage and the list only one speaks */
  constructor(speaker: Speaker, plays: () => void) {
    this.#speaker = speaker;
    this.#list.addEventListener('click', (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-play]');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#play(link);
    });
    // The first click on one, and every later one on the controls of any.
    this.#list.addEventListener(
      'play',
      ({ target }) => {
        this.silence(target);
        plays();
      },
      { capture: true },
    );
  }

  /** Of the live stage and the players of the list only one speaks. */
  silence(but?: EventTarget | null): void {
    for (const player of document.querySelectorAll<HTMLMediaElement>('.player')) if (player !== but) player.pause();
  }

  /** Shows what was said before in front of the list, a page at each click; `button` goes when there is no more. */
  offerEarlier(button: HTMLElement, history: History): void {
    button.hidden = !history.hasMore;
    button.addEventListener('click', async (event) => {
      event.preventDefault();
      const updates = await history.load();
      const scroller = document.getElementById('scroller') ?? document.documentElement;
      const fromEnd = scroller.scrollHeight - scroller.scrollTop;
      // From the last to the first, each in front of the one behind it.
      for (const update of updates?.toReversed() ?? []) if (!document.getElementById(update.turn.id)) this.show(update);
      button.hidden = !history.hasMore;
      scroller.scrollTop = scroller.scrollHeight - fromEnd;
    });
  }

  show(update: Update): void {
    const { turn } = update;
    if (update.isDeleted) {
      this.forget(turn.id);
      return;
    }
    const before = this.#updates.get(turn.id);
    this.#updates.set(turn.id, update);
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
    item.dataset.place = `${update.injection}.${update.chunk}`;
    // Words that grow are read out once, when they are all there.
    item.ariaBusy = String(update.isDraft);
    // Made by the same escaping template as the server's page.
    item.innerHTML = turnBody(turn, this.#speaker).text;
    if (!isKnown) {
      const items = [...this.#list.children] as HTMLElement[];
      const before = items.findLastIndex((other) => {
        const place = placeOf(other);
        return place !== undefined && isBefore(place, update);
      });
      const first = items.findIndex(placeOf);
      this.#list.insertBefore(item, items[before >= 0 ? before + 1 : first] ?? null);
      byId('empty').hidden = true;
    }
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
  }

  /** Takes a turn out that was deleted. */
  forget(turnId: string): void {
    this.#updates.delete(turnId);
    document.getElementById(turnId)?.remove();
    byId('empty').hidden = this.#list.children.length > 0;
  }

  /** Puts a player where the button was. */
  #play(link: HTMLAnchorElement): void {
    const isVideo = link.dataset.play === 'video';
    const player = document.createElement(isVideo ? 'video' : 'audio');
    player.controls = true;
    player.autoplay = true;
    player.className = 'player';
    if (player instanceof HTMLVideoElement) {
      player.playsInline = true;
      if (this.#speaker.still) player.poster = this.#speaker.still;
    }
    player.src = link.dataset.src ?? '';
    link.closest('.media-row')?.before(player);
    link.hidden = true;
  }
}
