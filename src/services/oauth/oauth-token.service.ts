/**
 * The token endpoint (RFC 6749, 7636, 7009): tokens issued and taken back for apps, and
 * what a token says of its user. Authenticating the app and claiming the code are the files beside.
 */
import type { OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import { ApiKeyEntity } from '../../../schema/entities/users.ts';
import type { OAuthToken, OAuthUserinfo } from '../../../schema/oauth.ts';
import { pairwiseSubject } from '../../auth/oauth-proofs.ts';
import { isToolsResource, toolsResource } from '../../auth/oauth-resources.ts';
import type { Origin, Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId, newToken, sha256 } from '../../kernel/ids.ts';
import { apiKeys } from '../accounts/user.repository.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { AvatarImages } from '../avatars/avatar-image.service.ts';
import type { Platform } from '../platform.ts';
import { claimCode, settleCode } from './authorization-code.repository.ts';
import { checkAuthentication, checkSecret, lockClient, oauthError } from './client-authentication.ts';
import { revokeTokens } from './oauth-grant.service.ts';

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
}

interface Issued {
  tokenId: string;
  accessToken: string;
  scopes: readonly string[];
  avatarId: string;
}

interface NewTokenRow {
  userId: string;
  avatarId: string;
  scopes: readonly string[];
  /** The one resource that takes it; null: the whole API. */
  resource: string | null;
  clientCredentials: boolean;
  origin: Origin | undefined;
}

export class OAuthTokens {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit'>;
  readonly #images: AvatarImages;
  readonly #pairwise: Buffer;
  readonly #grants: Readonly<Record<string, (request: TokenRequest, origin?: Origin) => Promise<Issued>>> = {
    authorization_code: (request, origin) => this.#redeem(request, origin),
    client_credentials: (request, origin) => this.#actAsService(request, origin),
  };

  constructor(
    platform: Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit'>,
    images: AvatarImages,
    pairwise: Buffer,
  ) {
    this.#p = platform;
    this.#images = images;
    this.#pairwise = pairwise;
  }

  /** Errors are those of RFC 6749 5.2; `details.error_description` says what was wrong. */
  async issue(request: TokenRequest, origin?: Origin): Promise<OAuthToken> {
    const grant = Object.hasOwn(this.#grants, request.grantType) ? this.#grants[request.grantType] : undefined;
    if (!grant) throw oauthError('UNSUPPORTED_GRANT_TYPE', 'Use authorization_code or client_credentials.');
    const { accessToken, scopes, avatarId } = await grant(request, origin);
    const scope = scopes.join(' ');
    return { accessToken, tokenType: 'Bearer', scope, avatar: await this.#avatar(avatarId) };
  }

  /** RFC 7009: an unknown token is no error; one of another app is. */
  async revoke(
    request: { clientId: string; clientSecret?: string | null; token: string },
    origin?: Origin,
  ): Promise<boolean> {
    return this.#p.db.transaction(async (tx) => {
      const client = await lockClient(tx, request.clientId);
      if (request.clientSecret) checkSecret(client, request.clientSecret, this.#p.clock.now());
      const token = await apiKeys(tx.em).findOne({ tokenHash: sha256(request.token) }, { fields: ['clientId'] });
      if (!token) return true;
      if (token.clientId !== client.id) throw oauthError('INVALID_GRANT', 'The token was issued to somebody else.');
      await revokeTokens(tx, this.#p, { clientId: client.id, origin }, { id: token.id });
      return true;
    });
  }

  /** Who signed in, to the app that holds the token. */
  async userinfo(principal: Principal): Promise<OAuthUserinfo> {
    const avatar = await this.#avatar(principal.avatarId!);
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
      const issued = this.#make(tx, client, { ...claimed, clientCredentials: false, origin });
      await settleCode(tx, this.#p, code, issued.tokenId);
      return issued;
    });
    if (outcome instanceof PlatformError) throw outcome;
    return outcome;
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
      return this.#make(tx, client, {
        userId: client.owner.id,
        avatarId: client.serviceAvatar.id,
        scopes: asked.length > 0 ? asked : client.scopes,
        resource,
        clientCredentials: true,
        origin,
      });
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

  #make(tx: Tx, client: OAuthClientEntity, row: NewTokenRow): Issued {
    const accessToken = newToken('svc_');
    const nowMs = this.#p.clock.now();
    const tokenId = newId('tok', nowMs);
    tx.em.create(ApiKeyEntity, {
      id: tokenId,
      user: row.userId,
      name: client.name,
      tokenHash: sha256(accessToken),
      clientId: client.id,
      avatarId: row.avatarId,
      scopes: [...row.scopes],
      clientCredentials: row.clientCredentials,
      audience: row.resource,
      createdAt: nowMs,
    });
    const app = { clientId: client.id, origin: row.origin };
    this.#p.audit.record(tx, app, 'grant_given', { userId: row.userId, subject: tokenId });
    return { tokenId, accessToken, scopes: row.scopes, avatarId: row.avatarId };
  }

  async #avatar(avatarId: string): Promise<OAuthToken['avatar']> {
    const named = await avatars(this.#p.db.em()).findOne({ id: avatarId }, { fields: ['displayName'] });
    const [picture] = await this.#images.primaryUrls([avatarId]);
    return { id: avatarId, name: named?.displayName ?? null, picture: picture ?? null };
  }
}
