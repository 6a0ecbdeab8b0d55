/**
 * Captions in another language: by the server's language model when it has one, else by the browser's own translator,
 * else not at all, and the viewer is told so.
 */
import { ask, type LivePage, spokenText, type TurnView } from '../lib/page.ts';

const CODES = 'en es fr de it pt nl pl cs sv da fi no ro hu el bg uk ru tr ar he fa hi bn ur id vi th ko ja zh'.split(
  ' ',
);

const QUERY = `query($turnId: ID!, $viewerToken: String, $key: String, $language: String!) {
  translatedCaption(turnId: $turnId, viewerToken: $viewerToken, key: $key, language: $language) { text } }`;

interface BrowserTranslator {
  translate(text: string): Promise<string>;
}
interface TranslatorFactory {
  availability(pair: object): Promise<string>;
  create(pair: object): Promise<BrowserTranslator>;
}

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
  of(turn: TurnView): Promise<Translated> | undefined {
    const { language } = this;
    const text = spokenText(turn);
    if (!language || !text) return undefined;
    const key = `${language} ${turn.id} ${text.length}`;
    const known = this.#known.get(key) ?? this.#translate(turn, text, language);
    if (this.#known.size > 300) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }

  async #translate(turn: TurnView, text: string, language: string): Promise<Translated> {
    const byServer = this.#serverCannot ? undefined : await this.#byServer(turn, language).catch(() => undefined);
    if (byServer !== undefined) return { text: byServer };
    const byBrowser = await translateInBrowser(text, language).catch(() => undefined);
    return byBrowser === undefined ? { unavailable: true } : { text: byBrowser };
  }

  async #byServer(turn: TurnView, language: string): Promise<string | undefined> {
    const { graphql, viewerToken, key } = this.#page;
    const { slug } = this.#page;
    const turnId = slug.startsWith('t-') ? slug : turn.id;
    const variables = { turnId, viewerToken, key, language };
    const { data, errors } = await ask<{ translatedCaption: { text: string } }>(graphql, QUERY, variables);
    if (errors?.[0]?.extensions?.code === 'UNAVAILABLE') this.#serverCannot = true;
    return data?.translatedCaption?.text;
  }
}

async function translateInBrowser(text: string, targetLanguage: string): Promise<string | undefined> {
  const factory = (globalThis as { Translator?: TranslatorFactory }).Translator;
  if (!factory) return undefined;
  const pair = { sourceLanguage: document.documentElement.lang || 'en', targetLanguage };
  if ((await factory.availability(pair)) === 'unavailable') return undefined;
  return (await factory.create(pair)).translate(text);
}
