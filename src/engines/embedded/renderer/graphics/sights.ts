/** What a city is known by, where nothing else that is built is named: "a couple in Paris" stands near the Eiffel Tower. */

const SIGHTS: readonly (readonly [RegExp, string])[] = [
  [/\bparis\b/, 'eiffel tower'],
  [/\b(?:kyoto|nara|osaka|kanazawa|japan(?:ese)? (?:city|town|village))\b/, 'pagoda'],
  [/\btokyo\b/, 'tokyo tower'],
  [/\b(?:new york|manhattan)\b/, 'statue of liberty'],
  [/\blondon\b/, 'clock tower'],
  [/\bsan francisco\b/, 'golden gate bridge'],
  [/\b(?:cairo|giza)\b/, 'pyramid'],
  [/\bagra\b/, 'taj mahal'],
  [/\b(?:rome|athens)\b/, 'parthenon'],
  [/\b(?:istanbul|marrakech|marrakesh)\b/, 'mosque'],
  [/\b(?:mumbai|delhi|varanasi|jaipur)\b/, 'hindu temple'],
];

/** A listed word for what a city in a text is known by; undefined for none. @param text lower case */
export const sightIn = (text: string): string | undefined => SIGHTS.find(([city]) => city.test(text))?.[1];
