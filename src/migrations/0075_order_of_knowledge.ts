import { ConcurrentMigration } from './concurrent-migration.ts';

/** What an avatar learnt in the order in which it is listed: a page of it reads its own rows, however much else the brain holds. */
export default class extends ConcurrentMigration {
  override readonly indexes = { brain_entry_learnt: 'brain_entry (scope_id, seq) where ns = 2' };
  override readonly dropped = ['brain_entry_knowledge'];
}
