/**
 * Third-party apps: registered by their owner, who sees the secret once. Deleting an app takes back every
 * token it holds; naming another service avatar takes back those that acted as the old one.
 */

import type { AuditAction } from '../../../schema/audit.ts';
import { OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import type { RegisterOAuthClientInput, UpdateOAuthClientInput } from '../../../schema/inputs/oauth.ts';
import {
  type NewOAuthClient,
  type OAuthClient,
  type RotatedClientSecret,
  type ServiceAvatarResult,
} from '../../../schema/oauth.ts';
import { readRedirectDomains } from '../../auth/oauth-redirects.ts';
import type { Principal } from '../../auth/principal.ts';
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput } from '../../kernel/errors.ts';
import { newToken, sha256 } from '../../kernel/ids.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota } from '../accounts/quota.service.ts';
import { users } from '../accounts/user.repository.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { oauthClients } from './oauth-client.repository.ts';
import { revokeTokens } from './oauth-grant.service.ts';

/** How long the secret before may verify at most. */

export class OAuthClients {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit'>) {
    this.#p = platform;
  }

  async register(principal: Principal, request: RegisterOAuthClientInput): Promise<NewOAuthClient> {
    const shown = {
      clientId: newToken('svcc_'),
      name: request.name,
      redirectDomains: readRedirectDomains(request.redirectDomains),
      // As for a sign-in request without `scope`.
      scopes: request.scopes ?? ['profile'],
    };
    const clientSecret = newToken('svcs_');
    const registered = { ...shown, clientSecret };
    const serviceAvatarId = request.serviceAvatarId ?? null;
    await this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(principal.userId);
      await checkServiceAvatar(tx, principal, serviceAvatarId);
      const { clientId: id, ...asked } = shown;
      tx.em.create(OAuthClientEntity, {
        ...asked,
        id,
        owner: principal.userId,
        secretHash: sha256(clientSecret),
        serviceAvatar: serviceAvatarId,
        createdAt: this.#p.clock.now(),
      });
      await checkQuota(tx, this.#p.config, principal.userId, 'apps');
      this.#record(tx, principal, 'app_registered', shown.clientId);
      keepResult(tx, principal, registered);
    });
    return registered;
  }

  async list(principal: Principal): Promise<OAuthClient[]> {
    return (await oauthClients(this.#p.db.em()).ofOwner(principal.userId)).map(showClient);
  }

  /** Changes an app of the caller. What it holds already stays: tokens are revoked by those who gave them. 404 for others' apps. */
  async update(principal: Principal, input: UpdateOAuthClientInput): Promise<OAuthClient> {
    const { clientId, name, redirectDomains } = input;
    const changes = {
      ...(name == null ? {} : { name }),
      ...(redirectDomains == null ? {} : { redirectDomains: readRedirectDomains(redirectDomains) }),
    };
    return this.#p.db.transaction(async (tx) => {
      const client = await oauthClients(tx.em).lockOwned(clientId, principal.userId);
      tx.em.assign(client, changes);
      this.#record(tx, principal, 'app_changed', clientId);
      return showClient(client);
    });
  }

  /**
   * Gives an app of the caller a new secret. The one before verifies for `keepOldFor` seconds more (default
   * CLIENT_SECRET_OVERLAP_HOURS); one that was still kept from an earlier rotation ends now. 404 for others' apps.
   */
  async rotateSecret(principal: Principal, clientId: string, keepOldFor?: number | null): Promise<RotatedClientSecret> {
    const overlapS = keepOldFor ?? (this.#p.config.CLIENT_SECRET_OVERLAP_HOURS * HOUR_MS) / SECOND_MS;
    const nowMs = this.#p.clock.now();
    const previousValidUntil = overlapS > 0 ? nowMs + overlapS * SECOND_MS : null;
    const clientSecret = newToken('svcs_');
    const rotated = { clientId, clientSecret, previousValidUntil };
    await this.#p.db.transaction(async (tx) => {
      await oauthClients(tx.em).replaceSecret(
        { id: clientId, ownerId: principal.userId },
        { hash: sha256(clientSecret), nowMs, keepUntil: previousValidUntil },
      );
      this.#record(tx, principal, 'app_secret_rotated', clientId);
      keepResult(tx, principal, rotated);
    });
    return rotated;
  }

  async remove(principal: Principal, clientId: string): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      // The row goes first: exchanging a code locks it, so that the token of such an exchange is seen by the line below.
      await oauthClients(tx.em).removeOwned(clientId, principal.userId);
      this.#record(tx, principal, 'app_deleted', clientId);
      await revokeTokens(tx, this.#p, principal, { client_id: clientId });
    });
  }

  /** Names the avatar of the client-credentials grant; null disables the grant. Absent: 400. */
  async setServiceAvatar(
    principal: Principal,
    clientId: string,
    serviceAvatarId: string | null | undefined,
  ): Promise<ServiceAvatarResult> {
    return this.#p.db.transaction(async (tx) => {
      const client = await oauthClients(tx.em).lockOwned(clientId, principal.userId);
      if (serviceAvatarId === undefined) throw badInput('serviceAvatarId', 'is required; null disables the grant.');
      await checkServiceAvatar(tx, principal, serviceAvatarId);
      if ((client.serviceAvatar?.id ?? null) !== serviceAvatarId) {
        tx.em.assign(client, { serviceAvatar: serviceAvatarId });
        this.#record(tx, principal, 'app_changed', clientId);
        await revokeTokens(tx, this.#p, principal, { client_id: clientId, client_credentials: true });
      }
      return { ok: true, clientId, serviceAvatarId };
    });
  }

  #record(tx: Tx, principal: Principal, action: AuditAction, clientId: string): void {
    this.#p.audit.record(tx, principal, action, { userId: principal.userId, subject: clientId });
  }
}

async function checkServiceAvatar(tx: Tx, principal: Principal, avatarId: string | null): Promise<void> {
  if (avatarId === null) return;
  const owned = await avatars(tx.em).holdOwned(avatarId, principal.userId);
  if (!owned) throw badInput('serviceAvatarId', 'must be one of your avatars.');
}

/** An app as its owner sees it. */
const showClient = (client: OAuthClientEntity): OAuthClient => ({
  clientId: client.id,
  name: client.name,
  redirectDomains: client.redirectDomains,
  scopes: client.scopes,
  serviceAvatarId: client.serviceAvatar?.id,
  previousValidUntil: client.previousSecretUntil,
  rotatedAt: client.secretRotatedAt,
  createdAt: client.createdAt,
});
