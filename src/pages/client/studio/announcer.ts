/** Says what has finished to those who do not see it, in a polite live region. */
import type { AccountUpdate } from '../../../../clients/typescript/src/graphql.ts';

/** What an update says has ended, and how; undefined while it goes on, or for what no user waits for. */
function outcomeOf(update: AccountUpdate): string | undefined {
  switch (update.__typename) {
    case 'VideoUpdate':
      if (update.video?.status === 'ready') return 'Your video is ready.';
      return update.video?.status === 'error' ? 'Your video could not be made.' : undefined;
    case 'SpeechUpdate':
      if (update.speech?.status === 'audio') return 'Your speech can be played.';
      if (update.speech?.status === 'video') return 'Your talking video is ready.';
      return update.speech?.status === 'error' ? 'Your speech could not be made.' : undefined;
    case 'ImageUpdate':
      return update.image ? 'Your image is ready.' : undefined;
    case 'GiftUpdate':
      if (!update.received) return undefined;
      return `${update.received.fromDisplayName ?? 'A user'} gave you ${update.received.amount} credits.`;
    case 'TrainingUpdate':
      if (update.training?.status === 'trained') return 'Your avatar has read its pages.';
      return update.training?.status === 'failed' ? 'Your avatar could not read its pages.' : undefined;
    default:
      return undefined;
  }
}

/** When what an update is about was begun; undefined for what has no beginning of its own. */
function begunMs(update: AccountUpdate): number | undefined {
  switch (update.__typename) {
    case 'VideoUpdate':
      return update.video?.createdAt;
    case 'SpeechUpdate':
      return update.speech?.createdAt;
    case 'ImageUpdate':
      return update.image?.createdAt;
    case 'GiftUpdate':
      return update.received?.createdAt;
    default:
      return undefined;
  }
}

/** The live region, and what it has said. */
export class Announcer {
  readonly #place = document.createElement('p');
  readonly #sinceMs: number;
  /** Subjects that were being made when they were last heard of; what ended before and changes later is not announced. */
  readonly #working = new Set<string>();
  readonly #said = new Map<string, string>();

  /** @param sinceMs when the page was made: what was begun later has not ended before */
  constructor(sinceMs: number) {
    this.#sinceMs = sinceMs;
    this.#place.id = 'announced';
    this.#place.className = 'visually-hidden';
    this.#place.role = 'status';
    document.body.append(this.#place);
    for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-working]')) {
      this.#working.add(dataset.working ?? '');
    }
  }

  hear(update: AccountUpdate): void {
    const { subjectId } = update;
    const outcome = outcomeOf(update);
    if (outcome === undefined) {
      this.#working.add(subjectId);
      return;
    }
    const isAwaited = this.#working.has(subjectId) || (begunMs(update) ?? 0) >= this.#sinceMs;
    if (!isAwaited || this.#said.get(subjectId) === outcome) return;
    this.#said.set(subjectId, outcome);
    this.#place.textContent = outcome;
  }
}
