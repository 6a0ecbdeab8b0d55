/**
 * Where an app may be answered: which host names it registers, and which `redirect_uri` lies on one of
 * them. One parser, the browser's own (WHATWG), judges the address and writes the redirect, so that no two parsers
 * can disagree about its host. It never redirects and knows no client.
 */
import { badInput } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';

const HOST_CHARS = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Parameters that our answer carries: an address that brings its own could make an app read those instead. */
const ANSWER_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description'];

/** The host names of a registration, lower case and in punycode; throws 400 for whatever is not a plain host name. */
export function readRedirectDomains(domains: readonly string[]): string[] {
  return [...new Set(domains.map((domain) => readHost(domain)))];
}

function readHost(text: string): string {
  const host = text.length <= HOST_CHARS && /^[^\s/\\:?#@%*]+$/.test(text) ? hostOf(text) : undefined;
  // An ASCII name that the parser changes (`127.1`) would be registered as another one than was written.
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
  // What the parser would silently repair (tabs, backslashes, missing slashes) is refused: others repair otherwise.
  if (text.length > LIMITS.url || /[\s\\#\p{Cc}\p{Cf}]/u.test(text)) return undefined;
  if (!/^https?:\/\/[^/?@]+(?:[/?].*)?$/is.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost');
  if (!isAllowed || url.username || url.password || !domains.includes(url.hostname)) return undefined;
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
