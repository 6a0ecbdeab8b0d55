/**
 * Videos: asked for, found again, shown or hidden, cancelled. What a request names is fetched and its
 * highest price held before it is accepted; the video itself is made by `video-render.service.ts`.
 */

import type { GenerateVideoInput } from '../../../schema/inputs/video.ts';
import type { SharedVideo, Video, VideoRate } from '../../../schema/video.ts';
import type { Principal } from '../../auth/principal.ts';
import type { VoiceSettings } from '../../engines/ports/index.ts';
import { createBulkhead } from '../../kernel/bulkhead.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, busy, isRefusal, PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Visibility } from '../../kernel/media-options.ts';
import { PRICES, priceOfSeconds, videoRate } from '../../kernel/prices.ts';
import { newSlug, readSlug, SLUG_ATTEMPTS } from '../../kernel/slugs.ts';
import { insufficientCredits, openHolds, settleHold } from '../../ledger/holds.ts';
import { balanceOf } from '../../ledger/reads.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkRoom } from '../accounts/quota.service.ts';
import { users } from '../accounts/user.repository.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Voices } from '../speech/voice.service.ts';
import { notifyWebhooks } from '../webhooks/webhook-events.queries.ts';
import { checkWaiting } from '../work/waiting-work.service.ts';
import {
  avatarsToFeature,
  insertVideo,
  type NewVideo,
  ownVideos,
  queuedBefore,
  showVideo,
  type VideoRow,
} from './video.queries.ts';
import { videos } from './video.repository.ts';
import { type Featured, type Fetched, fetchMedia, type KeptRequest, keepMedia } from './video-input.service.ts';
import { namedIn, pickModel, readVideoInput, type VideoFields } from './video-plan.rules.ts';

/** The shortest video that is made. */
const LEAST_SECONDS = 0.5;
/** Requests whose media are being fetched, in this process: each may hold a video of 64 MB in memory. */
const FETCHING_AT_ONCE = 4;
const FETCHING_WAITING = 64;
/** Of one account: the others find room beside it. */
const FETCHING_WAITING_OF_ONE = 16;
/** What the ledger shows. */
const VIDEO_LABEL = 'svc-video';
/** Newest first. */
const VIDEOS: Listing<{ id: string }> = { name: 'Video', order: 'desc', keyOf: ({ id }) => id };

/** The avatars of a request, and how they are seen. */
interface Cast {
  /** All that are named, for `referencedAvatars`. */
  all: Featured[];
  /** Shown as stills in the video. */
  shown: Featured[];
  opening: Featured | undefined;
  voice: VoiceSettings | undefined;
}

type Owned = Featured & { ttsVoiceId: string | null };

type Needs = Pick<
  Platform,
  'db' | 'clock' | 'config' | 'links' | 'store' | 'safeFetch' | 'engines' | 'decoders' | 'jobs' | 'log' | 'audit'
>;

export class Videos {
  readonly #p: Needs;
  readonly #voices: Voices;
  readonly #removals: MediaRemovals;
  readonly #bulkhead = createBulkhead({
    atOnce: FETCHING_AT_ONCE,
    atOnceOfOne: FETCHING_AT_ONCE - 1,
    waiting: FETCHING_WAITING,
    waitingOfOne: FETCHING_WAITING_OF_ONE,
  });

  constructor(platform: Needs, voices: Voices, removals: MediaRemovals) {
    this.#p = platform;
    this.#removals = removals;
    this.#voices = voices;
  }

  /** Accepts a video. Throws 400 naming the field, 402 with both amounts, 404 for an avatar, 502; then nothing is held. */
  async start(principal: Principal, input: GenerateVideoInput): Promise<Video> {
    const fields = readVideoInput(input);
    const cast = await this.#cast(principal, fields);
    const opening = fields.opening === 'avatar' && !cast.opening ? null : fields.opening;
    const model = pickModel({ ...fields, opening }, cast.shown.length + (opening ? 1 : 0));
    await this.#checkFunds(principal, fields, cast);
    return this.#bulkhead({ account: principal.userId }, async () => {
      const fetched = await fetchMedia(this.#p, principal.userId, fields);
      const seconds = await this.#seconds(principal.userId, fields, model, cast, fetched);
      const id = newId('vid', this.#p.clock.now());
      const folder = `videos/${id}/`;
      try {
        const kept = await keepMedia(this.#p, folder, fetched);
        const request = keptRequest(fields, model, cast, kept);
        const video = await this.#accept(principal, id, fields, request, cast.all, seconds);
        this.#p.log.info({ videoId: id, model, seconds }, 'video accepted');
        return video;
      } catch (error) {
        await this.#p.store.removePrefix(folder);
        throw error;
      }
    });
  }

  /** A video of the caller's; an app's token sees only what its app asked for. Else 404. */
  async read(principal: Principal, generationId: string): Promise<Video> {
    return showVideo(this.#p, await this.#own(principal, generationId));
  }

  /** The caller's own of these; null for any other. For loaders. */
  async readAll(principal: Principal, ids: readonly string[]): Promise<(Video | null)[]> {
    const { userId, clientId = null } = principal;
    const rows = await ownVideos(this.#p.db, { ids, userId, clientId });
    const byId = new Map(rows.map((row) => [row.id, showVideo(this.#p, row)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** 1 for the next to be begun; null where a video does not wait. For loaders: the caller was let in before. */
  async queuePositions(ids: readonly string[]): Promise<(number | null)[]> {
    const before = new Map((await queuedBefore(this.#p.db, { ids })).map(({ id, count }) => [id, count ?? 0]));
    return ids.map((id) => {
      const count = before.get(id);
      return count === undefined ? null : count + 1;
    });
  }

  /** The caller's videos, newest first. */
  list(principal: Principal, page: PageRequest): Promise<Connection<Video>> {
    const read = (keyset: Keyset) => videos(this.#p.db.em()).ofUser(principal.userId, keyset);
    return readPage(page, VIDEOS, read, (row) => showVideo(this.#p, row));
  }

  /** By share slug: for everyone when public, else for who made it; to others it is unknown. */
  async shared(text: string, principal: Principal | undefined): Promise<SharedVideo> {
    const slug = readSlug(text, 'v');
    const row = slug ? await videos(this.#p.db.em()).withShareSlug(slug) : undefined;
    const isOwner = row !== undefined && principal?.userId === row.userId && !principal.scopes;
    if (!row || !(row.isPublic || isOwner)) throw new PlatformError('NOT_FOUND', 'Video not found.');
    return { video: showVideo(this.#p, row), isOwner };
  }

  async setVisibility(principal: Principal, generationId: string, visibility: Visibility): Promise<Video> {
    const isPublic = visibility === 'public';
    const row = await this.#own(principal, generationId);
    await this.#p.db.transaction(async (tx) => {
      await videos(tx.em).nativeUpdate({ id: row.id }, { isPublic });
      const about = { userId: principal.userId, subject: row.id, detail: visibility };
      this.#p.audit.record(tx, principal, 'visibility_changed', about);
    });
    return showVideo(this.#p, { ...row, isPublic });
  }

  /** Ends a video that is not ready, uncharged; one that has ended stays as it is. Its worker stops. */
  async cancel(principal: Principal, generationId: string): Promise<Video> {
    const { id } = await this.#own(principal, generationId);
    const nowMs = this.#p.clock.now();
    await this.#p.db.transaction(async (tx) => {
      const holdId = await videos(tx.em).holdOfUnended(id);
      // What ends the hold ends the video: the renderer that settles it, or this.
      if (!holdId || (await settleHold(tx, holdId, 0n, nowMs)) === undefined) return;
      await videos(tx.em).cancel(id);
      notifyWebhooks(tx, 'video', id, nowMs);
      tx.afterCommit(() => void this.#p.store.removePrefix(`videos/${id}/`).catch(() => {}));
    });
    return this.read(principal, id);
  }

  /** Deletes a video of the caller's, and its files; one that is not ready ends uncharged. Throws 404 for any other. */
  async delete(principal: Principal, generationId: string): Promise<void> {
    const { id } = await this.#own(principal, generationId);
    await this.#p.db.transaction(async (tx) => {
      const holdId = await videos(tx.em).holdOfUnended(id);
      if (holdId) await settleHold(tx, holdId, 0n, this.#p.clock.now());
      const video = await videos(tx.em).findOne({ id });
      if (!video) return;
      await this.#removals.add(tx, {
        owned: [video.mediaKey ?? null, video.stillKey ?? null],
        others: [`videos/${id}/`],
      });
      await videos(tx.em).nativeDelete({ id });
    });
    this.#p.log.info({ videoId: id }, 'video deleted');
  }

  /** Rates per second of finished video. */
  pricing(): VideoRate[] {
    const { draft, standard, high } = PRICES.videoPerSecond;
    return [
      { tier: 'draft', creditsPerSecond: draft, appliesTo: 'draft true' },
      { tier: 'standard', creditsPerSecond: standard, appliesTo: '720p at 24 fps' },
      { tier: 'high', creditsPerSecond: high, appliesTo: '1080p or 48 fps' },
    ];
  }

  /** Who is featured: ids before names, three in all, every one the caller's own. */
  async #cast(principal: Principal, fields: VideoFields): Promise<Cast> {
    const { avatarId, avatarIds, prompt } = fields;
    const ids = [...new Set([...(avatarId ? [avatarId] : []), ...avatarIds])];
    if (ids.length > LIMITS.featuredAvatars) {
      throw badInput('avatarIds', `and avatarId may name at most ${LIMITS.featuredAvatars} avatars in all.`);
    }
    const mine = await avatarsToFeature(this.#p.db, { userId: principal.userId, ids, prompt });
    const byId = ids.map((id) => mine.find((avatar) => avatar.id === id));
    if (byId.includes(undefined)) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    const named = namedIn(prompt, mine);
    const all = [...new Set([...(byId as Owned[]), ...named])].slice(0, LIMITS.featuredAvatars);
    const main = avatarId ? byId[0] : undefined;
    const opening = fields.opening === 'avatar' && main?.imageKey ? main : undefined;
    const voice = fields.speechText === null ? undefined : await this.#voiceOf(principal, main);
    // With `image: null` the avatar lends its voice alone, unless it is featured by name or id as well.
    const isSeen = (avatar: Owned) =>
      avatar !== main || fields.opening !== null || fields.srcVideo !== null || fields.model === 'scene';
    const shown = all.filter(
      (avatar) =>
        avatar.imageKey &&
        avatar !== opening &&
        (isSeen(avatar) || named.includes(avatar) || avatarIds.includes(avatar.id)),
    );
    return { all, shown, opening, voice };
  }

  async #voiceOf(principal: Principal, avatar: Owned | undefined): Promise<VoiceSettings> {
    const voice = avatar?.ttsVoiceId && (await this.#voices.settingsOf(avatar.ttsVoiceId, principal.userId));
    if (!voice) throw badInput('speechText', 'needs an avatar with a voice.');
    return voice;
  }

  /** Throws 402 for who cannot pay what it costs at least, before up to 64 MB are fetched for it. The hold says the rest. */
  async #checkFunds(principal: Principal, fields: VideoFields, cast: Cast): Promise<void> {
    const seconds = fields.speechText === null ? LEAST_SECONDS : this.#spokenSeconds(fields.speechText, cast);
    const least = priceOfSeconds(videoRate(fields), seconds);
    const { available } = await balanceOf(this.#p.db, principal.userId);
    if (available < least) throw insufficientCredits(least, available, true);
  }

  #spokenSeconds(text: string, cast: Cast): number {
    return Math.max(LEAST_SECONDS, this.#p.engines.speech.estimateSeconds(text, cast.voice!));
  }

  /** Seconds to hold for: what is spoken or heard sets the length, else the engine estimates it. */
  async #seconds(
    owner: string,
    fields: VideoFields,
    model: KeptRequest['model'],
    cast: Cast,
    fetched: Fetched,
  ): Promise<number> {
    if (fields.speechText !== null) return this.#spokenSeconds(fields.speechText, cast);
    const { audio, ...rest } = fetched;
    if (audio) return Math.max(LEAST_SECONDS, audio.pcm.length / audio.rate);
    const { prompt, duration } = fields;
    try {
      return await this.#p.engines.video.seconds({
        owner,
        prompt,
        model,
        ...rest,
        ...(duration === null ? {} : { duration }),
      });
    } catch (error) {
      if (isRefusal(error) || (error instanceof PlatformError && error.code === 'UNAVAILABLE')) throw error;
      throw new PlatformError('UPSTREAM_FAILED', 'The video could not be started.', { cause: error });
    }
  }

  async #accept(
    principal: Principal,
    id: string,
    fields: VideoFields,
    request: KeptRequest,
    featured: Featured[],
    seconds: number,
  ): Promise<Video> {
    const nowMs = this.#p.clock.now();
    await checkRoom(this.#p.db, this.#p.config, principal.userId, 'storageBytes');
    const price = priceOfSeconds(videoRate(fields), seconds);
    const hold = {
      source: `video:${id}`,
      kind: VIDEO_LABEL,
      userId: principal.userId,
      amount: price,
      revealBalance: true,
    };
    return this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(principal.userId);
      const [holdId] = await openHolds(tx, [hold], nowMs);
      // Behind the lock of the account, so that no other transaction counts its videos meanwhile.
      await checkWaiting(tx, { account: principal.userId, kinds: ['video'] });
      const referenced = featured.map(({ id: avatarId, name }) => ({ id: avatarId, name }));
      const row = await this.#insert(tx, {
        id,
        userId: principal.userId,
        clientId: principal.clientId ?? null,
        request: JSON.stringify(request),
        model: request.model,
        referencedAvatars: JSON.stringify(referenced),
        isPublic: fields.isPublic,
        seconds,
        creditCost: price,
        holdId: holdId!,
        createdAt: nowMs,
      });
      await this.#p.jobs.enqueue(tx, 'video', { id, account: principal.userId });
      const video = showVideo(this.#p, row);
      keepResult(tx, principal, video);
      return video;
    });
  }

  /** Inserts a video, drawing another slug when one is taken. */
  async #insert(tx: Tx, video: Omit<NewVideo, 'shareSlug'>): Promise<VideoRow> {
    for (let attempt = 1; attempt <= SLUG_ATTEMPTS; attempt += 1) {
      const shareSlug = newSlug('v', this.#p.clock.now(), this.#p.config.SLUG_LENGTH);
      const [row] = await insertVideo(tx, { ...video, shareSlug });
      if (row) return row;
    }
    throw busy('No free slug was found: try again.', { seconds: 1 });
  }

  async #own(principal: Principal, id: string): Promise<VideoRow> {
    const { userId, clientId = null } = principal;
    const [row] = await ownVideos(this.#p.db, { ids: [id], userId, clientId });
    if (!row) throw new PlatformError('NOT_FOUND', 'Video not found.');
    return row;
  }
}

function keptRequest(
  fields: VideoFields,
  model: KeptRequest['model'],
  cast: Cast,
  kept: Awaited<ReturnType<typeof keepMedia>>,
): KeptRequest {
  const { prompt, duration, resolution, fps, aspectRatio, seed, draft, saveAudio, promptUpsampling, speechText } =
    fields;
  return {
    ...{ prompt, model, duration, resolution, fps, aspectRatio, seed, draft, saveAudio, promptUpsampling },
    ...kept,
    imageKey: kept.imageKey ?? cast.opening?.imageKey ?? null,
    imageRig: kept.imageKey ? null : (cast.opening?.rig ?? null),
    references: cast.shown.map(({ imageKey, name, rig }) => ({ key: imageKey!, name, rig })),
    speech: speechText === null ? null : { text: speechText, voice: cast.voice! },
  };
}
