/** Says what has finished to those who do not see it, in a polite live region. */
import type { AccountUpdate } from '../../../../clients/typescript/src/graphql.ts';

/** What an update says has ended, and how; undefined while it goes on, or for what nobody waits for. */
export function outcomeOf(update: AccountUpdate): string | undefined {
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
      return `${update.received.fromDisplayName ?? 'Somebody'} gave you ${update.received.amount} credits.`;
    case 'TrainingUpdate':
      if (update.training?.status === 'trained') return 'Your avatar has read its pages.';
      return update.training?.status === 'failed' ? 'Your avatar could not read its pages.' : undefined;
    default:
      return undefined;
  }
}

/** What is there at once: its first update is its last. */
const AT_ONCE: readonly string[] = ['image', 'gift'] satisfies AccountUpdate['kind'][];

/** The live region, and what it has said. */
export class Announcer {
  readonly #place = document.createElement('p');
  /** Subjects that were being made when they were last heard of; what ended before and changes later is not told. */
  readonly #working = new Set<string>();
  readonly #said = new Map<string, string>();

  constructor() {
    this.#place.id = 'announced';
    this.#place.className = 'visually-hidden';
    this.#place.role = 'status';
    document.body.append(this.#place);
    for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-working]')) {
      this.#working.add(dataset.working ?? '');
    }
  }

  hear(update: AccountUpdate): void {
    const { kind, subjectId } = update;
    const outcome = outcomeOf(update);
    if (outcome === undefined) this.#working.add(subjectId);
    else if ((AT_ONCE.includes(kind) || this.#working.has(subjectId)) && this.#said.get(subjectId) !== outcome) {
      this.#said.set(subjectId, outcome);
      this.#place.textContent = outcome;
    }
  }
}
