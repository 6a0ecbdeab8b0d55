/** A visitor of the pages without a browser: keeps cookies, follows nothing by itself, sends forms as browsers do. */

export interface PageAnswer {
  status: number;
  text: string;
  /** Where it was sent, absolute. */
  location: string | undefined;
  headers: Headers;
}

export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.#send(path, { method: 'GET', headers });
  }

  post(path: string, fields: Record<string, string>): Promise<PageAnswer> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#send(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
  }

  /** Signs in through the page. */
  async signIn(email: string, password = 'correct horse'): Promise<this> {
    const { text } = await this.get('/signin');
    const { status } = await this.post('/signin', { csrf: csrfOf(text), email, password });
    if (status !== 303) throw new Error(`Signing in answered ${status}.`);
    return this;
  }

  async #send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.#base), {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie ? { cookie } : {}) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value) this.cookies.set(name!, value);
      else this.cookies.delete(name!);
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      text: await response.text(),
      location: location ? new URL(location, this.#base).href : undefined,
      headers: response.headers,
    };
  }
}

/** The form token of a page. */
export const csrfOf = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
