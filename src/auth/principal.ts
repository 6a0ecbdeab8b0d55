/** Who is calling, and what they may do: the one rule every resolver declares. */
import { PlatformError } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scopes.ts';

/** Where a request came from. */
export interface Origin {
  address: string;
  requestId: string;
}

/** A caller whose credential was verified. A session and an API key are first-party. */
export interface Principal {
  kind: 'session' | 'apiKey' | 'token';
  userId: string;
  /** Session id, key id or token id: what revocation names. */
  credentialId: string;
  /** The third-party app of a token. */
  clientId?: string;
  /** The avatar as which the user signed in to that app. */
  avatarId?: string;
  /**
   * Scopes of a token, or of an API key that was made with some: all that it may do. Such a key still acts as its owner: what it
   * may read it reads as the owner does.
   */
  scopes?: Scope[];
  /** The one resource that takes the token (RFC 8707); undefined: the whole API. */
  audience?: string;
  /** True for a token of the client-credentials grant, which always bills the client's owner. */
  clientCredentials?: boolean;
  /** Where this request came from, for the audit log. */
  origin?: Origin;
  /** The Idempotency-Key that this request came with: the transaction that charges writes its result to it. */
  keyed?: KeyedRequest;
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  /** Whose key it is: a user, or an app that acts for one. */
  caller: string;
  key: string;
  /** When this request began, epoch ms. It distinguishes this request from one that takes the key over. */
  begunAt: number;
  /** Seals the stored answer, where that holds a secret. */
  seal?: (text: string) => string;
}

/** Who may call a resolver. */
export interface Rule {
  auth: 'session' | 'firstParty' | 'bearer' | 'token' | 'optional' | 'none';
  /** Scopes of which a third-party token needs one; without them `bearer` refuses every token. */
  scopes?: readonly Scope[];
  /** How a caller whose credential is no session is refused: with 401 or 403. */
  otherwise?: 'UNAUTHENTICATED' | 'FORBIDDEN';
}

/** Throws 401 or 403 when the rule does not admit this caller. */
export function authorize(rule: Rule, principal: Principal | undefined): void {
  if (rule.auth === 'none' || rule.auth === 'optional') return;
  // Userinfo is for tokens of apps: any other credential is refused as invalid.
  if (rule.auth === 'token' && principal?.kind !== 'token') throw new PlatformError('INVALID_TOKEN');
  if (!principal) throw new PlatformError('UNAUTHENTICATED');
  if (rule.auth === 'session' && principal.kind !== 'session') {
    throw new PlatformError(rule.otherwise ?? 'UNAUTHENTICATED', 'Only a signed-in session may do this.');
  }
  if (!principal.scopes) return;
  const what = principal.kind === 'token' ? 'access token' : 'API key';
  if (rule.auth !== 'bearer' && rule.auth !== 'token') {
    const whose = principal.kind === 'token' ? 'An access token of an app' : 'An API key with scopes';
    throw new PlatformError('FORBIDDEN', `${whose} may not do this.`);
  }
  if (!rule.scopes?.some((scope) => principal.scopes?.includes(scope))) {
    const needed = rule.scopes?.join(' or ');
    throw new PlatformError('MISSING_SCOPE', needed ? `The ${what} lacks the scope ${needed}.` : undefined);
  }
}
