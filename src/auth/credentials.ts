/**
 * From the Authorization header to a principal. Lookups are cached for seconds and dropped at once by the notification that a
 * credential was revoked. Raw tokens are neither stored nor logged: the cache's keys are their hashes.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../kernel/clock.ts';
import type { Database, Tx } from '../kernel/database.ts';
import { isWholeToken, newId } from '../kernel/ids.ts';
import { LIMITS } from '../kernel/limits.ts';
import { one } from '../kernel/named-statements.ts';
import type { Scope } from '../kernel/scopes.ts';
import { addUser, standingKey, standingSession, userAtIssuer } from './credential.queries.ts';
import { CredentialUse } from './credential-use.ts';
import type { IdTokens, TokenClaims } from './id-tokens.ts';
import { storedHash, storedHashes } from './oauth-resources.ts';
import type { Principal } from './principal.ts';

const CACHE_ENTRIES = 10_000;

/** What reading a credential needs. */
export interface CredentialsOptions {
  db: Pick<Database, 'rows' | 'transaction'>;
  idTokens: IdTokens;
  clock: Clock;
  /** How long a lookup may be cached, milliseconds: the notification that a credential was revoked may be lost. */
  keepMs(): number;
  /** Called once for a person seen for the first time at an external issuer. */
  onNewUser(tx: Tx, userId: string, emailVerified: boolean): Promise<void>;
  /** Called for a person whose address the issuer says is verified, which it did not say at first. */
  onVerifiedEmail(tx: Tx, userId: string): Promise<void>;
  /** False where an address counts as verified by itself. */
  asksForVerifiedEmail: boolean;
}

/** The principal that was found for a credential, and when the credential expires. */
interface Found {
  principal: Principal | undefined;
  expiresAt?: number;
}

export class Credentials {
  readonly #options: CredentialsOptions;
  readonly #use: CredentialUse;
  /** How often entries were dropped: a lookup during which this rose may be out of date, and is not cached. */
  #forgotten = 0;
  readonly #cache = new LRUCache<string, Found & { untilMs: number }>({ max: CACHE_ENTRIES });

  constructor(options: CredentialsOptions) {
    this.#options = options;
    this.#use = new CredentialUse(options.db);
  }

  /**
   * The caller behind `Authorization: Bearer ...`; undefined when the credential is missing, unknown or revoked, or not for
   * the resource that is asked: without `resource` that is the API, which tokens of another resource do not open.
   */
  async principalOf(header: string | undefined, resource?: string): Promise<Principal | undefined> {
    const token = /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1];
    if (!token || token.length > LIMITS.bearerChars) return undefined;
    // A person's own key opens the tools at /mcp too, beside tokens that were made for them.
    for (const hash of resource === undefined ? [storedHash(token, null)] : storedHashes(token)) {
      const principal = await this.#principalOf(token, hash);
      if (principal) return isFor(principal, resource) ? principal : undefined;
    }
    return undefined;
  }

  async #principalOf(token: string, hash: string): Promise<Principal | undefined> {
    const nowMs = this.#options.clock.now();
    const cached = this.#cache.get(hash);
    if (cached && cached.untilMs > nowMs) return this.#seen(cached.principal, nowMs);
    const forgotten = this.#forgotten;
    const found = await this.#find(token, hash, nowMs);
    if (forgotten !== this.#forgotten) return this.#seen(found.principal, nowMs);
    this.#cache.set(hash, {
      ...found,
      untilMs: Math.min(nowMs + this.#options.keepMs(), found.expiresAt ?? Number.POSITIVE_INFINITY),
    });
    return this.#seen(found.principal, nowMs);
  }

  /** Writes the recorded uses of keys and stops the timer that writes them. */
  close(): Promise<void> {
    return this.#use.close();
  }

  #seen(principal: Principal | undefined, nowMs: number): Principal | undefined {
    if (principal && principal.kind !== 'session') this.#use.note(principal.credentialId, nowMs);
    return principal;
  }

  async #find(token: string, hash: string, nowMs: number): Promise<Found> {
    if (!token.startsWith('svc_')) return { principal: await this.#byIdToken(token, nowMs) };
    return isWholeToken(token, 'svc_') ? this.#byKey(hash, nowMs) : { principal: undefined };
  }

  /** Empties the cache: revocations may have been missed. */
  forgetAll(): void {
    this.#forgotten += 1;
    this.#cache.clear();
  }

  /** Drops a credential from the cache, so that its revocation takes effect at once. */
  forget(credentialId: string): void {
    this.#forgotten += 1;
    for (const [hash, { principal }] of [...this.#cache]) {
      if (!principal || principal.credentialId === credentialId) this.#cache.delete(hash);
    }
  }

  async #byKey(hash: string, nowMs: number): Promise<Found> {
    const [row] = await standingKey(this.#options.db, { hash, nowMs });
    if (!row) return { principal: undefined };
    const { userId, id: credentialId, clientId, avatarId, clientCredentials, expiresAt, audience } = row;
    const scopes = row.scopes as Scope[] | null;
    const principal: Principal = clientId
      ? { kind: 'token', userId, credentialId, clientId, scopes: scopes ?? [], clientCredentials }
      : { kind: 'apiKey', userId, credentialId, ...(scopes ? { scopes } : {}) };
    if (clientId && avatarId) principal.avatarId = avatarId;
    if (audience !== null) principal.audience = audience;
    return { principal, ...(expiresAt === null ? {} : { expiresAt }) };
  }

  async #byIdToken(token: string, nowMs: number): Promise<Principal | undefined> {
    const claims = await this.#options.idTokens.verify(token, nowMs);
    if (!claims) return undefined;
    if (claims.kind === 'external') {
      const userId = await this.#externalUser(claims, nowMs);
      return { kind: 'session', userId, credentialId: `${claims.issuer} ${claims.subject}` };
    }
    const [session] = await standingSession(this.#options.db, { id: claims.sessionId, nowMs });
    return session && { kind: 'session', userId: session.userId, credentialId: claims.sessionId };
  }

  /** The account of a person at an external issuer, made on first sight; keyed by issuer and subject, never by e-mail. */
  async #externalUser(claims: Extract<TokenClaims, { kind: 'external' }>, nowMs: number): Promise<string> {
    const { db, onVerifiedEmail } = this.#options;
    const { issuer, subject } = claims;
    const [known] = await userAtIssuer(db, { issuer, subject });
    if (!known) {
      return (await this.#addExternalUser(claims, nowMs)) ?? one(await userAtIssuer(db, { issuer, subject })).id;
    }
    if (claims.isEmailVerified && !known.emailVerified) await db.transaction((tx) => onVerifiedEmail(tx, known.id));
    return known.id;
  }

  /** Undefined when a parallel request made it. The account and its welcome credits come together. */
  #addExternalUser(claims: Extract<TokenClaims, { kind: 'external' }>, nowMs: number): Promise<string | undefined> {
    const { db, onNewUser, asksForVerifiedEmail } = this.#options;
    const { issuer, subject } = claims;
    const emailVerified = claims.isEmailVerified || !asksForVerifiedEmail;
    return db.transaction(async (tx) => {
      const made = { id: newId('usr', nowMs), name: claims.name ?? null, issuer, subject, nowMs, emailVerified };
      const [row] = await addUser(tx, made);
      if (row) await onNewUser(tx, row.id, emailVerified);
      return row?.id;
    });
  }
}

/**
 * A token of an app is for the resource it was given for and no other; a person's own key opens each; a session is the
 * pages' and the API's, not that of programs beside it.
 */
function isFor({ kind, audience }: Principal, resource: string | undefined): boolean {
  if (kind === 'token') return audience === resource;
  return resource === undefined || kind === 'apiKey';
}
