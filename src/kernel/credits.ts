/**
 * Credits are counted in micro-credits (bigint; 1 credit = 1 000 000) and shown as decimals with at most six places.
 */
export const MICRO = 1_000_000n;

/** Micro-credits of a decimal amount; undefined when it has more than six decimals or is no finite number. */
export function toMicro(credits: number | string): bigint | undefined {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(typeof credits === 'number' ? plain(credits) : credits);
  if (!match) return undefined;
  const micro = BigInt(match[2]!) * MICRO + BigInt((match[3] ?? '').padEnd(6, '0'));
  return match[1] ? -micro : micro;
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
