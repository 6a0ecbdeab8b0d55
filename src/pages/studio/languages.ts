/** Which language a visitor speaks, which voices speak it, and how an avatar says hello in it. */
import type { FastifyRequest } from 'fastify';

/** A voice and its language. */
export interface SpokenVoice {
  id: string;
  name: string;
  source: string;
  language: string;
}

const HELLO: Readonly<Record<string, (name: string) => string>> = {
  en: (name) => `Hello! I am ${name}. What shall we talk about?`,
  de: (name) => `Hallo! Ich bin ${name}. Worüber wollen wir reden?`,
  fr: (name) => `Bonjour ! Je suis ${name}. De quoi voulez-vous parler ?`,
  es: (name) => `¡Hola! Soy ${name}. ¿De qué hablamos?`,
  it: (name) => `Ciao! Sono ${name}. Di cosa parliamo?`,
  pt: (name) => `Olá! Eu sou ${name}. Sobre o que vamos conversar?`,
  nl: (name) => `Hallo! Ik ben ${name}. Waar zullen we over praten?`,
  sv: (name) => `Hej! Jag heter ${name}. Vad ska vi prata om?`,
  pl: (name) => `Cześć! Jestem ${name}. O czym porozmawiamy?`,
  ru: (name) => `Здравствуйте! Я ${name}. О чём поговорим?`,
  uk: (name) => `Привіт! Я ${name}. Про що поговоримо?`,
  tr: (name) => `Merhaba! Ben ${name}. Ne hakkında konuşalım?`,
  ar: (name) => `مرحبا! أنا ${name}. عن ماذا نتحدث؟`,
  hi: (name) => `नमस्ते! मैं ${name} हूँ। हम किस बारे में बात करें?`,
  zh: (name) => `你好！我是${name}。我们聊什么？`,
  ja: (name) => `こんにちは！${name}です。何を話しましょうか？`,
  ko: (name) => `안녕하세요! 저는 ${name}입니다. 무슨 이야기를 할까요?`,
};

/** `de` of `de-AT`. */
export const primary = (language: string): string => language.toLowerCase().split('-')[0] ?? language;

/** What an avatar says first; in English where we do not know the language. */
export function greeting(language: string, name: string): string {
  return (HELLO[primary(language)] ?? HELLO.en!)(name);
}

/** The first language of the browser that some voice speaks; else English, else whatever is spoken first. */
export function languageOf(request: FastifyRequest, voices: readonly SpokenVoice[]): string {
  const spoken = languages(voices);
  const wanted = String(request.headers['accept-language'] ?? '')
    .split(',')
    .map((item) => primary(item.split(';')[0]!.trim()));
  return wanted.find((one) => spoken.includes(one)) ?? (spoken.includes('en') ? 'en' : (spoken[0] ?? 'en'));
}

/** Primary subtags of all voices, each once. */
export const languages = (voices: readonly SpokenVoice[]): string[] => [
  ...new Set(voices.map(({ language }) => primary(language))),
];

/** The language's own name. */
export function nameOfLanguage(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** A voice of the language: the wished one, else the lower or the higher of the first two; undefined where there is none. */
export function voiceFor(
  voices: readonly SpokenVoice[],
  language: string,
  wish: { voice: string; isLow: boolean },
): string | undefined {
  const speaking = voices.filter((voice) => voice.source === 'preset' && primary(voice.language) === language);
  const wished = speaking.find(({ id }) => id === wish.voice);
  return (wished ?? speaking[wish.isLow ? 1 : 0] ?? speaking[0] ?? voices[0])?.id;
}
