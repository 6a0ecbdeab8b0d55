/**
 * What an app may ask of a user, and the user's yes. A wrong client or redirect_uri
 * is an error of its own, because the user must not be redirected then; every other fault is reported to the app at its
 * address, once the user chose to go there.
 */

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import {
  type AuthorizationParameters,
  OAuthClientEntity,
  OAuthCodeEntity,
  OAuthPushedRequestEntity,
} from '../../../schema/entities/oauth.ts';
import type { AuthorizationRequestInput } from '../../../schema/inputs/oauth.ts';
import type { AuthorizationRequest, PushedRequest } from '../../../schema/oauth.ts';
import { CODE_CHALLENGE } from '../../auth/oauth-proofs.ts';
import { matchRegisteredUri, readRedirectUri, redirectUrl } from '../../auth/oauth-redirects.ts';
import { isToolsResource, storedHash, toolsResource } from '../../auth/oauth-resources.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { badInput, type ErrorCode, PlatformError } from '../../kernel/errors.ts';
import { isWholeToken, randomText, sha256 } from '../../kernel/ids.ts';
import { codePoints, LIMITS } from '../../kernel/limits.ts';
import { OFFLINE_ACCESS } from '../../kernel/scopes.ts';
import { users } from '../accounts/user.repository.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { authorizationCodes } from './authorization-code.repository.ts';
import { checkAuthentication, lockClient, oauthError } from './client-authentication.access.ts';
import { oauthChoices, oauthClients } from './oauth-client.repository.ts';

/** Lifetime of an authorization code. */
const CODE_MS = 5 * MINUTE_MS;
const CODE_CHARS = 43;
/** How long a used code is remembered, so that its replay still revokes. */
const REMEMBER_CODE_MS = DAY_MS;

/** Lifetime of a request that was sent beforehand: a user signs in meanwhile. */
const PUSHED_MS = 10 * MINUTE_MS;
const PUSHED_PREFIX = 'urn:ietf:params:oauth:request_uri:';

/** A request, read from where it was sent. */
type Asked = AuthorizationRequestInput & { redirectUri: string };

interface Checked {
  input: Asked;
  client: OAuthClientEntity;
  redirect: URL;
  scopes: string[];
  /** What is wrong, by the codes of RFC 6749 4.1.2.1. */
  fault?: { error: string; description: string };
}

export class OAuthConsent {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config' | 'audit'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'config' | 'audit'>) {
    this.#p = platform;
  }

  /** What the consent page shows. Throws 400 for a wrong client or redirect_uri: show it, never redirect. */
  async request(principal: Principal | undefined, given: AuthorizationRequestInput): Promise<AuthorizationRequest> {
    const checked = await this.#check(given);
    const { client, redirect, scopes, fault } = checked;
    return {
      clientId: client.id,
      name: client.name,
      redirectOrigin: redirect.origin,
      scopes,
      isSelfRegistered: client.owner == null,
      errorRedirect: fault ? this.#refuse(checked, fault.error, fault.description) : null,
      denyRedirect: this.#refuse(checked, 'access_denied', 'The user said no.'),
      lastAvatarId: principal?.kind === 'session' ? await this.#lastAvatar(principal.userId, client.id) : null,
    };
  }

  /** The user's yes, as one of their avatars. The address returned carries a code that lives five minutes. */
  async approve(principal: Principal, given: AuthorizationRequestInput, avatarId: string): Promise<string> {
    const checked = await this.#check(given);
    const { input, client, redirect, scopes, fault } = checked;
    if (fault) return this.#refuse(checked, fault.error, fault.description);
    const code = randomText(CODE_CHARS);
    const nowMs = this.#p.clock.now();
    // What registered itself is let to the tools alone, whether it says so or not.
    const isForTools = input.resource || client.owner == null;
    const resource = isForTools ? toolsResource(this.#p.config.BASE_URL) : null;
    await this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(principal.userId);
      // The app before the avatar: the avatar's deletion changes apps first that act as it.
      if (!(await oauthClients(tx.em).hold(client.id))) throw unknownClient();
      const owned = await avatars(tx.em).holdOwned(avatarId, principal.userId);
      if (!owned) throw badInput('avatarId', 'must be one of your avatars.');
      tx.em.create(OAuthCodeEntity, {
        codeHash: storedHash(code, resource),
        client: client.id,
        user: principal.userId,
        avatar: avatarId,
        redirectUri: input.redirectUri,
        scopes,
        codeChallenge: input.codeChallenge || null,
        resource,
        expiresAt: nowMs + CODE_MS,
      });
      await oauthChoices(tx.em).remember(principal.userId, client.id, avatarId);
      this.#p.audit.record(tx, principal, 'consent_given', { userId: principal.userId, subject: client.id });
      // The request was stored for one answer of the user, which has come.
      if (given.requestUri)
        await tx.em.nativeDelete(OAuthPushedRequestEntity, { requestHash: hashOf(given.requestUri) });
      await authorizationCodes(tx.em).forget(nowMs - REMEMBER_CODE_MS);
    });
    return redirectUrl(redirect, { code, state: input.state, iss: this.#p.config.BASE_URL });
  }

  /**
   * Keeps a request that an app sends before it sends the browser (RFC 9126). Errors are those of the token endpoint;
   * NOT_FOUND where OAUTH_PAR is off.
   */
  async push(given: AuthorizationRequestInput, clientSecret: string | null | undefined): Promise<PushedRequest> {
    const { config, clock } = this.#p;
    if (config.OAUTH_PAR === 'off') throw new PlatformError('NOT_FOUND');
    if (given.requestUri)
      throw oauthError('INVALID_REQUEST', 'request_uri may not be in a request that is sent beforehand.');
    const name = randomText(CODE_CHARS);
    await this.#p.db.transaction(async (tx) => {
      checkAuthentication(await lockClient(tx, given.clientId), clientSecret, clock.now());
      // On this connection: requests that each hold one and wait for a second could wait for each other.
      const { fault } = await this.#check(given, tx.em);
      if (fault) throw oauthError(PUSH_ERRORS[fault.error] ?? 'INVALID_REQUEST', fault.description);
      const fields = Object.entries(given).filter((field): field is [string, string] => typeof field[1] === 'string');
      const parameters: AuthorizationParameters = Object.fromEntries(fields);
      tx.em.create(OAuthPushedRequestEntity, {
        requestHash: sha256(name),
        client: given.clientId,
        parameters,
        expiresAt: clock.now() + PUSHED_MS,
      });
    });
    return { requestUri: PUSHED_PREFIX + name, expiresIn: PUSHED_MS / SECOND_MS };
  }

  /** The request itself, or the one that the app sent beforehand, of which the browser brings the name alone. */
  async #resolve({ redirectUri, ...given }: AuthorizationRequestInput, em: SqlEntityManager): Promise<Asked> {
    if (!given.requestUri) {
      if (redirectUri == null) throw badInput('redirect_uri', 'is missing.');
      return { ...given, redirectUri };
    }
    const found = await em.findOne(OAuthPushedRequestEntity, {
      requestHash: hashOf(given.requestUri),
      client: given.clientId,
      expiresAt: { $gt: this.#p.clock.now() },
    });
    if (!found) throw badInput('request_uri', 'is unknown, used or too old.');
    return { clientId: given.clientId, redirectUri: '', ...found.parameters };
  }

  async #check(given: AuthorizationRequestInput, em: SqlEntityManager = this.#p.db.em()): Promise<Checked> {
    const input = await this.#resolve(given, em);
    const client = isWholeToken(input.clientId, 'svcc_')
      ? await em.findOne(OAuthClientEntity, { id: input.clientId })
      : null;
    if (!client) throw unknownClient();
    const { redirectUris, redirectDomains } = client;
    const redirect = redirectUris
      ? matchRegisteredUri(input.redirectUri, redirectUris)
      : readRedirectUri(input.redirectUri, redirectDomains);
    if (!redirect) {
      throw badInput(
        'redirect_uri',
        redirectUris
          ? 'must be exactly one that the app registered.'
          : 'must be an https address (http for localhost) on a host that the app registered.',
      );
    }
    const scopes = [...new Set((input.scope || 'profile').split(' ').filter(Boolean))];
    const fault = FAULTS.find(({ isFault }) => isFault(input, scopes, client, this.#p.config));
    return { input, client, redirect, scopes, ...(fault ? { fault } : {}) };
  }

  #refuse({ redirect, input }: Checked, error: string, description: string): string {
    return redirectUrl(redirect, {
      error,
      error_description: description,
      state: input.state,
      iss: this.#p.config.BASE_URL,
    });
  }

  #lastAvatar(userId: string, clientId: string): Promise<string | null> {
    return oauthChoices(this.#p.db.em()).lastAvatarId(userId, clientId);
  }
}

/** A request's name, by which it is kept. */
const hashOf = (requestUri: string): string => sha256(requestUri.slice(PUSHED_PREFIX.length));

/** Error codes of a request that is pushed beforehand; any other error is invalid_request. */
const PUSH_ERRORS: Readonly<Record<string, ErrorCode>> = {
  invalid_scope: 'INVALID_SCOPE',
  invalid_target: 'INVALID_TARGET',
};

const unknownClient = (): PlatformError => badInput('client_id', 'is not that of a registered app.');

interface Fault {
  error: string;
  description: string;
  isFault(
    input: AuthorizationRequestInput,
    scopes: readonly string[],
    client: OAuthClientEntity,
    config: Config,
  ): boolean;
}

/** What an app can get wrong, reported at its redirect_uri; the first that applies. */
const FAULTS: readonly Fault[] = [
  {
    error: 'unsupported_response_type',
    description: 'response_type must be code.',
    isFault: ({ responseType }) => Boolean(responseType) && responseType !== 'code',
  },
  {
    error: 'invalid_request',
    description: `state must have at most ${LIMITS.oauthState} characters.`,
    isFault: ({ state }) => codePoints(state ?? '') > LIMITS.oauthState,
  },
  {
    error: 'invalid_scope',
    description: `scope must have at most ${LIMITS.oauthScope} characters.`,
    isFault: ({ scope }) => codePoints(scope ?? '') > LIMITS.oauthScope,
  },
  {
    error: 'invalid_request',
    description: 'code_challenge_method must be S256.',
    isFault: ({ codeChallenge, codeChallengeMethod }) =>
      codeChallenge ? codeChallengeMethod !== 'S256' : Boolean(codeChallengeMethod),
  },
  {
    error: 'invalid_request',
    description: 'code_challenge must be a SHA-256 in base64url.',
    isFault: ({ codeChallenge }) => Boolean(codeChallenge) && !CODE_CHALLENGE.test(codeChallenge!),
  },
  {
    error: 'invalid_request',
    description: 'An app that registered itself must send a code_challenge.',
    isFault: ({ codeChallenge }, _scopes, client) => !codeChallenge && client.owner == null,
  },
  {
    error: 'invalid_target',
    description: 'resource must be the address of /mcp, or be left out.',
    isFault: ({ resource }, _scopes, _client, { BASE_URL }) =>
      // Many spellings of an address are that address.
      Boolean(resource) && ((resource ?? '').length > LIMITS.url || !isToolsResource(resource ?? '', BASE_URL)),
  },
  {
    error: 'invalid_scope',
    description: 'The app may not ask for one of these scopes.',
    isFault: (_input, scopes, client, { OAUTH_REFRESH_DAYS }) => {
      const asked = OAUTH_REFRESH_DAYS > 0 ? scopes.filter((scope) => scope !== OFFLINE_ACCESS) : scopes;
      return asked.length === 0 || !asked.every((scope) => client.scopes.includes(scope));
    },
  },
];
