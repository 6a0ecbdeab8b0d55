/**
 * Training: the pages an avatar names are fetched, read and cut into passages that replace its knowledge
 * in one transaction; until then the old knowledge answers. A page that fails is named and the rest is kept. It fetches
 * through `safeFetch` only.
 */
import type { QueuedTraining, Training as TrainingView } from '../../../schema/brain.ts';
import type { Principal } from '../../auth/principal.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Platform } from '../platform.ts';
import { passages } from './memory/knowledge.ts';
import { readPage } from './memory/page-reader.ts';
import { type KnowledgePassage, replaceKnowledge } from './memory/pages.ts';
import { inTransaction } from './memory/transaction.ts';

const PAGES_AT_ONCE = 3;
const ALL_FAILED = 'No page of knowledgeBaseUrls could be read; what was learned before is kept.';

type Needs = Pick<Platform, 'db' | 'clock' | 'jobs' | 'log' | 'safeFetch'>;

interface Failure {
  url: string;
  reason: string;
}

interface Claimed extends Record<string, unknown> {
  id: string;
  avatarId: string;
  urls: string[];
  personalityPrompt: string | null;
}

export interface TrainingRun {
  id: string;
  /** After it nobody tries again. */
  isLastAttempt: boolean;
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
      const [avatar] = await tx.rows<{ gemRef: string | null; total: number }>(
        `select gem_ref as "gemRef", jsonb_array_length(knowledge_base_urls) as total from avatar
         where id = $1 and owner_user_id = $2`,
        [avatarId, principal.userId],
      );
      if (!avatar) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
      const queued = await tx.rows(
        `insert into training (id, avatar_id, status, total, requested_at) values ($1, $2, 'queued', $3, $4)
         on conflict (avatar_id) where status = 'queued' do nothing returning id`,
        [id, avatarId, avatar.total, this.#p.clock.now()],
      );
      if (queued.length > 0) await this.#p.jobs.enqueue(tx, 'train', { id, account: principal.userId });
      return { ok: true, status: 'queued', gemRef: avatar.gemRef };
    });
  }

  /** The latest training of an own avatar; null before the first. */
  async latest(principal: Principal, avatarId: string): Promise<TrainingView | null> {
    const [row] = await this.#p.db.rows<Record<string, unknown>>(
      `select a.id as "avatarId", t.status, t.done, t.total, t.passages, t.failures, t.error,
         t.requested_at as "requestedAt", t.finished_at as "finishedAt"
       from avatar a left join training t on t.avatar_id = a.id
       where a.id = $1 and a.owner_user_id = $2 order by t.requested_at desc, t.id desc limit 1`,
      [avatarId, principal.userId],
    );
    if (!row) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    return row.status === null ? null : (row as unknown as TrainingView);
  }

  /** Does a queued training. Safe to run again after a death; a newer training makes it give way. */
  async run({ id, isLastAttempt, signal }: TrainingRun): Promise<void> {
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
      if (isLastAttempt && !signal.aborted) await this.#fail(id);
      throw error;
    }
  }

  async #claim(id: string): Promise<Claimed | undefined> {
    const [row] = await this.#p.db.rows<Claimed>(
      `update training t set status = 'running', done = 0, failures = '[]',
         total = jsonb_array_length(a.knowledge_base_urls)
       from avatar a where t.id = $1 and a.id = t.avatar_id and t.status in ('queued', 'running')
       returning t.id, t.avatar_id as "avatarId", a.knowledge_base_urls as urls,
         a.personality_prompt as "personalityPrompt"`,
      [id],
    );
    return row;
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
        await this.#progress(training.id, failures);
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

  async #progress(id: string, failures: Failure[]): Promise<void> {
    await this.#p.db.rows(
      `update training set done = least(done + 1, total), failures = $2 where id = $1 and status = 'running'`,
      [id, JSON.stringify(failures)],
    );
  }

  /** Replaces the knowledge, writes gemRef and ends the training: all of it or nothing. */
  async #finish(
    { id, avatarId, urls }: Claimed,
    found: KnowledgePassage[],
    failures: Failure[],
  ): Promise<{ status: string; pages: number; failed: number; passages: number }> {
    const nowMs = this.#p.clock.now();
    const counts = { pages: urls.length, failed: failures.length, passages: found.length };
    return this.#p.db.transaction(async (tx) => {
      // Trainings of one avatar end one after another, so that the newest is the one that stays.
      await tx.rows('select 1 from avatar where id = $1 for update', [avatarId]);
      const end = async (status: string, error: string | null = null) => {
        const ended = await tx.rows(
          `update training set status = $2, error = $3, failures = $4, passages = $5, finished_at = $6
           where id = $1 and status = 'running' returning id`,
          [id, status, error, JSON.stringify(failures), status === 'trained' ? found.length : 0, nowMs],
        );
        return ended.length > 0;
      };
      const newer = await tx.rows(
        `select 1 from training t join training o on o.avatar_id = t.avatar_id
         where t.id = $1 and o.id > t.id and o.status = 'trained' limit 1`,
        [id],
      );
      if (newer.length > 0) {
        await end('superseded');
        return { status: 'superseded', ...counts };
      }
      if (urls.length > 0 && failures.length === urls.length) {
        await end('failed', ALL_FAILED);
        return { status: 'failed', ...counts };
      }
      // Another try of this job ended it already.
      if (!(await end('trained'))) return { status: 'ended before', ...counts };
      await tx.rows('update avatar set gem_ref = $2, updated_at = $3 where id = $1', [
        avatarId,
        newId('gem', nowMs),
        nowMs,
      ]);
      await replaceKnowledge(inTransaction(tx), avatarId, found, nowMs);
      return { status: 'trained', ...counts };
    });
  }

  async #fail(id: string): Promise<void> {
    await this.#p.db.rows(
      `update training set status = 'failed', error = $2, finished_at = $3 where id = $1 and status = 'running'`,
      [id, 'Something went wrong on our side; what was learned before is kept.', this.#p.clock.now()],
    );
  }
}

/** The public sentence of a failure, without the name of the field that holds all pages. */
function reasonOf(error: PlatformError): string {
  const text = error.message.replace(/^knowledgeBaseUrls /, '');
  return text[0]!.toUpperCase() + text.slice(1);
}
