/**
 * `<script type="module" src=".../embed.js"></script>` once, then `<avatar-live src=".../live/c-..."></avatar-live>` anywhere: the live viewer
 * in a frame with the right permissions. What the viewer tells its parent comes out as events of the element:
 * `avatar:state` and `avatar:turn`, with the message as `detail`.
 */

const OWN_ORIGIN = new URL(import.meta.url).origin;

export class AvatarLive extends HTMLElement {
  static readonly observedAttributes = ['src', 'title'];
  readonly #frame = document.createElement('iframe');
  readonly #listen = (event: MessageEvent): void => {
    const type = (event.data as { type?: unknown } | null)?.type;
    if (event.source !== this.#frame.contentWindow || (type !== 'avatar:state' && type !== 'avatar:turn')) return;
    this.dispatchEvent(new CustomEvent(type, { detail: event.data, bubbles: true }));
  };

  constructor() {
    super();
    const style = new CSSStyleSheet();
    style.replaceSync(`:host { display: block; aspect-ratio: 1; min-width: 15rem; overflow: hidden; border-radius: 1rem }
      :host([hidden]) { display: none } iframe { display: block; width: 100%; height: 100%; border: 0; background: #0a0b0d }`);
    const root = this.attachShadow({ mode: 'closed' });
    root.adoptedStyleSheets = [style];
    this.#frame.allow = 'autoplay; fullscreen';
    this.#frame.allowFullscreen = true;
    this.#frame.referrerPolicy = 'no-referrer';
    root.append(this.#frame);
  }

  connectedCallback(): void {
    window.addEventListener('message', this.#listen);
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#listen);
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (name === 'title') this.#frame.title = value ?? 'Live avatar';
    if (name !== 'src' || value === null) return;
    const url = new URL(value, OWN_ORIGIN);
    // Nothing but a viewer of this very server is ever framed.
    if (url.origin === OWN_ORIGIN) this.#frame.src = url.href;
    if (!this.#frame.title) this.#frame.title = 'Live avatar';
  }
}

if (!customElements.get('avatar-live')) customElements.define('avatar-live', AvatarLive);
