/**
 * What names an anonymous visitor, kept by the browser from one visit to the next. In a frame of another site it is that
 * site's own part of the storage, so that no visitor is followed from site to site; browsers that give frames no storage
 * still give them cookies of that kind. The server reads none of them: the page sends the token itself.
 */

const COOKIE = 'avatar_visitor';
const LONGEST_S = 400 * 24 * 3_600;

export class KeptToken {
  readonly #key: string;

  constructor(slug: string) {
    this.#key = `avatar-visitor ${slug}`;
  }

  /** Null for who comes for the first time, or from a browser that keeps nothing. */
  read(): string | null {
    try {
      return localStorage.getItem(this.#key) ?? this.#cookie();
    } catch {
      return this.#cookie();
    }
  }

  write(token: string): void {
    try {
      localStorage.setItem(this.#key, token);
    } catch {
      const path = location.pathname.replace(/\/embed$/, '');
      // Of this page alone, and of the site that frames it.
      // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser, and has no partitions in some
      document.cookie = `${COOKIE}=${token}; Path=${path}; Max-Age=${LONGEST_S}; Secure; SameSite=None; Partitioned`;
    }
  }

  #cookie(): string | null {
    return new RegExp(`(?:^|; )${COOKIE}=(\\w{32})`).exec(document.cookie)?.[1] ?? null;
  }
}
