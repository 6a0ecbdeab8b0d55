/**
 * The token endpoint (RFC 6749, 7636, 7009): tokens issued and taken back for apps, and
 * what a token says of its user. Authenticating the app and claiming the code are the files beside.
 */
import type { OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import { ApiKeyEntity } from '../../../schema/entities/users.ts';
import type { OAuthToken, OAuthUserinfo, TokenIntrospection } from '../../../schema/oauth.ts';
import { pairwiseSubject } from '../../auth/oauth-proofs.ts';
import { isToolsResource, storedHash, storedHashes, toolsResource } from '../../auth/oauth-resources.ts';
import type { Origin, Principal } from '../../auth/principal.ts';
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId, newToken } from '../../kernel/ids.ts';
import { OFFLINE_ACCESS } from '../../kernel/scopes.ts';
import { apiKeys } from '../accounts/user.repository.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { AvatarImages } from '../avatars/avatar-image.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { claimCode } from './authorization-code.repository.ts';
import { checkAuthentication, checkSecret, lockClient, oauthError } from './client-authentication.access.ts';
import { revokeTokens } from './oauth-grant.service.ts';
import { addRefreshToken, claimRefreshToken, type RefreshToken, refreshTokens } from './refresh-token.repository.ts';

/** The body of POST /oauth/token; absent and empty are the same. */
export interface TokenRequest {
  grantType: string;
  clientId: string;
  clientSecret?: string | null;
  code?: string | null;
  redirectUri?: string | null;
  codeVerifier?: string | null;
  scope?: string | null;
  /** What the token shall be for (RFC 8707). */
  resource?: string | null;
  refreshToken?: string | null;
}

/** Lifetime of an access token that a refresh token comes with; every other one lives until it is revoked. */
const ACCESS_MS = HOUR_MS;

interface Issued {
  accessToken: string;
  scopes: readonly string[];
  /** Who the token acts as, read before anything is committed: a code that was used for a failed answer would be lost. */
  avatar: OAuthToken['avatar'];
  /** Where the app asked for offline_access. */
  refreshToken?: string;
}

/** What is known of a token that a caller presents. */
interface Brought {
  grant: ApiKeyEntity;
  /** When the token that was brought ends; null: never. */
  expiresAt: number | null;
  isRefresh: boolean;
}

interface NewTokenRow {
  userId: string;
  avatarId: string;
  scopes: readonly string[];
  /** The one resource that takes it; null: the whole API. */
  resource: string | null;
  /** A refresh token comes with it, and it is short-lived. */
  isRefreshed?: boolean;
  clientCredentials: boolean;
  origin: Origin | undefined;
}

type Ports = Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit' | 'log'>;

export class OAuthTokens {
  readonly #p: Ports;
  readonly #images: AvatarImages;
  readonly #pairwise: Buffer;
  readonly #grants: Readonly<Record<string, (request: TokenRequest, origin?: Origin) => Promise<Issued>>> = {
    authorization_code: (request, origin) => this.#redeem(request, origin),
    client_credentials: (request, origin) => this.#actAsService(request, origin),
    refresh_token: (request, origin) => this.#refresh(request, origin),
  };

  constructor(platform: Ports, images: AvatarImages, pairwise: Buffer) {
    this.#p = platform;
    this.#images = images;
    this.#pairwise = pairwise;
  }

  /** Errors are those of RFC 6749 5.2; `details.error_description` says what was wrong. */
  async issue(request: TokenRequest, origin?: Origin): Promise<OAuthToken> {
    const isRefreshOff = this.#p.config.OAUTH_REFRESH_DAYS === 0;
    const isOff = request.grantType === 'refresh_token' && isRefreshOff;
    const isKnown = Object.hasOwn(this.#grants, request.grantType) && !isOff;
    const grant = isKnown ? this.#grants[request.grantType] : undefined;
    if (!grant) {
      const refresh = isRefreshOff ? '' : ', refresh_token';
      throw oauthError('UNSUPPORTED_GRANT_TYPE', `Use one of authorization_code, client_credentials${refresh}.`);
    }
    const { accessToken, scopes, avatar, refreshToken } = await grant(request, origin);
    const scope = scopes.join(' ');
    const refreshed = refreshToken ? { refreshToken, expiresIn: ACCESS_MS / SECOND_MS } : {};
    return { accessToken, tokenType: 'Bearer', scope, avatar, ...refreshed };
  }

  /** RFC 7009: an unknown token is no error; one of another app is. */
  async revoke(
    request: { clientId: string; clientSecret?: string | null; token: string },
    origin?: Origin,
  ): Promise<boolean> {
    return this.#p.db.transaction(async (tx) => {
      const client = await lockClient(tx, request.clientId);
      if (request.clientSecret) checkSecret(client, request.clientSecret, this.#p.clock.now());
      const brought = await this.#brought(tx, request.token);
      if (!brought) return true;
      const { grant } = brought;
      if (grant.clientId !== client.id) throw oauthError('INVALID_GRANT', 'The token was issued to another app.');
      await revokeTokens(tx, this.#p, { clientId: client.id, origin }, { id: grant.id });
      return true;
    });
  }

  /**
   * RFC 7662: whether a token stands, to the app that it was issued to; of every other one nothing but that it does not.
   * NOT_FOUND where OAUTH_INTROSPECTION is off.
   */
  async introspect(request: {
    clientId: string;
    clientSecret?: string | null;
    token: string;
  }): Promise<TokenIntrospection> {
    if (this.#p.config.OAUTH_INTROSPECTION === 'off') throw new PlatformError('NOT_FOUND');
    return this.#p.db.transaction(async (tx) => {
      const client = await lockClient(tx, request.clientId);
      const nowMs = this.#p.clock.now();
      checkSecret(client, request.clientSecret ?? '', nowMs);
      const found = await this.#brought(tx, request.token);
      if (!found) return { active: false };
      const { grant, expiresAt: ends, isRefresh } = found;
      const isOver = ends !== null && ends <= nowMs;
      if (grant.clientId !== client.id || grant.revokedAt != null || isOver) return { active: false };
      const { avatarId } = grant;
      const userId = grant.user.id;
      return {
        active: true,
        scope: (grant.scopes ?? []).join(' '),
        clientId: client.id,
        tokenType: isRefresh ? 'refresh_token' : 'Bearer',
        exp: ends === null ? null : Math.floor(ends / SECOND_MS),
        iat: isRefresh ? null : Math.floor(grant.createdAt / SECOND_MS),
        sub: avatarId ? pairwiseSubject(this.#pairwise, { userId, clientId: client.id, avatarId }) : null,
        aud: grant.audience ?? null,
        iss: this.#p.config.BASE_URL,
      };
    });
  }

  /** The grant behind an access token or a refresh token that was not used yet. */
  async #brought(tx: Tx, token: string): Promise<Brought | undefined> {
    const refresh = token.startsWith('svcr_') ? await refreshTokens(tx.em).hold(token) : null;
    if (refresh) {
      const { grant, expiresAt, usedAt } = refresh;
      return usedAt == null ? { grant: grant.$, expiresAt, isRefresh: true } : undefined;
    }
    const grant = await apiKeys(tx.em).findOne({ tokenHash: { $in: storedHashes(token) } });
    return grant ? { grant, expiresAt: grant.expiresAt ?? null, isRefresh: false } : undefined;
  }

  /** Who signed in, to the app that holds the token. */
  async userinfo(principal: Principal): Promise<OAuthUserinfo> {
    const avatar = await this.#avatar(principal.avatarId!, { em: this.#p.db.em() });
    return {
      sub: this.subjectOf(principal),
      name: avatar.name ?? null,
      picture: avatar.picture ?? null,
      avatarId: avatar.id,
      scope: (principal.scopes ?? []).join(' '),
    };
  }

  /** The pseudonym of the user behind an app's token; throws for callers that are no token. */
  subjectOf({ userId, clientId, avatarId }: Principal): string {
    if (!clientId || !avatarId) throw new PlatformError('INVALID_TOKEN');
    return pairwiseSubject(this.#pairwise, { userId, clientId, avatarId });
  }

  async #redeem(request: TokenRequest, origin: Origin | undefined): Promise<Issued> {
    const arrivedAt = this.#p.clock.now();
    const { code, redirectUri, clientSecret, codeVerifier } = request;
    if (!code || !redirectUri) throw oauthError('INVALID_REQUEST', 'code and redirect_uri are required.');
    const resource = this.#resourceOf(request);
    if (!clientSecret && !codeVerifier) {
      throw oauthError('INVALID_CLIENT', 'client_secret or code_verifier is required.');
    }
    // Failures are returned, not thrown: what they claimed or revoked is committed.
    const outcome = await this.#p.db.transaction(async (tx): Promise<Issued | PlatformError> => {
      const client = await lockClient(tx, request.clientId);
      checkAuthentication(client, clientSecret, this.#p.clock.now());
      const { clientId } = request;
      const isAuthenticated = Boolean(clientSecret);
      const presented = { clientId, code, redirectUri, codeVerifier, resource, isAuthenticated, arrivedAt, origin };
      const claimed = await claimCode(tx, this.#p, presented);
      if (claimed instanceof PlatformError) return claimed;
      const scopes = claimed.scopes.filter((scope) => scope !== OFFLINE_ACCESS);
      const isRefreshed = scopes.length < claimed.scopes.length && this.#p.config.OAUTH_REFRESH_DAYS > 0;
      const { grant, issued } = await this.#make(tx, client, {
        userId: claimed.user.id,
        avatarId: claimed.avatar.id,
        scopes,
        resource: claimed.resource ?? null,
        clientCredentials: false,
        isRefreshed,
        origin,
      });
      // What the code gave, so that its replay takes that back.
      tx.em.assign(claimed, { token: grant, redeemedAt: this.#p.clock.now() });
      if (!isRefreshed) return issued;
      const refreshToken = addRefreshToken(tx, this.#p, { grant, needsSecret: isAuthenticated });
      return { ...issued, refreshToken };
    });
    if (outcome instanceof PlatformError) throw outcome;
    return outcome;
  }

  /** A new access token and a new refresh token for the old one. The grant stays the same, and ends as one. */
  async #refresh(request: TokenRequest, origin: Origin | undefined): Promise<Issued> {
    const arrivedAt = this.#p.clock.now();
    const { refreshToken, clientSecret, scope } = request;
    if (!refreshToken) throw oauthError('INVALID_REQUEST', 'refresh_token is required.');
    const resource = this.#resourceOf(request);
    // As above: what a reused token ended is committed.
    const outcome = await this.#p.db.transaction(async (tx): Promise<Issued | PlatformError> => {
      const client = await lockClient(tx, request.clientId);
      checkAuthentication(client, clientSecret, this.#p.clock.now());
      const isAuthenticated = Boolean(clientSecret);
      const presented = { clientId: client.id, refreshToken, isAuthenticated, scope, resource, origin, arrivedAt };
      const claimed = await claimRefreshToken(tx, this.#p, presented);
      return claimed instanceof PlatformError ? claimed : this.#renew(tx, claimed);
    });
    if (outcome instanceof PlatformError) throw outcome;
    return outcome;
  }

  async #renew(tx: Tx, { grant: { $: grant }, needsSecret }: RefreshToken): Promise<Issued> {
    const accessToken = newToken('svc_');
    grant.tokenHash = storedHash(accessToken, grant.audience ?? null);
    grant.expiresAt = this.#p.clock.now() + ACCESS_MS;
    const refreshToken = addRefreshToken(tx, this.#p, { grant, needsSecret });
    const avatar = await this.#avatar(grant.avatarId ?? '', tx);
    return { accessToken, scopes: grant.scopes ?? [], avatar, refreshToken };
  }

  async #actAsService(request: TokenRequest, origin: Origin | undefined): Promise<Issued> {
    if (!request.clientSecret) throw oauthError('INVALID_CLIENT', 'client_secret is required.');
    const resource = this.#resourceOf(request);
    return this.#p.db.transaction(async (tx) => {
      const client = await lockClient(tx, request.clientId);
      checkSecret(client, request.clientSecret!, this.#p.clock.now());
      if (!client.serviceAvatar || !client.owner) {
        throw oauthError('UNAUTHORIZED_CLIENT', 'This app has no serviceAvatarId, which this grant acts as.');
      }
      const asked = [...new Set((request.scope ?? '').split(' ').filter(Boolean))];
      if (!asked.every((scope) => client.scopes.includes(scope))) {
        throw oauthError('INVALID_SCOPE', 'The app may not ask for one of these scopes.');
      }
      const { issued } = await this.#make(tx, client, {
        userId: client.owner.id,
        avatarId: client.serviceAvatar.id,
        scopes: asked.length > 0 ? asked : client.scopes,
        resource,
        clientCredentials: true,
        origin,
      });
      return issued;
    });
  }

  /** The resource that a request names; null for none. */
  #resourceOf({ resource }: TokenRequest): string | null {
    if (!resource) return null;
    const { BASE_URL } = this.#p.config;
    if (!isToolsResource(resource, BASE_URL)) {
      throw oauthError('INVALID_TARGET', 'resource must be the address of /mcp, or be left out.');
    }
    return toolsResource(BASE_URL);
  }

  async #make(tx: Tx, client: OAuthClientEntity, row: NewTokenRow): Promise<{ grant: ApiKeyEntity; issued: Issued }> {
    const accessToken = newToken('svc_');
    const nowMs = this.#p.clock.now();
    const tokenId = newId('tok', nowMs);
    const grant = tx.em.create(ApiKeyEntity, {
      id: tokenId,
      user: row.userId,
      name: client.name,
      tokenHash: storedHash(accessToken, row.resource),
      clientId: client.id,
      avatarId: row.avatarId,
      scopes: [...row.scopes],
      clientCredentials: row.clientCredentials,
      audience: row.resource,
      expiresAt: row.isRefreshed ? nowMs + ACCESS_MS : null,
      createdAt: nowMs,
    });
    const app = { clientId: client.id, origin: row.origin };
    this.#p.audit.record(tx, app, 'grant_given', { userId: row.userId, subject: tokenId });
    return { grant, issued: { accessToken, scopes: row.scopes, avatar: await this.#avatar(row.avatarId, tx) } };
  }

  async #avatar(avatarId: string, { em }: Pick<Tx, 'em'>): Promise<OAuthToken['avatar']> {
    const named = await avatars(em).findOne({ id: avatarId }, { fields: ['displayName'] });
    const [picture] = await this.#images.primaryUrls([avatarId], em);
    return { id: avatarId, name: named?.displayName ?? null, picture: picture ?? null };
  }
}
