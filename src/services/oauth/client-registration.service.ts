/**
 * Dynamic client registration (RFC 7591): programs that no developer registered, such as those that use the tools for
 * models, register themselves. No account vouches for such an app: the consent page says so, it is answered at the exact
 * addresses that it gave, has to prove itself by PKCE, and its tokens open the tools alone.
 */
import { OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import type { OAuthRegisterInput } from '../../../schema/inputs/oauth.ts';
import type { RegisteredClient } from '../../../schema/oauth.ts';
import { readRegisteredUri } from '../../auth/oauth-redirects.ts';
import { TOOL_SCOPES } from '../../auth/oauth-resources.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newToken, sha256 } from '../../kernel/ids.ts';
import type { Platform } from '../platform/platform.port.ts';
import { oauthError } from './client-authentication.access.ts';

/** How an app may authenticate; the first is the default, as in RFC 7591. */
const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'];
/** Grants that it may ask for; others are ignored, as RFC 7591 permits. */
const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/** Registers apps without an owner. */
export class ClientRegistrations {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'config'>) {
    this.#p = platform;
  }

  /**
   * A new app, as it is registered: scopes and grant types may be fewer than it asked for. Errors are those of RFC 7591
   * 3.2.2; NOT_FOUND where OAUTH_REGISTRATION is off.
   */
  async register(asked: OAuthRegisterInput): Promise<RegisteredClient> {
    if (this.#p.config.OAUTH_REGISTRATION === 'off') throw new PlatformError('NOT_FOUND');
    const hosts = asked.redirectUris.map(hostOf);
    const authMethod = asked.tokenEndpointAuthMethod ?? AUTH_METHODS[0]!;
    const fault = FAULTS.find(({ isFault }) => isFault(asked, authMethod));
    if (fault) throw oauthError('INVALID_CLIENT_METADATA', fault.says);
    const scopes = TOOL_SCOPES.filter((scope) => !asked.scope || asked.scope.split(' ').includes(scope));
    if (scopes.length === 0) {
      throw oauthError('INVALID_CLIENT_METADATA', `scope may have: ${TOOL_SCOPES.join(' ')}.`);
    }
    const [clientId, clientSecret, nowMs] = [newToken('svcc_'), newToken('svcs_'), this.#p.clock.now()];
    const name = asked.clientName || hosts[0]!;
    await this.#p.db.transaction(async (tx) => {
      tx.em.create(OAuthClientEntity, {
        id: clientId,
        name,
        // An app that authenticates by PKCE alone is not given the secret.
        secretHash: sha256(clientSecret),
        redirectDomains: [...new Set(hosts)],
        redirectUris: [...new Set(asked.redirectUris)],
        scopes: [...scopes],
        authMethod,
        createdAt: nowMs,
      });
    });
    const isPublic = authMethod === 'none';
    return {
      clientId,
      clientIdIssuedAt: Math.floor(nowMs / SECOND_MS),
      clientSecret: isPublic ? null : clientSecret,
      clientSecretExpiresAt: isPublic ? null : 0,
      clientName: name,
      redirectUris: asked.redirectUris,
      tokenEndpointAuthMethod: authMethod,
      grantTypes: (asked.grantTypes ?? GRANT_TYPES).filter((type) => this.#grants.includes(type)),
      responseTypes: ['code'],
      scope: scopes.join(' '),
    };
  }

  get #grants(): readonly string[] {
    return this.#p.config.OAUTH_REFRESH_DAYS > 0 ? GRANT_TYPES : GRANT_TYPES.slice(0, 1);
  }
}

function hostOf(uri: string): string {
  const url = readRegisteredUri(uri);
  if (url) return url.hostname;
  throw oauthError(
    'INVALID_REDIRECT_URI',
    'redirect_uris must be https addresses, or http on localhost or 127.0.0.1, without fragment or user.',
  );
}

/** What an app can get wrong beside its addresses. */
const FAULTS: readonly { says: string; isFault(asked: OAuthRegisterInput, authMethod: string): boolean }[] = [
  {
    says: `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}.`,
    isFault: (_asked, authMethod) => !AUTH_METHODS.includes(authMethod),
  },
  {
    says: 'grant_types must have authorization_code.',
    isFault: ({ grantTypes }) => grantTypes != null && !grantTypes.includes('authorization_code'),
  },
  {
    says: 'response_types must have code.',
    isFault: ({ responseTypes }) => responseTypes != null && !responseTypes.includes('code'),
  },
];
