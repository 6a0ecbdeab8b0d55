/**
 * What an app may ask of a user, and the user's yes. A wrong client or redirect_uri
 * is an error of its own, because nobody may be redirected then; every other fault is told to the app at its address,
 * once the user chose to go there.
 */

import { OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import type { AuthorizationRequestInput } from '../../../schema/inputs/oauth.ts';
import type { AuthorizationRequest } from '../../../schema/oauth.ts';
import { CODE_CHALLENGE } from '../../auth/oauth-proofs.ts';
import { answerAt, readRedirectUri } from '../../auth/oauth-redirects.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { isWholeToken, randomText, sha256 } from '../../kernel/ids.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { Platform } from '../platform.ts';

/** Lifetime of an authorization code. */
export const CODE_MS = 5 * MINUTE_MS;
const CODE_CHARS = 43;
/** How long a used code is remembered, so that its replay still revokes. */
const REMEMBER_CODE_MS = DAY_MS;
/** Forgotten codes that one approval deletes at most. */
const SWEPT_CODES = 100;

interface Checked {
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
  async request(principal: Principal | undefined, input: AuthorizationRequestInput): Promise<AuthorizationRequest> {
    const checked = await this.#check(input);
    const { client, redirect, scopes, fault } = checked;
    return {
      clientId: client.id,
      name: client.name,
      redirectOrigin: redirect.origin,
      scopes,
      errorRedirect: fault ? this.#refuse(checked, input, fault.error, fault.description) : null,
      denyRedirect: this.#refuse(checked, input, 'access_denied', 'The user said no.'),
      lastAvatarId: principal?.kind === 'session' ? await this.#lastChoice(principal.userId, client.id) : null,
    };
  }

  /** The user's yes, as one of their avatars. The address returned carries a code that lives five minutes. */
  async approve(principal: Principal, input: AuthorizationRequestInput, avatarId: string): Promise<string> {
    const checked = await this.#check(input);
    const { client, redirect, scopes, fault } = checked;
    if (fault) return this.#refuse(checked, input, fault.error, fault.description);
    const code = randomText(CODE_CHARS);
    const nowMs = this.#p.clock.now();
    await this.#p.db.transaction(async (tx) => {
      const owned = await avatars(tx.em).isOwned(avatarId, principal.userId);
      if (!owned) throw badInput('avatarId', 'must be one of your avatars.');
      const stands = await tx.rows('select 1 from oauth_client where id = $1 for share', [client.id]);
      if (stands.length === 0) throw unknownClient();
      await tx.rows(
        `insert into oauth_code (code_hash, client_id, user_id, avatar_id, redirect_uri, scopes, code_challenge, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          sha256(code),
          client.id,
          principal.userId,
          avatarId,
          input.redirectUri,
          JSON.stringify(scopes),
          input.codeChallenge || null,
          nowMs + CODE_MS,
        ],
      );
      await tx.rows(
        `insert into oauth_choice (user_id, client_id, avatar_id) values ($1, $2, $3)
         on conflict (user_id, client_id) do update set avatar_id = excluded.avatar_id`,
        [principal.userId, client.id, avatarId],
      );
      this.#p.audit.record(tx, principal, 'consent_given', { userId: principal.userId, subject: client.id });
      // Those that another approval is deleting are left to it: two never wait for each other.
      await tx.rows(
        `delete from oauth_code where code_hash in (
           select code_hash from oauth_code where expires_at < $1 limit ${SWEPT_CODES} for update skip locked)`,
        [nowMs - REMEMBER_CODE_MS],
      );
    });
    return answerAt(redirect, { code, state: input.state, iss: this.#p.config.BASE_URL });
  }

  async #check(input: AuthorizationRequestInput): Promise<Checked> {
    const client = isWholeToken(input.clientId, 'svcc_')
      ? await this.#p.db.em().findOne(OAuthClientEntity, { id: input.clientId })
      : null;
    if (!client) throw unknownClient();
    const redirect = readRedirectUri(input.redirectUri, client.redirectDomains);
    if (!redirect) {
      throw badInput(
        'redirect_uri',
        'must be an https address (http for localhost) on a host that the app registered.',
      );
    }
    const scopes = [...new Set((input.scope || 'profile').split(' ').filter(Boolean))];
    const fault = FAULTS.find(({ isFault }) => isFault(input, scopes, client));
    return { client, redirect, scopes, ...(fault ? { fault } : {}) };
  }

  #refuse({ redirect }: Checked, input: AuthorizationRequestInput, error: string, description: string): string {
    return answerAt(redirect, {
      error,
      error_description: description,
      state: input.state,
      iss: this.#p.config.BASE_URL,
    });
  }

  async #lastChoice(userId: string, clientId: string): Promise<string | null> {
    const [row] = await this.#p.db.rows<{ avatarId: string }>(
      'select avatar_id as "avatarId" from oauth_choice where user_id = $1 and client_id = $2',
      [userId, clientId],
    );
    return row?.avatarId ?? null;
  }
}

const unknownClient = (): PlatformError => badInput('client_id', 'is not that of a registered app.');

interface Fault {
  error: string;
  description: string;
  isFault(input: AuthorizationRequestInput, scopes: readonly string[], client: OAuthClientEntity): boolean;
}

/** What an app can get wrong, told at its redirect_uri; the first that applies. */
const FAULTS: readonly Fault[] = [
  {
    error: 'unsupported_response_type',
    description: 'response_type must be code.',
    isFault: ({ responseType }) => Boolean(responseType) && responseType !== 'code',
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
    error: 'invalid_scope',
    description: 'The app may not ask for one of these scopes.',
    isFault: (_input, scopes, client) => scopes.length === 0 || !scopes.every((scope) => client.scopes.includes(scope)),
  },
];
