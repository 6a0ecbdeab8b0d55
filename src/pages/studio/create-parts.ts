/** What the three pages of making share: the tabs, the price, the avatars to choose from. */

import { credits } from '../credit-amount.ts';
import { type Html, html } from '../html.ts';
import { getCredits, inAmounts, type Refused, shortageOf } from '../missing-credits.ts';
import type { CreateData } from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { type PageRequest, text } from '../page-request.ts';

const TABS = { Image: '/studio/create', Speech: '/studio/create/speech', Video: '/studio/create/video' } as const;

/** The kinds of media one can create. */
export function tabs({ sitePath }: PageContext, here: keyof typeof TABS): Html {
  return html`<nav class="chips" aria-label="What to create">${Object.entries(TABS).map(
    ([name, path]) =>
      html`<a class="button" href="${sitePath}${path}"${name === here && html` aria-current="page"`}>${name}</a>`,
  )}</nav>`;
}

/** Prices of kernel/prices.ts in credits. */
export const inCredits = (micro: bigint): number => Number(micro) / 1_000_000;

/** What is there to pay with. */
export const balanceLine = ({ me }: CreateData): Html =>
  html`<p class="small muted" id="balance" data-live="balance">You have ${credits(me.balance.available)} credits.</p>`;

/** The sentence of a refusal; when credits are missing also what it costs and the way on. */
export function refusal(
  { site }: PageRequest,
  problem: Problem | undefined,
  price: Html,
  data: CreateData,
): Html | false {
  if (!problem) return false;
  if (problem.code !== 'INSUFFICIENT_CREDITS') return html`<p class="notice bad" role="alert">${problem.message}</p>`;
  const sentence = shortageOf(problem)
    ? inAmounts(problem, 'it costs up to')
    : html`Not enough credits: it costs ${price}, and you have ${credits(data.me.balance.available)}.`;
  return html`<p class="notice bad" role="alert">${sentence} ${getCredits(site.sitePath)}</p>`;
}

/** Why something was not created. */
export type Problem = Refused;

/** The user's avatars as options of a field. */
export function avatarOptions({ avatars }: CreateData, chosen: string, needsVoice: boolean): Html[] {
  return avatars.nodes
    .filter(({ ttsVoiceId }) => !needsVoice || ttsVoiceId)
    .map(
      ({ avatarId, displayName }) =>
        html`<option value="${avatarId}"${avatarId === chosen && html` selected`}>${displayName ?? 'Avatar'}</option>`,
    );
}

/** A field of options; the chosen one stays after an error. */
export function choose(
  pageRequest: PageRequest,
  name: string,
  options: readonly (readonly [value: string, words: string])[],
): Html {
  const given = text(pageRequest.fields, name);
  return html`<select class="input" id="${name}" name="${name}">${options.map(
    ([value, words]) => html`<option value="${value}"${value === given && html` selected`}>${words}</option>`,
  )}</select>`;
}

/** Aspect ratios in words. */
export const RATIOS = [
  ['1:1', 'Square'],
  ['16:9', 'Wide (16:9)'],
  ['9:16', 'Tall (9:16)'],
  ['4:3', 'Wide (4:3)'],
  ['3:4', 'Tall (3:4)'],
  ['3:2', 'Wide (3:2)'],
  ['2:3', 'Tall (2:3)'],
] as const;
