/** The turns of a conversation as a list: they appear and change as they happen, and recordings play in place. */
import { type Speaker, turnBody } from '../../turn-view.ts';
import { byId } from '../lib/page.ts';
import type { Update } from '../viewer/feed.ts';

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

export class TurnList {
  readonly #list = byId('turns');
  readonly #speaker: Speaker;
  /** Injection and chunk of each shown turn, as soon as the feed told them. */
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

  show(update: Update): void {
    const { turn } = update;
    if (update.isDeleted) {
      this.#forget(turn.id);
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
    // Words that grow are read out once, when they are all there.
    item.ariaBusy = String(update.isDraft);
    // Made by the same escaping template as the server's page.
    item.innerHTML = turnBody(turn, this.#speaker).text;
    if (!isKnown) {
      const next = [...this.#list.children].find((other) => {
        const shown = this.#updates.get(other.id);
        return shown !== undefined && isBefore(update, shown);
      });
      this.#list.insertBefore(item, next ?? null);
      byId('empty').hidden = true;
    }
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
  }

  #forget(turnId: string): void {
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
