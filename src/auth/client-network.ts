/**
 * Which network a caller is counted by in rate limits: IPv4 by address; IPv6 by /64 (one customer has all of its addresses) and,
 * in a wider budget, by /48 (one site). An IPv4 address that is written as IPv6 (`::ffff:1.2.3.4`) counts as the IPv4 address.
 */
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** The keys by which a network address is counted. */
export interface AddressKeys {
  /** The address itself, or its /64. */
  narrow: string;
  /** The /48 around it; undefined for IPv4. */
  wide?: string;
}

/** Longer ones come from a forwarded header that was not checked. */
const MAX_CHARS = 64;
const known = new LRUCache<string, AddressKeys>({ max: 5_000 });

/** Keys to count a caller by. What is no address (a proxy may forward `unknown`) counts as its own text. */
export function addressKeys(address: string): AddressKeys {
  const found = known.get(address);
  if (found) return found;
  const keys = read(address.slice(0, MAX_CHARS));
  known.set(address.slice(0, MAX_CHARS), keys);
  return keys;
}

function read(address: string): AddressKeys {
  if (!ipaddr.isValid(address)) return { narrow: address };
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return { narrow: parsed.toString() };
  const groups = (parsed as ipaddr.IPv6).parts.map((part) => part.toString(16));
  return { narrow: `${groups.slice(0, 4).join(':')}::/64`, wide: `${groups.slice(0, 3).join(':')}::/48` };
}
