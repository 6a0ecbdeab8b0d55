/**
 * ID tokens of first-party sessions: JWTs whose issuer is ourselves or a configured OIDC issuer. Algorithm, issuer, audience and
 * expiry are checked here; whether the session was revoked is looked up in its table, elsewhere.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { createRemoteJWKSet, customFetch, decodeJwt, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';

const ID_TOKEN_AUDIENCE = 'avatar-platform';
const OWN_ALGORITHM = 'EdDSA';
const EXTERNAL_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const CLOCK_TOLERANCE_S = 10;

/** An OpenID Connect issuer whose ID tokens are taken. Without `jwksUrl` it is discovered. */
export interface ExternalIssuer {
  issuer: string;
  audience: string;
  jwksUrl?: string;
}

/** An Ed25519 private key as PEM, and what names it in the header of a token. */
export interface SigningKey {
  id: string;
  value: string;
}

/** What a verified token says: one of our sessions, or a person at an external issuer. */
export type TokenClaims =
  | { kind: 'own'; sessionId: string; userId: string }
  | { kind: 'external'; issuer: string; subject: string; isEmailVerified: boolean; name?: string };

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export class IdTokens {
  readonly #issuer: string;
  readonly #keys: () => readonly SigningKey[];
  /** Keys by id, read from their PEM once. */
  readonly #pairs = new Map<string, { privateKey: KeyObject; publicKey: KeyObject }>();
  readonly #external: ExternalIssuer[];
  readonly #fetch: Fetch;
  readonly #keySets = new Map<string, JWTVerifyGetKey>();

  /** `keys` returns the active keys: the first signs, all verify; `fetch` gets those of external issuers. */
  constructor(options: {
    issuer: string;
    keys: () => readonly SigningKey[];
    external: ExternalIssuer[];
    fetch: Fetch;
  }) {
    this.#fetch = options.fetch;
    this.#issuer = options.issuer;
    this.#keys = options.keys;
    this.#external = options.external;
  }

  /** A token for one of our sessions. */
  sign(session: { sessionId: string; userId: string; issuedAtMs: number; expiresAtMs: number }): Promise<string> {
    const [key] = this.#keys();
    if (!key) throw new Error('There is no key to sign tokens with.');
    return new SignJWT({ sid: session.sessionId })
      .setProtectedHeader({ alg: OWN_ALGORITHM, typ: 'JWT', kid: key.id })
      .setIssuer(this.#issuer)
      .setAudience(ID_TOKEN_AUDIENCE)
      .setSubject(session.userId)
      .setIssuedAt(Math.floor(session.issuedAtMs / 1000))
      .setExpirationTime(Math.floor(session.expiresAtMs / 1000))
      .sign(this.#pairOf(key).privateKey);
  }

  /** The claims of a token, or undefined when anything about it is wrong. */
  async verify(token: string, nowMs: number): Promise<TokenClaims | undefined> {
    try {
      const issuer = decodeJwt(token).iss;
      const options = { currentDate: new Date(nowMs), clockTolerance: CLOCK_TOLERANCE_S };
      if (issuer === this.#issuer) {
        const { payload } = await jwtVerify(token, ({ kid }) => this.#publicKey(kid), {
          ...options,
          issuer,
          audience: ID_TOKEN_AUDIENCE,
          algorithms: [OWN_ALGORITHM],
          requiredClaims: ['exp', 'sub', 'sid'],
        });
        return { kind: 'own', sessionId: String(payload.sid), userId: String(payload.sub) };
      }
      const external = this.#external.find((candidate) => candidate.issuer === issuer);
      if (!external) return undefined;
      const { payload } = await jwtVerify(token, await this.#keysOf(external), {
        ...options,
        issuer: external.issuer,
        audience: external.audience,
        algorithms: EXTERNAL_ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
      });
      return {
        kind: 'external',
        issuer: external.issuer,
        subject: String(payload.sub),
        isEmailVerified: payload.email_verified === true,
        ...(typeof payload.name === 'string' ? { name: payload.name } : {}),
      };
    } catch {
      return undefined;
    }
  }

  /** The key that a token names. Tokens from before the first rotation name none: the first key signed them. */
  #publicKey(kid: string | undefined): KeyObject {
    const keys = this.#keys();
    const key = kid === undefined ? keys.find(({ id }) => id.endsWith(':1')) : keys.find(({ id }) => id === kid);
    if (!key) throw new Error('The key of this token does not count any more.');
    return this.#pairOf(key).publicKey;
  }

  #pairOf({ id, value }: SigningKey): { privateKey: KeyObject; publicKey: KeyObject } {
    const known = this.#pairs.get(id);
    if (known) return known;
    const privateKey = createPrivateKey(value);
    const pair = { privateKey, publicKey: createPublicKey(privateKey) };
    this.#pairs.set(id, pair);
    return pair;
  }

  async #keysOf(external: ExternalIssuer): Promise<JWTVerifyGetKey> {
    const known = this.#keySets.get(external.issuer);
    if (known) return known;
    const keys = createRemoteJWKSet(new URL(external.jwksUrl ?? (await this.#discover(external.issuer))), {
      [customFetch]: this.#fetch,
    });
    this.#keySets.set(external.issuer, keys);
    return keys;
  }

  /** The JWKS address of an issuer's own metadata document. */
  async #discover(issuer: string): Promise<string> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await this.#fetch(url, { redirect: 'error' });
    const metadata = (await response.json()) as { issuer?: string; jwks_uri?: string };
    if (metadata.issuer !== issuer || !metadata.jwks_uri) throw new Error(`${url} is not the metadata of ${issuer}`);
    return metadata.jwks_uri;
  }
}
