/**
 * Credits are counted in micro-credits (bigint; 1 credit = 1 000 000) and shown as decimals with at most six places.
 */
export const MICRO = 1_000_000n;

/** Micro-credits of a decimal amount; undefined when it has more than six decimals or is no finite number. */
export function toMicro(credits: number | string): bigint | undefined {
  const text = typeof credits === 'number' ? plain(credits) : credits;
  const [, minus, whole, fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const micro = BigInt(whole) * MICRO + BigInt(fraction.padEnd(6, '0'));
  return minus ? -micro : micro;
}

/** The decimal of an amount, exact to the micro-credit. */
export function fromMicro(micro: bigint): number {
  return Number(micro) / 1e6;
}

/** Number to text without an exponent: 1e-6 is a valid amount. */
function plain(value: number): string {
  if (!Number.isFinite(value)) return '';
  const text = String(value);
  return text.includes('e') ? value.toFixed(Math.abs(value) < 1 ? 20 : 0).replace(/\.?0+$/, '') : text;
}
