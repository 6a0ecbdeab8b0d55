/**
 * From the Authorization header to a principal. Lookups are cached for seconds and dropped at once by the notification that a
 * credential was revoked. Raw tokens are neither stored nor logged: the cache's keys are their hashes.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Database, Tx } from '../kernel/database.ts';
import { isWholeToken, newId, sha256 } from '../kernel/ids.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { IdTokens, TokenClaims } from './id-tokens.ts';
import type { Principal, Scope } from './principal.ts';

const CACHE_MS = 5_000;
const CACHE_ENTRIES = 10_000;

export interface CredentialsOptions {
  db: Pick<Database, 'rows' | 'transaction'>;
  idTokens: IdTokens;
  clock: Clock;
  /** Called once for a person seen for the first time at an external issuer. */
  onNewUser(tx: Tx, userId: string): Promise<void>;
}

export class Credentials {
  readonly #options: CredentialsOptions;
  /** Counts what was forgotten: a lookup that was under way meanwhile may be out of date, and is not remembered. */
  #forgotten = 0;
  readonly #cache = new Map<string, { principal: Principal | undefined; untilMs: number }>();

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /** The caller behind `Authorization: Bearer ...`; undefined when the credential is missing, unknown or revoked. */
  async principalOf(header: string | undefined): Promise<Principal | undefined> {
    const token = /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1];
    if (!token || token.length > LIMITS.bearerChars) return undefined;
    const hash = sha256(token);
    const nowMs = this.#options.clock.now();
    const cached = this.#cache.get(hash);
    if (cached && cached.untilMs > nowMs) return cached.principal;
    const forgotten = this.#forgotten;
    const principal = token.startsWith('svc_')
      ? isWholeToken(token, 'svc_')
        ? await this.#byKey(hash)
        : undefined
      : await this.#byIdToken(token, nowMs);
    if (forgotten !== this.#forgotten) return principal;
    if (this.#cache.size >= CACHE_ENTRIES) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(hash, { principal, untilMs: nowMs + CACHE_MS });
    return principal;
  }

  /** Forgets what was cached for a credential, so that a revocation holds at once. */
  forget(credentialId: string): void {
    this.#forgotten += 1;
    for (const [hash, { principal }] of this.#cache) {
      if (!principal || principal.credentialId === credentialId) this.#cache.delete(hash);
    }
  }

  async #byKey(hash: string): Promise<Principal | undefined> {
    const [row] = await this.#options.db.rows<{
      id: string;
      userId: string;
      clientId: string | null;
      avatarId: string | null;
      scopes: Scope[] | null;
      clientCredentials: boolean;
    }>(
      `select id, user_id as "userId", client_id as "clientId", avatar_id as "avatarId", scopes,
         client_credentials as "clientCredentials"
       from api_key where token_hash = $1 and revoked_at is null`,
      [hash],
    );
    if (!row) return undefined;
    if (!row.clientId) return { kind: 'apiKey', userId: row.userId, credentialId: row.id };
    return {
      kind: 'token',
      userId: row.userId,
      credentialId: row.id,
      clientId: row.clientId,
      ...(row.avatarId ? { avatarId: row.avatarId } : {}),
      scopes: row.scopes ?? [],
      clientCredentials: row.clientCredentials,
    };
  }

  async #byIdToken(token: string, nowMs: number): Promise<Principal | undefined> {
    const claims = await this.#options.idTokens.verify(token, nowMs);
    if (!claims) return undefined;
    if (claims.kind === 'external') {
      const userId = await this.#externalUser(claims, nowMs);
      return { kind: 'session', userId, credentialId: `${claims.issuer} ${claims.subject}` };
    }
    const [session] = await this.#options.db.rows<{ userId: string }>(
      'select user_id as "userId" from session where id = $1 and revoked_at is null and expires_at > $2',
      [claims.sessionId, nowMs],
    );
    return session && { kind: 'session', userId: session.userId, credentialId: claims.sessionId };
  }

  /** The account of a person at an external issuer, made on first sight; keyed by issuer and subject, never by e-mail. */
  async #externalUser(claims: Extract<TokenClaims, { kind: 'external' }>, nowMs: number): Promise<string> {
    const { db, onNewUser } = this.#options;
    const find = () =>
      db.rows<{ id: string }>('select id from app_user where issuer = $1 and subject = $2', [
        claims.issuer,
        claims.subject,
      ]);
    const [known] = await find();
    if (known) return known.id;
    // The account and its welcome credits come together: a parallel request sees both or neither.
    const made = await db.transaction(async (tx) => {
      const [row] = await tx.rows<{ id: string }>(
        `insert into app_user (id, display_name, issuer, subject, created_at) values ($1, $2, $3, $4, $5)
         on conflict (issuer, subject) do nothing returning id`,
        [newId('usr', nowMs), claims.name ?? null, claims.issuer, claims.subject, nowMs],
      );
      if (row) await onNewUser(tx, row.id);
      return row?.id;
    });
    return made ?? (await find())[0]!.id;
  }
}
