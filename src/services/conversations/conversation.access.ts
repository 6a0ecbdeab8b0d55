/**
 * Who may watch a conversation, decided here and nowhere else: its owner, a caller with its viewer token
 * or the key of an access link, and any caller when it is public.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../auth/principal.ts';
import { sha256 } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Platform } from '../platform/platform.port.ts';
import { type OpenConversation, standingLink } from './conversation.queries.ts';

/** What a viewer brings beside a credential: the viewer token of a live address, or the key of an access link. */
export interface ViewerGrant {
  viewerToken?: string | null;
  key?: string | null;
}

/**
 * How a viewer was let in; `linkId` is what revoking that link names, `visitorId` what blocking that visitor does.
 * `asPrincipal` says of a visitor that it was by their credential, not by a viewer token.
 */
export interface Viewer {
  as: 'owner' | 'token' | 'link' | 'public' | 'visitor';
  linkId?: string;
  visitorId?: string;
  asPrincipal?: boolean;
}

/** Whether the caller owns the conversation; an app's token owns only what its own app started. */
export function isOwner(row: OpenConversation, principal: Principal | undefined): boolean {
  if (principal?.userId !== row.ownerUserId) return false;
  return principal.kind !== 'token' || principal.clientId === row.clientId;
}

/** Whether the avatar's owner lets this conversation's visitor in: the page is open to such as them, and they are not blocked. */
export function isVisitAllowed(
  row: Pick<OpenConversation, 'talkAudience' | 'visitorBlockedAt' | 'visitorTokenHash'>,
): boolean {
  if (row.visitorBlockedAt !== null) return false;
  return row.talkAudience === 'everyone' || (row.talkAudience === 'signed_in' && row.visitorTokenHash === null);
}

/** How this viewer is let in; undefined when they are not. */
export async function authorizeViewer(
  db: Pick<Platform['db'], 'rows'>,
  row: OpenConversation,
  principal: Principal | undefined,
  grant: ViewerGrant,
): Promise<Viewer | undefined> {
  const mayRead = !principal?.scopes || principal.scopes.includes('generate');
  const isTheirs = mayRead && isOwner(row, principal);
  const hasToken = Boolean(grant.viewerToken && equalSecrets(grant.viewerToken, row.viewerToken));
  if (row.visitorId !== null) {
    if (!(isTheirs || hasToken) || !isVisitAllowed(row)) return undefined;
    return { as: 'visitor', visitorId: row.visitorId, asPrincipal: isTheirs };
  }
  if (isTheirs) return { as: 'owner' };
  if (hasToken) return { as: 'token' };
  if (row.isPublic) return { as: 'public' };
  if (!grant.key || grant.key.length > LIMITS.bearerChars) return undefined;
  const [link] = await standingLink(db, { keyHash: sha256(grant.key), conversationId: row.id });
  return link && { as: 'link', linkId: link.id };
}

function equalSecrets(given: string, stored: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(stored)));
}
