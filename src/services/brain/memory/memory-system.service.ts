/**
 * The memory systems an owner may choose from, as one table, and what is stored of the choice: a sealed text that holds
 * the address and key of an external system and opens for that avatar alone.
 */
import { badInput } from '../../../kernel/errors.ts';
import { openSecret, sealSecret } from '../../../kernel/sealing.ts';
import type { ExternalOptions, Fetch } from './external.client.ts';
import { createMem0 } from './mem0.client.ts';
import type { BrainSystem } from './memory-system.port.ts';
import { createSupermemory } from './supermemory.client.ts';

interface External {
  create: (options: ExternalOptions) => BrainSystem;
  /** Where the system is when the owner does not say; null: the owner must. */
  defaultUrl: string | null;
  needsKey: boolean;
}

const EXTERNAL: Readonly<Record<string, External>> = {
  mem0: { create: createMem0, defaultUrl: null, needsKey: false },
  supermemory: { create: createSupermemory, defaultUrl: 'https://api.supermemory.ai', needsKey: true },
};

/** Name of the built-in system. */
export const MANAGED = 'managed';
/** What `selectBrainSystem` accepts. */
const BRAIN_SYSTEMS: readonly string[] = [MANAGED, ...Object.keys(EXTERNAL)];

/** Address and key of an external system. */
export interface ExternalSettings {
  baseUrl: string;
  apiKey: string;
}

/** Checks an owner's choice of an external system and fills in what it leaves out. BAD_INPUT names the field. */
export function externalSettings(
  system: string,
  given: { baseUrl?: string | null; apiKey?: string | null },
): ExternalSettings {
  const known = Object.hasOwn(EXTERNAL, system) ? EXTERNAL[system] : undefined;
  if (!known) throw badInput('system', `must be one of ${BRAIN_SYSTEMS.join(', ')}.`);
  const baseUrl = given.baseUrl?.trim() || known.defaultUrl;
  const apiKey = given.apiKey?.trim() ?? '';
  if (!baseUrl) throw badInput('baseUrl', `is required for ${system}.`);
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw badInput('baseUrl', 'must be a plain http or https address.');
  }
  if (known.needsKey && !apiKey) throw badInput('apiKey', `is required for ${system}.`);
  // A key travels in a header: anything else there would be another header.
  if (!/^[\x21-\x7e]*$/.test(apiKey)) throw badInput('apiKey', 'must be printable ASCII without spaces.');
  return { baseUrl: url.href.replace(/\/+$/, ''), apiKey };
}

/** The settings as they are stored. */
export function sealSettings(masterKey: string, avatarId: string, settings: ExternalSettings): string {
  return sealSecret(masterKey, JSON.stringify(settings), `brain:${avatarId}`);
}

/** Address and key of an avatar's external system from what is stored. Throws when it does not open. */
export function settingsOf(sealed: string, masterKey: string, avatarId: string): ExternalSettings {
  return JSON.parse(openSecret(masterKey, sealed, `brain:${avatarId}`));
}

/** The external system of an avatar from what is stored; `fetch` is the guarded one. Throws when it does not open. */
export function openExternal(
  system: string,
  sealed: string,
  options: { masterKey: string; avatarId: string; fetch: Fetch; timeoutMs?: number },
): BrainSystem {
  const known = Object.hasOwn(EXTERNAL, system) ? EXTERNAL[system] : undefined;
  if (!known) throw new Error(`unknown memory system ${system}`);
  const settings = settingsOf(sealed, options.masterKey, options.avatarId);
  return known.create({ ...settings, fetch: options.fetch, timeoutMs: options.timeoutMs });
}
