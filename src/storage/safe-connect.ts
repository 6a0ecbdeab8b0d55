/**
 * What everything that a user named is fetched through: it opens a socket only to an address it has checked, and
 * to no other. A guard in DNS `lookup` alone is bypassed by every literal address (it is never called for one) and a
 * guard before the request by an answer that changes; so the check stands here, where the socket is opened, and the
 * addresses that passed are the ones that are dialled.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { LIMITS } from '../kernel/limits.ts';
import { isPublicAddress } from './public-address.ts';

/** An IP address; `family` is 4 or 6. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a host name. Injected by tests. */
export type Resolver = (hostname: string) => Promise<ResolvedAddress[]>;

/** The resolver of the machine: /etc/hosts, then DNS. */
export const systemResolver: Resolver = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/** Why a fetch was refused. Internal: it is logged as the cause of a public error that says nothing of it. */
export class FetchRefusal extends Error {
  override readonly name = 'FetchRefusal';
}

/** Hosts (`host`, or `host:port` for one port) that the operator exempts from the address and port rules. */
export type AllowHosts = ReadonlySet<string>;

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };
const PORTS = new Set(['80', '443']);

/** Lower case, as WHATWG URLs have their hosts. */
export function readAllowHosts(hosts: readonly string[]): AllowHosts {
  return new Set(hosts.map((host) => host.toLowerCase()));
}

function isAllowed(allowHosts: AllowHosts, hostname: string, port: string): boolean {
  return allowHosts.has(hostname) || allowHosts.has(`${hostname}:${port}`);
}

/** Reads an address and holds it to the rules that need no network. Throws FetchRefusal. */
export function checkUrl(text: string, allowHosts: AllowHosts, base?: string): URL {
  if (text.length > LIMITS.url) throw new FetchRefusal('The URL is too long.');
  if (!URL.canParse(text, base)) throw new FetchRefusal('Not a URL.');
  const url = new URL(text, base);
  const defaultPort = DEFAULT_PORTS[url.protocol];
  if (!defaultPort) throw new FetchRefusal(`Scheme ${url.protocol}`);
  if (url.username || url.password) throw new FetchRefusal('The URL carries credentials.');
  const port = url.port || defaultPort;
  if (!PORTS.has(port) && !isAllowed(allowHosts, url.hostname, port)) throw new FetchRefusal(`Port ${port}`);
  return url;
}

/** Judges a URL that is kept to be called later. Names are judged once they are looked up; an address is known already. */
export function checkKeptUrl(text: string, allowHosts: AllowHosts): void {
  const url = checkUrl(text, allowHosts);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port || (DEFAULT_PORTS[url.protocol] ?? '');
  if (isIP(hostname) && !isPublicAddress(hostname) && !isAllowed(allowHosts, url.hostname, port))
    throw new FetchRefusal(`${hostname} is not public.`);
}

/** Fails when the resolver takes too long; else its answer would hold a place in undici's queue for ever. */
async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new FetchRefusal('The name was not resolved in time.')), timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The addresses to dial. Throws FetchRefusal unless every one of them may be. */
async function checkedAddresses(hostname: string, resolver: Resolver, exempt: boolean): Promise<ResolvedAddress[]> {
  const family = isIP(hostname);
  const addresses = family ? [{ address: hostname, family }] : await resolver(hostname);
  if (addresses.length === 0) throw new FetchRefusal(`${hostname} has no address.`);
  for (const { address } of addresses) {
    if (!exempt && !isPublicAddress(address)) throw new FetchRefusal(`${hostname} is at ${address}.`);
  }
  return addresses;
}

/** A `lookup` that answers only the addresses that were checked. */
function pinned(addresses: ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/** An undici connector that keeps the rules above. `timeoutMs` bounds the name, then TCP and TLS together. */
export function safeConnector(allowHosts: AllowHosts, resolver: Resolver, timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    const port = options.port || (DEFAULT_PORTS[options.protocol] ?? '');
    const hostname = options.hostname.replace(/^\[|\]$/g, '');
    const exempt = isAllowed(allowHosts, isIPv6(hostname) ? `[${hostname}]` : hostname, port);
    within(checkedAddresses(hostname, resolver, exempt), timeoutMs).then(
      (addresses) => {
        // One connector per socket, for its `lookup`. TLS still verifies the name, for only the lookup is replaced.
        const connect = buildConnector({
          timeout: timeoutMs,
          allowH2: false,
          maxCachedSessions: 0,
          autoSelectFamily: true,
          lookup: pinned(addresses),
        });
        connect({ ...options, hostname }, callback);
      },
      (error) => callback(error, null),
    );
  };
}
