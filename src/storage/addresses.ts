/**
 * Which network addresses a fetch of something a user named may reach: public unicast ones, judged by `ipaddr.js`.
 * It knows no names and opens no connection.
 */
import ipaddr from 'ipaddr.js';

// Public by its number, yet the host agent of every Azure machine answers there.
const AZURE_HOST_AGENT = '168.63.129.16';

// All global IPv6 lies here (RFC 4291). Demanding it also refuses ::/96, NAT64, site-local and whatever else is
// given a meaning one day, without a list to keep up.
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** True when an IP address (no brackets, no port) is one a stranger may make us call. Anything else is not. */
export function isPublicAddress(text: string): boolean {
  // The parser also takes `0x7f.1` and `2130706433`; what comes out is judged, whatever form went in.
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv6) {
    if (address.isIPv4MappedAddress()) return isPublicAddress(address.toIPv4Address().toString());
    return address.range() === 'unicast' && address.match(GLOBAL_V6);
  }
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST_AGENT;
}
