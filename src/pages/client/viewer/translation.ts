/**
 * Captions in another language: by the server's language model when it has one, else by the browser's own translator,
 * else not at all, which the viewer is shown.
 */
import { AvatarError } from '../../../../clients/typescript/src/errors.ts';
import { spokenText, type TurnData } from '../../turn-data.ts';
import { clientAt } from '../lib/client.ts';
import { TRANSLATE } from '../lib/operations.ts';
import type { LivePage } from '../lib/page.ts';
import { translateInBrowser } from './browser-translator.ts';

const CODES = 'en es fr de it pt nl pl cs sv da fi no ro hu el bg uk ru tr ar he fa hi bn ur id vi th ko ja zh'.split(
  ' ',
);
/** Turns whose translation is remembered. */
const MAX_KNOWN = 300;
/** A language model of one's own takes its time. */
const MODEL_MS = 30_000;
const BROWSER_MS = 20_000;

/** The translated words, or that there are none. */
export type Translated = { text: string } | { unavailable: true };

export class Translation {
  language = '';
  readonly #page: LivePage;
  readonly #known = new Map<string, Promise<Translated>>();
  #serverCannot = false;

  constructor(page: LivePage) {
    this.#page = page;
  }

  /** Fills a select with languages by their own names. */
  fill(select: HTMLSelectElement): void {
    for (const code of CODES) {
      const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
      select.add(new Option(name.charAt(0).toLocaleUpperCase(code) + name.slice(1), code));
    }
  }

  /** The words of a turn in the chosen language; undefined when none is chosen. */
  of(turn: TurnData): Promise<Translated> | undefined {
    const { language } = this;
    const text = spokenText(turn);
    if (!language || !text) return undefined;
    const key = `${language} ${turn.id} ${text.length}`;
    const known = this.#known.get(key) ?? this.#translate(turn, text, language);
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }

  async #translate(turn: TurnData, text: string, language: string): Promise<Translated> {
    const byServer = this.#serverCannot ? undefined : await this.#byServer(turn, language).catch(() => undefined);
    if (byServer !== undefined) return { text: byServer };
    // A browser may have to fetch its translator first, and some never do.
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, BROWSER_MS));
    const byBrowser = await Promise.race([translateInBrowser(text, language).catch(() => undefined), late]);
    return byBrowser === undefined ? { unavailable: true } : { text: byBrowser };
  }

  async #byServer(turn: TurnData, language: string): Promise<string | undefined> {
    const { graphql, slug, viewerToken, key } = this.#page;
    const turnId = slug.startsWith('t-') ? slug : turn.id;
    const variables = { turnId, viewerToken, key, language };
    try {
      const options = { timeoutMs: MODEL_MS, retries: 0 };
      return (await clientAt(graphql).graphql(TRANSLATE, variables, options)).translatedCaption.text;
    } catch (error) {
      if (error instanceof AvatarError && error.code === 'UNAVAILABLE') this.#serverCannot = true;
      return undefined;
    }
  }
}
