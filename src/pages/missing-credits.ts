/** What pages say where credits are missing: what it costs, what is there, and the way on. */

import { CREDITS } from './credit-amount.ts';
import { type Html, html } from './html.ts';
import type { Outcome } from './page-context.ts';

/** A refusal, as an operation returned it or a script got it. */
export interface Refused extends Pick<Outcome<unknown>, 'code' | 'message'> {
  details?: Readonly<Record<string, unknown>> | undefined;
}

/** In credits; what it takes is rounded up, what is there down, so that the two never look alike. */
interface Shortage {
  required: number;
  available: number;
}

/** Both amounts; undefined where a refusal is for something else, or says none. */
export function shortageOf({ code, details = {} }: Refused): Shortage | undefined {
  const { requiredCredits, availableCredits, required, balance, transferable } = details;
  const [takes, has] =
    code === 'INSUFFICIENT_CREDITS'
      ? [requiredCredits, availableCredits]
      : code === 'INSUFFICIENT_BALANCE'
        ? [required, balance]
        : code === 'INSUFFICIENT_TRANSFERABLE'
          ? [required, transferable]
          : [];
  return typeof takes === 'number' && typeof has === 'number' ? { required: takes, available: has } : undefined;
}

const atLeast = (amount: number): string => String(Math.ceil(amount * 1_000 - 1e-9) / 1_000);

/** `it costs` and the like, then both amounts; the refusal's own sentence where no credits are missing. */
export function inAmounts(refused: Refused, costs: string): string {
  const shortage = shortageOf(refused);
  if (!shortage) return refused.message;
  const has = CREDITS.format(shortage.available);
  const there = refused.code === 'INSUFFICIENT_TRANSFERABLE' ? `${has} of yours can be given away` : `you have ${has}`;
  return `Not enough credits: ${costs} ${atLeast(shortage.required)}, and ${there}.`;
}

/** Where one sees one's credits, and how to get more. */
export const creditsPage = (sitePath: string): { href: string; text: string } => ({
  href: `${sitePath}/account#credits`,
  text: 'Get credits',
});

/** The link behind such a sentence. */
export function getCredits(sitePath: string): Html {
  const { href, text } = creditsPage(sitePath);
  return html`<a href="${href}">${text}</a>`;
}
