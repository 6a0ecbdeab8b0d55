/** API keys: made by a signed-in user, shown once, kept as a hash. */

import type { ApiKey, NewApiKey } from '../../../schema/api-key.ts';
import { ApiKeyEntity } from '../../../schema/entities/users.ts';
import type { CreateApiKeyInput } from '../../../schema/inputs/account.ts';
import type { Principal } from '../../auth/principal.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { newId, newToken, sha256 } from '../../kernel/ids.ts';
import type { Platform } from '../platform/platform.port.ts';
import { keepResult } from './idempotency.service.ts';
import { checkQuota } from './quota.service.ts';
import { apiKeys, users } from './user.repository.ts';

export class ApiKeys {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit'>) {
    this.#p = platform;
  }

  /** A key without `scopes` can do all that its owner can; with scopes, what an access token of an app with them can. */
  async create(principal: Principal, request: CreateApiKeyInput): Promise<NewApiKey> {
    const { name, scopes = null } = request;
    const token = newToken('svc_');
    const createdAt = this.#p.clock.now();
    const limits = { expiresAt: readExpiry(request.expiresAt, createdAt), scopes };
    const id = newId('key', createdAt);
    const made = { id, name, token, createdAt, ...limits };
    await this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(principal.userId);
      const row = { id, user: principal.userId, name, tokenHash: sha256(token), createdAt, ...limits };
      tx.em.create(ApiKeyEntity, row);
      await checkQuota(tx, this.#p.config, principal.userId, 'apiKeys');
      this.#p.audit.record(tx, principal, 'api_key_created', { userId: principal.userId, subject: id });
      keepResult(tx, principal, made);
    });
    return made;
  }

  list(principal: Principal): Promise<ApiKey[]> {
    return apiKeys(this.#p.db.em()).ofUser(principal.userId);
  }

  /** Revokes one of the caller's keys; sockets it opened are closed within two seconds. */
  async remove(principal: Principal, id: string): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      const isRevoked = await apiKeys(tx.em).revokeOwn(id, principal.userId, this.#p.clock.now());
      if (!isRevoked) throw new PlatformError('NOT_FOUND', 'API key not found.');
      this.#p.audit.record(tx, principal, 'api_key_revoked', { userId: principal.userId, subject: id });
      tx.afterCommit(() => this.#p.notifier.emit('revoked', `credential ${id}`));
    });
  }
}

function readExpiry(expiresAt: number | null | undefined, nowMs: number): number | null {
  if (expiresAt == null) return null;
  if (expiresAt <= nowMs) throw badInput('expiresAt', 'must be in the future.');
  return expiresAt;
}
