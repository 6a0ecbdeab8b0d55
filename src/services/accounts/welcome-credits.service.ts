import { toMicro } from '../../kernel/credits.ts';
import type { Tx } from '../../kernel/database.ts';
import { grant } from '../../ledger/transfers.ts';
import type { Platform } from '../platform/platform.port.ts';

/** Credits that every new account starts with, to try things; they cannot be given away. */
export async function grantWelcome(
  tx: Tx,
  { config, clock }: Pick<Platform, 'config' | 'clock'>,
  userId: string,
): Promise<void> {
  const amount = toMicro(config.SIGNUP_CREDITS) ?? 0n;
  if (amount === 0n) return;
  const welcome = { userId, amount, source: `signup:${userId}`, memo: 'welcome', isWelcome: true };
  await grant(tx, welcome, clock.now());
}
