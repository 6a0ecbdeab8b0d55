/**
 * Which network addresses a fetch of something a user named may reach: public unicast ones, judged by `ipaddr.js`.
 * It knows no names and opens no connection.
 */
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

// Public by its number, yet the host agent of every Azure machine answers there.
const AZURE_HOST_AGENT = '168.63.129.16';

// All global IPv6 lies here (RFC 4291). Demanding it also refuses ::/96, NAT64, site-local and whatever else is
// given a meaning one day, without a list to keep up.
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * IPv6 in its one canonical form. The system prints ::/96 as `::8.8.8.8`, which ipaddr.js takes for `::ffff:8.8.8.8`:
 * another address, with another answer. An address with a zone (`fe80::1%eth0`) has no such form.
 */
function canonicalV6(text: string): string | undefined {
  const url = `http://[${text}]/`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}

/** True when an IP address (no brackets, no port) is one a user may make us call. Anything else is not. */
export function isPublicAddress(text: string): boolean {
  const canonical = isIPv6(text) ? canonicalV6(text) : text;
  // Strict by node's own rule: ipaddr.js alone would also take `0x7f.1`.
  if (canonical === undefined || !isIP(canonical)) return false;
  const address = ipaddr.parse(canonical);
  if (address instanceof ipaddr.IPv6) {
    if (address.isIPv4MappedAddress()) return isPublicAddress(address.toIPv4Address().toString());
    return address.range() === 'unicast' && address.match(GLOBAL_V6);
  }
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST_AGENT;
}
