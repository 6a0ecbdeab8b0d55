/**
 * Security headers of pages: which sites may frame one (`frame-ancestors`, `x-frame-options`), what it may load, which
 * devices it may ask for. Scripts and styles come from our own files only, nothing is inline, no referrer is sent.
 */
import type { PageContext } from './page-context.ts';

/** A device that a page may ask for. */
type Feature = 'camera' | 'microphone';

/** What a page is allowed; whatever it does not say is refused. */
export interface PagePolicy {
  /** True when other sites may show the page in a frame: only a page that reads no session may be. */
  embeddable?: boolean;
  /** True for a page that an app may have opened as a popup: `window.opener` stays. */
  keepsOpener?: boolean;
  /** True for a page that opens the consent page as a popup, and is answered by it. */
  opensPopups?: boolean;
  /** Only for the page of a library that writes styles as it goes and has a `<base>` of its own (the GraphQL IDE). */
  isLibrary?: boolean;
  /** True when the page shows the live viewer in a frame of its own. */
  framesUs?: boolean;
  /** Sites beside our own that its forms may lead to, by a redirect. */
  formAction?: string;
  /** Devices that the page may ask the user for; every other page is refused them. */
  features?: readonly Feature[];
  /** Hashes of `<style>` elements that a library makes in its shadow trees. */
  styleHashes?: readonly string[];
}

/** Features of browsers that no page may use, nor a frame in it, except those that the page lists. */
const FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'serial', 'usb'];

const permissions = (allowed: readonly string[] = []): string =>
  FEATURES.map((feature) => `${feature}=${allowed.includes(feature) ? '(self)' : '()'}`).join(', ');

/** The headers of a page, by what it declares. */
export function pageHeaders(site: PageContext, page: PagePolicy): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(site, page),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'permissions-policy': permissions(page.features),
    // A page that an app opened as a popup keeps its `window.opener`: it reports there when the user has signed in.
    'cross-origin-opener-policy':
      page.keepsOpener || page.embeddable
        ? 'unsafe-none'
        : page.opensPopups
          ? 'same-origin-allow-popups'
          : 'same-origin',
    ...(page.embeddable ? {} : { 'x-frame-options': 'DENY' }),
  };
}

function policy(site: PageContext, page: PagePolicy): string {
  const media = site.mediaOrigin;
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src ${["'self'", ...(page.isLibrary ? ["'unsafe-inline'"] : []), ...(page.styleHashes ?? [])].join(' ')}`,
    `img-src 'self' data: ${media}`,
    `media-src 'self' blob: ${media}`,
    `connect-src 'self' ${media} ${site.socketOrigins}`,
    `font-src 'self'${page.isLibrary ? ' data:' : ''}`,
    `worker-src 'self' blob:`,
    ...(page.framesUs ? [`frame-src 'self'`] : []),
    `form-action 'self'${page.formAction ? ` ${page.formAction}` : ''}`,
    `base-uri ${page.isLibrary ? "'self'" : "'none'"}`,
    `frame-ancestors ${page.embeddable ? '*' : "'none'"}`,
  ].join('; ');
}
