/**
 * Training: the pages an avatar names are fetched, read and cut into passages that replace its knowledge
 * in one transaction; until then the old knowledge answers. A page that fails is named and the rest is kept. It fetches
 * through `safeFetch` only.
 */

import { LockMode } from '@mikro-orm/core';
import type { QueuedTraining, Training as TrainingView } from '../../../schema/brain.ts';
import { AvatarEntity, type TrainingEntity } from '../../../schema/entities/avatars.ts';
import type { Principal } from '../../auth/principal.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { upperFirst } from '../../text/letters.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { notifyWebhooks } from '../webhooks/webhook-events.queries.ts';
import { type Attempts, isFinal } from '../work/attempt-failure.rules.ts';
import { checkWaiting } from '../work/waiting-work.service.ts';
import { type KnowledgePassage, replaceKnowledge } from './memory/memory.repository.ts';
import { readPage } from './memory/page-reader.service.ts';
import { passages } from './memory/passages.codec.ts';
import { latestTrainings } from './training.queries.ts';
import { trainings } from './training.repository.ts';

const PAGES_AT_ONCE = 3;
const ALL_FAILED = 'No page of knowledgeBaseUrls could be read; what was learned before is kept.';

type Needs = Pick<Platform, 'db' | 'clock' | 'jobs' | 'log' | 'safeFetch'>;

interface Failure {
  url: string;
  reason: string;
}

/** A training that was begun, and what its avatar names at that time. */
interface Claimed {
  id: string;
  avatarId: string;
  urls: string[];
  personalityPrompt: string | null;
}

/** The attempt of a training's job. */
export interface TrainingRun extends Attempts {
  id: string;
  /** Aborted when the worker stops. */
  signal: AbortSignal;
}

export class Training {
  readonly #p: Needs;

  constructor(platform: Needs) {
    this.#p = platform;
  }

  /** Queues a training of an own avatar; one that waits already is that one. 404 not yours, 502 when it cannot be queued. */
  async train(principal: Principal, avatarId: string): Promise<QueuedTraining> {
    try {
      return await this.#queue(principal, avatarId);
    } catch (cause) {
      if (cause instanceof PlatformError) throw cause;
      throw new PlatformError('UPSTREAM_FAILED', 'The training service failed: nothing was queued.', { cause });
    }
  }

  async #queue(principal: Principal, avatarId: string): Promise<QueuedTraining> {
    const id = newId('trg', this.#p.clock.now());
    return this.#p.db.transaction(async (tx) => {
      const avatar = await avatars(tx.em).lockOwned(avatarId, principal.userId);
      const total = avatar.knowledgeBaseUrls.length;
      const isQueued = await trainings(tx.em).queue({ id, avatar: avatarId, total, requestedAt: this.#p.clock.now() });
      if (isQueued) {
        await checkWaiting(tx, { account: principal.userId, kinds: ['train'] });
        await this.#p.jobs.enqueue(tx, 'train', { id, account: principal.userId });
      }
      return { ok: true, avatarId, status: 'queued', gemRef: avatar.gemRef ?? null };
    });
  }

  /** The latest training of an own avatar; null before the first. */
  async latest(principal: Principal, avatarId: string): Promise<TrainingView | null> {
    const em = this.#p.db.em();
    await avatars(em).owned(avatarId, principal.userId);
    const latest = await trainings(em).latest(avatarId);
    return latest && showTraining(latest);
  }

  /** The latest training of each avatar that is the caller's own, else null. For the loader behind `Avatar.training`. */
  async latestOfAll(principal: Principal | undefined, avatarIds: readonly string[]): Promise<(TrainingView | null)[]> {
    if (!principal || principal.scopes) return avatarIds.map(() => null);
    const rows = await latestTrainings(this.#p.db, { avatarIds: [...avatarIds], ownerId: principal.userId });
    const byAvatar = new Map(rows.map((row) => [row.avatarId, row as TrainingView]));
    return avatarIds.map((id) => byAvatar.get(id) ?? null);
  }

  /** Does a queued training. Safe to run again after a death; a newer training makes it give way. */
  async run({ id, signal, ...attempts }: TrainingRun): Promise<void> {
    const startedMs = this.#p.clock.now();
    const training = await this.#claim(id);
    if (!training) return;
    try {
      const failures: Failure[] = [];
      const found = await this.#read(training, failures, signal);
      const outcome = await this.#finish(training, found, failures);
      this.#p.log.info(
        { avatarId: training.avatarId, trainingId: id, ...outcome, ms: this.#p.clock.now() - startedMs },
        'training ended',
      );
    } catch (error) {
      if (!signal.aborted && isFinal(error, attempts)) await this.#fail(id);
      throw error;
    }
  }

  /** Begins it, or begins it anew; undefined where it has ended. */
  #claim(id: string): Promise<Claimed | undefined> {
    return this.#p.db.transaction(async (tx) => {
      const training = await trainings(tx.em).lockUnfinished(id);
      if (!training) return undefined;
      const avatarId = training.avatar.id;
      const { knowledgeBaseUrls: urls, personalityPrompt } = await tx.em.findOneOrFail(AvatarEntity, { id: avatarId });
      tx.em.assign(training, { status: 'running', done: 0, failures: [], total: urls.length });
      return { id, avatarId, urls, personalityPrompt: personalityPrompt ?? null };
    });
  }

  /** The passages of every page, in the order of the pages, behind those of the persona. */
  async #read(training: Claimed, failures: Failure[], signal: AbortSignal): Promise<KnowledgePassage[]> {
    const { urls, personalityPrompt } = training;
    const own = personalityPrompt ? passages(personalityPrompt).map(({ text }) => ({ text, source: null })) : [];
    const found: KnowledgePassage[][] = urls.map(() => []);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < urls.length) {
        const at = next;
        next += 1;
        const url = urls[at]!;
        try {
          found[at] = await this.#page(url, signal);
        } catch (error) {
          if (!(error instanceof PlatformError) || signal.aborted) throw error;
          this.#p.log.info({ err: error, url, trainingId: training.id }, 'training page not read');
          failures.push({ url, reason: reasonOf(error) });
        }
        await trainings(this.#p.db.em()).countPage(training.id, failures);
      }
    };
    await Promise.all(Array.from({ length: Math.min(PAGES_AT_ONCE, urls.length) }, work));
    failures.sort((a, b) => urls.indexOf(a.url) - urls.indexOf(b.url));
    return [...own, ...found.flat()];
  }

  async #page(url: string, signal: AbortSignal): Promise<KnowledgePassage[]> {
    const request = { field: 'knowledgeBaseUrls', maxBytes: LIMITS.pageBytes, accept: 'page' as const, signal };
    const { bytes, contentType } = await this.#p.safeFetch(url, request);
    const { text, title } = await readPage({ bytes, contentType: contentType ?? '' }, { signal });
    return passages(text, { title }).map((passage) => ({ text: passage.text, source: url }));
  }

  /** Replaces the knowledge, writes gemRef and ends the training: all of it or nothing. */
  async #finish(
    { id, avatarId, urls }: Claimed,
    read: KnowledgePassage[],
    failures: Failure[],
  ): Promise<{ status: string; pages: number; failed: number; passages: number }> {
    const nowMs = this.#p.clock.now();
    return this.#p.db.transaction(async (tx) => {
      // Trainings of one avatar end one after another, so that the newest is the one that stays.
      const avatar = await tx.em.findOne(AvatarEntity, avatarId, { lockMode: LockMode.PESSIMISTIC_WRITE });
      // A page that was taken off the list meanwhile is not known.
      const listed = new Set(avatar?.knowledgeBaseUrls);
      const found = read.filter(({ source }) => source === null || listed.has(source));
      const counts = { pages: urls.length, failed: failures.length, passages: found.length };
      const end = async (status: TrainingEntity['status'], error: string | null = null) => {
        const learned = status === 'trained' ? found.length : 0;
        const outcome = { status, error, failures, passages: learned, finishedAt: nowMs };
        const hasEnded = await trainings(tx.em).end(id, outcome);
        notifyWebhooks(tx, 'training', id, nowMs);
        return hasEnded;
      };
      if (await trainings(tx.em).hasNewer(avatarId, id)) {
        await end('superseded');
        return { status: 'superseded', ...counts };
      }
      if (urls.length > 0 && failures.length === urls.length) {
        await end('failed', ALL_FAILED);
        return { status: 'failed', ...counts };
      }
      // Another attempt of this job ended it already, or the avatar is gone, and its trainings with it.
      if (!avatar || !(await end('trained'))) return { status: 'ended before', ...counts };
      tx.em.assign(avatar, { gemRef: newId('gem', nowMs), updatedAt: nowMs });
      await replaceKnowledge(tx, avatarId, found, nowMs);
      return { status: 'trained', ...counts };
    });
  }

  async #fail(id: string): Promise<void> {
    const error = 'Something went wrong on our side; what was learned before is kept.';
    const finishedAt = this.#p.clock.now();
    await this.#p.db.transaction(async (tx) => {
      await trainings(tx.em).end(id, { status: 'failed', error, finishedAt });
      notifyWebhooks(tx, 'training', id, finishedAt);
    });
  }
}

const showTraining = (row: TrainingEntity): TrainingView => ({
  status: row.status,
  done: row.done,
  total: row.total,
  passages: row.passages,
  failures: row.failures,
  error: row.error ?? null,
  requestedAt: row.requestedAt,
  finishedAt: row.finishedAt ?? null,
});

/** The public sentence of a failure, without the name of the field that holds all pages. */
function reasonOf(error: PlatformError): string {
  const text = error.message.replace(/^knowledgeBaseUrls /, '');
  return upperFirst(text);
}
