/**
 * What one account may have of what costs it nothing to make: the table of quotas with their defaults, which are far
 * above what users need and far below what fills a disk. `QUOTAS` changes them by name.
 */

/** What an account may have of each thing, by default. */
export const QUOTAS = {
  apiKeys: { limit: 100, what: 'API keys' },
  apps: { limit: 100, what: 'apps' },
  /** An event is written down once for each of them. */
  webhooks: { limit: 20, what: 'webhook endpoints' },
  folders: { limit: 200, what: 'avatar folders' },
  avatars: { limit: 1_000, what: 'avatars' },
  /** Portraits drawn free of charge, for avatars that were made without an image. */
  freePortraits: { limit: 500, what: 'portraits drawn free of charge; give imageUrl for more' },
  conversations: { limit: 100_000, what: 'conversations' },
  /** Those that are not revoked, over all conversations of the account. */
  accessLinks: { limit: 10_000, what: 'access links; revoke some' },
  /** What it saved in whosever brains and sandboxes, and what it stated in conversation. */
  memories: { limit: 200_000, what: 'memories' },
  /** Images, recordings and videos made for it. What is under way when it fills up is still stored. */
  storageBytes: { limit: 50 * 1024 ** 3, what: 'bytes of stored media' },
} as const;

/** One of `QUOTAS`. */
export type QuotaName = keyof typeof QUOTAS;
/** The configured limit of each quota. */
export type QuotaLimits = Readonly<Record<QuotaName, number>>;

/** Reads `apiKeys=20, folders=50`: what is named, and the defaults for the rest. Throws a sentence. */
export function readQuotas(text: string): QuotaLimits {
  const limits = Object.fromEntries(Object.entries(QUOTAS).map(([name, { limit }]) => [name, limit as number]));
  for (const item of text.split(',').filter((part) => part.trim())) {
    const [, name = '', limit] = /^\s*(\w+)\s*=\s*(\d{1,15})\s*$/.exec(item) ?? [];
    if (limit === undefined) throw new Error(`must be name=number items, not "${item.trim()}".`);
    if (!Object.hasOwn(QUOTAS, name)) throw new Error(`knows ${Object.keys(QUOTAS).join(', ')}, not "${name}".`);
    limits[name] = Number(limit);
  }
  return limits as Record<QuotaName, number>;
}
