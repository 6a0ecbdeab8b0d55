/**
 * The browser's own Translator and LanguageDetector, where it has them. What an avatar says need not be in the page's
 * language, so each text is looked at before it is translated; one translator serves all texts of a pair.
 */

interface BrowserTranslator {
  translate(text: string): Promise<string>;
}
interface TranslatorFactory {
  availability(pair: object): Promise<string>;
  create(pair: object): Promise<BrowserTranslator>;
}
interface DetectorFactory {
  create(): Promise<{ detect(text: string): Promise<{ detectedLanguage: string; confidence: number }[]> }>;
}
const browser = globalThis as { Translator?: TranslatorFactory; LanguageDetector?: DetectorFactory };

/** What the detector calls a text that it cannot place. */
const UNDETERMINED = 'und';
const translators = new Map<string, Promise<BrowserTranslator>>();

/** Undefined when the browser cannot; the text itself when it is in that language already. */
export async function translateInBrowser(text: string, targetLanguage: string): Promise<string | undefined> {
  const { Translator } = browser;
  if (!Translator) return undefined;
  const sourceLanguage = await languageOf(text);
  if (sourceLanguage.split('-')[0] === targetLanguage) return text;
  const pair = { sourceLanguage, targetLanguage };
  if ((await Translator.availability(pair)) === 'unavailable') return undefined;
  const name = `${sourceLanguage} ${targetLanguage}`;
  const translator = translators.get(name) ?? Translator.create(pair);
  translators.set(name, translator);
  translator.catch(() => translators.delete(name));
  return (await translator).translate(text);
}

async function languageOf(text: string): Promise<string> {
  const found = await browser.LanguageDetector?.create()
    .then((detector) => detector.detect(text))
    .catch(() => undefined);
  const best = found?.[0]?.detectedLanguage;
  return best && best !== UNDETERMINED ? best : document.documentElement.lang || 'en';
}
