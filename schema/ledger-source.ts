/** What lines of the ledger are for. */
import { createUnionType } from 'type-graphql';
import { GiftIntent, ReceivedGift } from './gift.ts';
import { KeptImage } from './image.ts';
import { SpeakGeneration } from './speech.ts';
import { Tribe } from './tribe.ts';
import { Turn } from './turn.ts';
import { Video } from './video.ts';

export const LedgerSource = createUnionType({
  name: 'LedgerSource',
  description: 'What credits were paid, held or given for.',
  types: () => [Turn, SpeakGeneration, KeptImage, Video, Tribe, GiftIntent, ReceivedGift] as const,
});
