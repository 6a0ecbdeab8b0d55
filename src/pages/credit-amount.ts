/** How pages write an amount of credits. */
import { type Html, html } from './html.ts';

/** Two decimals, or two digits that count where the amount is small; never more than there is. */
export const CREDITS = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
  roundingMode: 'trunc',
  trailingZeroDisplay: 'stripIfInteger',
});
/** An amount to read; the exact one is in its title. */
export const credits = (amount: number): Html =>
  html`<data value="${amount}" title="${amount}">${CREDITS.format(amount).replace('-', '−')}</data>`;
