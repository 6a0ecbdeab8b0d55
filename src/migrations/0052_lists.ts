import { SqlMigration } from '../kernel/migrations.ts';

/** One-shot speech and received gifts of an account: each list in its order. */
export default class extends SqlMigration {
  override readonly sql = `
create index speech_generation_caller on speech_generation (caller_user_id, id);
create index gift_intent_received on gift_intent (to_user_id, id) where status = 'confirmed';
`;
}
