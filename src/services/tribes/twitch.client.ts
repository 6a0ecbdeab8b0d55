/**
 * Twitch as streaming platform: its OAuth sign-in proves a name, its Helix API says whether someone subscribes to a
 * creator. The member's own token asks, because Twitch answers no other; it is sealed at rest, renewed once when it has
 * expired, and never logged.
 */
import type { Database } from '../../kernel/database.ts';
import { PlatformError, refusedInput } from '../../kernel/errors.ts';
import { upstreamFailure } from '../../kernel/remote-calls.ts';
import type { Seal } from '../../kernel/sealing.ts';
import { streamAccounts } from './stream-account.repository.ts';
import type { ProvedAccount, StreamPlatform } from './stream-platform.port.ts';

const SCOPE = 'user:read:subscriptions';

/** The app registered at Twitch, and where tokens are kept. */
export interface TwitchOptions {
  db: Pick<Database, 'em'>;
  seal: Seal;
  clientId: string;
  clientSecret: string;
  /** Address of Helix, and of the sign-in. */
  apiUrl: string;
  authUrl: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Where the sign-in sends the browser back to. */
  redirectUri: string;
}

/** The two accounts by their ids at the platform. */
interface Linked {
  creatorId: string;
  memberId: string;
}

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

export class Twitch implements StreamPlatform {
  readonly #o: TwitchOptions;
  readonly signIn: NonNullable<StreamPlatform['signIn']>;

  constructor(options: TwitchOptions) {
    this.#o = options;
    this.signIn = { url: (state) => this.#signInUrl(state), prove: (code) => this.#prove(code) };
  }

  /** False when either side has not linked an account; else what Helix says, with a fresh token if it takes one. */
  async isSubscribed(creatorUserId: string, memberUserId: string): Promise<boolean> {
    const pair = await streamAccounts(this.#o.db.em()).pair(creatorUserId, memberUserId);
    if (!pair?.member.accessToken || !pair.member.refreshToken) return false;
    const { accessToken, refreshToken, platformUserId: memberId } = pair.member;
    const linked = { creatorId: pair.creator.platformUserId, memberId };
    const known = await this.#ask(linked, this.#o.seal.open(accessToken, memberUserId));
    if (known !== 'expired') return known;
    const answer = await this.#ask(linked, await this.#renew(memberUserId, refreshToken));
    if (answer === 'expired') throw upstream('The streaming platform refused the token it has just renewed.');
    return answer;
  }

  /** Helix "Check User Subscription": 200 with the subscription, 404 without one, 401 for a token that has expired. */
  async #ask(linked: Linked, accessToken: string): Promise<boolean | 'expired'> {
    const query = new URLSearchParams({ broadcaster_id: linked.creatorId, user_id: linked.memberId });
    const response = await this.#fetch(`${this.#o.apiUrl}/helix/subscriptions/user?${query}`, {
      headers: { authorization: `Bearer ${accessToken}`, 'client-id': this.#o.clientId },
    });
    if (response.status === 401) return 'expired';
    if (response.status === 404) return false;
    if (response.status !== 200) throw upstream(`The streaming platform answered ${response.status}.`);
    const { data } = await readJson<{ data?: { broadcaster_id?: string }[] }>(response);
    if (!Array.isArray(data)) throw upstream('The streaming platform answered without a list of subscriptions.');
    return data.some((subscription) => subscription.broadcaster_id === linked.creatorId);
  }

  /**
   * Renews a member's token; returns the new one. When Twitch refuses, the link is dropped and this join fails
   * uncharged: a user who then joins again without linking again pays the full price.
   */
  async #renew(userId: string, sealedRefresh: string): Promise<string> {
    const { seal, open } = this.#o.seal;
    const grant = { grant_type: 'refresh_token', refresh_token: open(sealedRefresh, userId) };
    const response = await this.#token(grant);
    if (response.status === 400 || response.status === 401) {
      const accounts = streamAccounts(this.#o.db.em());
      const isDropped = await accounts.dropTokens(userId, sealedRefresh);
      // A refresh token works once: another join of the same moment has renewed it, and what it got stands.
      const renewed = isDropped ? null : await accounts.accessToken(userId);
      if (renewed) return open(renewed, userId);
      throw upstream(
        'The streaming platform no longer accepts your link: link your account again to join as subscriber.',
      );
    }
    const tokens = await readTokens(response);
    const { accessToken, refreshToken } = tokens;
    const sealed = { accessToken: seal(accessToken, userId), refreshToken: seal(refreshToken, userId) };
    await streamAccounts(this.#o.db.em()).keepTokens(userId, sealed);
    return accessToken;
  }

  #signInUrl(state: string): string {
    const query = new URLSearchParams({
      client_id: this.#o.clientId,
      redirect_uri: this.#o.redirectUri,
      response_type: 'code',
      scope: SCOPE,
      state,
    });
    return `${this.#o.authUrl}/oauth2/authorize?${query}`;
  }

  async #prove(code: string): Promise<ProvedAccount> {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: this.#o.redirectUri };
    const exchanged = await this.#token(grant);
    if (exchanged.status === 400 || exchanged.status === 401 || exchanged.status === 403) {
      throw refusedInput('code', 'The streaming platform does not accept this sign-in: start it again.');
    }
    const tokens = await readTokens(exchanged);
    const response = await this.#fetch(`${this.#o.authUrl}/oauth2/validate`, {
      headers: { authorization: `OAuth ${tokens.accessToken}` },
    });
    if (response.status !== 200) throw upstream(`The streaming platform answered ${response.status}.`);
    const who = await readJson<{ client_id?: string; user_id?: string; login?: string }>(response);
    if (who.client_id !== this.#o.clientId || !who.user_id || !who.login) {
      throw upstream('The streaming platform did not say whose account this is.');
    }
    return { platformUserId: who.user_id, streamUsername: who.login, ...tokens };
  }

  #token(grant: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({
      client_id: this.#o.clientId,
      client_secret: this.#o.clientSecret,
      ...grant,
    });
    return this.#fetch(`${this.#o.authUrl}/oauth2/token`, { method: 'POST', body });
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#o.fetch(url, { ...init, redirect: 'error' });
    } catch (error) {
      throw upstreamFailure('The streaming platform cannot be reached.', error);
    }
  }
}

const upstream = (text: string, cause?: unknown): PlatformError =>
  new PlatformError('UPSTREAM_FAILED', text, { cause });

async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw upstream('The streaming platform did not answer in JSON.', error);
  }
}

async function readTokens(response: Response): Promise<Tokens> {
  if (response.status !== 200) throw upstream(`The streaming platform answered ${response.status}.`);
  const body = await readJson<{ access_token?: string; refresh_token?: string }>(response);
  if (!body.access_token || !body.refresh_token) throw upstream('The streaming platform gave no tokens.');
  return { accessToken: body.access_token, refreshToken: body.refresh_token };
}
