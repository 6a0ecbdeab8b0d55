/**
 * Where an app may be answered: which host names it registers, and which `redirect_uri` lies on one of
 * them. One parser, the browser's own (WHATWG), judges the address and writes the redirect, so that no two parsers
 * can disagree about its host. It never redirects and knows no client.
 */
import { badInput } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';

const HOST_CHARS = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Parameters that our answer adds: an app might read those of an address that has its own instead. */
const ANSWER_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description'];

/** The host names of a registration, lower case and in punycode; throws 400 for whatever is not a plain host name. */
export function readRedirectDomains(domains: readonly string[]): string[] {
  return [...new Set(domains.map((domain) => readHost(domain)))];
}

function readHost(text: string): string {
  const host = text.length <= HOST_CHARS && /^[^\s/\\:?#@%*]+$/.test(text) ? hostOf(text) : undefined;
  // The parser rewrites some ASCII names (`127.1`): another name would be registered than was written.
  const isChanged = /^[\x20-\x7e]*$/.test(text) && host !== text.toLowerCase();
  if (!host || isChanged || host.length > HOST_CHARS || !host.split('.').every((label) => LABEL.test(label))) {
    throw badInput(
      'redirectDomains',
      'must be host names such as app.example.com, without scheme, port, path or wildcard.',
    );
  }
  return host;
}

function hostOf(text: string): string | undefined {
  const url = `https://${text}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/**
 * The parsed address when it may be redirected to: https (http for localhost only), its host one of `domains`, no
 * userinfo, no fragment; any port. Undefined otherwise.
 */
export function readRedirectUri(text: string, domains: readonly string[]): URL | undefined {
  const url = plainAddress(text);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost');
  return isAllowed && domains.includes(url.hostname) ? url : undefined;
}

/** Names of the user's own machine: a program of the person who signs in listens there (RFC 8252, 7.3). */
const LOOPBACK = ['localhost', '127.0.0.1'];

/** An address that a program may register for itself: https, or http on this machine. Undefined otherwise. */
export function readRegisteredUri(text: string): URL | undefined {
  const url = plainAddress(text);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname));
  return isAllowed ? url : undefined;
}

/**
 * The parsed address when it is exactly one of those registered. On this machine the port may be another one: programs take
 * one that is free (RFC 8252, 7.3). Undefined otherwise.
 */
export function matchRegisteredUri(text: string, registered: readonly string[]): URL | undefined {
  const url = readRegisteredUri(text);
  if (!url) return undefined;
  const isSame = registered.includes(text);
  return isSame || (url.protocol === 'http:' && registered.some((one) => sansPort(one) === sansPort(text)))
    ? url
    : undefined;
}

/** An http address of this machine without its port; another one as it is. */
const sansPort = (text: string): string =>
  text.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?(?=[/?]|$)/, '$1');

/** The parsed address, if every parser reads it alike and it has no userinfo, no fragment and no parameter of our answer. */
function plainAddress(text: string): URL | undefined {
  // What the parser would silently repair (tabs, backslashes, missing slashes) is refused: other parsers repair it differently.
  if (text.length > LIMITS.url || /[\s\\#\p{Cc}\p{Cf}]/u.test(text)) return undefined;
  if (!/^https?:\/\/[^/?@]+(?:[/?].*)?$/is.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username || url.password) return undefined;
  return ANSWER_PARAMETERS.some((name) => url.searchParams.has(name)) ? undefined : url;
}

/** The address with our answer behind whatever query it has. */
export function redirectUrl(redirect: URL, answer: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] != null);
  const parameters = new URLSearchParams(given).toString();
  const url = new URL(redirect);
  url.search = url.search ? `${url.search}&${parameters}` : parameters;
  return url.href;
}
