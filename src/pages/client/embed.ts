/**
 * `<script type="module" src=".../embed.js"></script>` once, then anywhere `<avatar-live src=".../live/c-..."></avatar-live>`, the live
 * viewer, or `<avatar-talk src=".../a/..."></avatar-talk>`, an avatar to talk with: each in a frame with the right permissions.
 * What the stage reports to its parent comes out as events of the element: `avatar:state` and `avatar:turn`, with the message
 * as `detail`.
 */

const OWN_ORIGIN = new URL(import.meta.url).origin;

const STYLE = `:host { display: block; min-width: 15rem; overflow: hidden; border-radius: 1rem }
  :host([hidden]) { display: none } iframe { display: block; width: 100%; height: 100%; border: 0; background: #0a0b0d }`;

interface Frame {
  /** What it may do. */
  permissions: string;
  /** Its title and its size, where the page around it does not say; the size as a rule of CSS. */
  name: string;
  shape: string;
}

/** A page of this very server in a frame. */
abstract class Framed extends HTMLElement {
  readonly #name: string;
  static readonly observedAttributes = ['src', 'title', 'challenge'];
  readonly #frame = document.createElement('iframe');
  readonly #listen = (event: MessageEvent): void => {
    const type = (event.data as { type?: unknown } | null)?.type;
    if (event.source !== this.#frame.contentWindow || (type !== 'avatar:state' && type !== 'avatar:turn')) return;
    this.dispatchEvent(new CustomEvent(type, { detail: event.data, bubbles: true }));
  };

  constructor({ permissions, name, shape }: Frame) {
    super();
    this.#name = name;
    const style = new CSSStyleSheet();
    style.replaceSync(`${STYLE} ${shape}`);
    const root = this.attachShadow({ mode: 'closed' });
    root.adoptedStyleSheets = [style];
    this.#frame.allow = permissions;
    this.#frame.allowFullscreen = true;
    this.#frame.referrerPolicy = 'no-referrer';
    root.append(this.#frame);
  }

  /** The address to show, from the one that was given. */
  protected abstract addressOf(url: URL): URL;

  connectedCallback(): void {
    window.addEventListener('message', this.#listen);
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#listen);
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (name === 'title') this.#frame.title = value ?? this.#name;
    if (!this.#frame.title) this.#frame.title = this.#name;
    const src = this.getAttribute('src');
    if (name === 'title' || src === null) return;
    const url = new URL(src, OWN_ORIGIN);
    // Nothing but a page of this very server is ever framed.
    if (url.origin === OWN_ORIGIN) this.#frame.src = this.addressOf(url).href;
  }
}

/** The element `<avatar-live>`: the live viewer in a frame. */
export class AvatarLive extends Framed {
  constructor() {
    super({ permissions: 'autoplay; fullscreen', name: 'Live avatar', shape: ':host { aspect-ratio: 1 }' });
  }

  protected addressOf(url: URL): URL {
    return url;
  }
}

/** `challenge`: what the operator's check of new visitors is handed, where there is one. */
class AvatarTalk extends Framed {
  constructor() {
    const shape = ':host { height: 36rem; max-height: 90vh }';
    super({ permissions: 'autoplay; fullscreen; microphone', name: 'Talk with an avatar', shape });
  }

  /** The page's form for frames, which reads no cookie. */
  protected addressOf(url: URL): URL {
    url.pathname = `${url.pathname.replace(/\/(embed\/?)?$/, '')}/embed`;
    const challenge = this.getAttribute('challenge');
    if (challenge) url.searchParams.set('challenge', challenge);
    return url;
  }
}

if (!customElements.get('avatar-live')) customElements.define('avatar-live', AvatarLive);
if (!customElements.get('avatar-talk')) customElements.define('avatar-talk', AvatarTalk);
