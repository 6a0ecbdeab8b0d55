/** Every migration, in the order of their numbers; `npm run lint` names a file that is missing here. */
import type { ListedMigration } from '../kernel/migrations.ts';
import m0001 from './0001_core.ts';
import m0002 from './0002_brain.ts';
import m0003 from './0003_oauth.ts';
import m0004 from './0004_tribes_gifts.ts';
import m0005 from './0005_brain_systems.ts';
import m0006 from './0006_captions.ts';
import m0007 from './0007_generations.ts';
import m0008 from './0008_ledger_audit.ts';
import m0009 from './0009_housekeeping.ts';
import m0010 from './0010_brain_vectors.ts';
import m0011 from './0011_brain_unremembered.ts';
import m0012 from './0012_worker_tries.ts';
import m0013 from './0013_video_still.ts';
import m0026 from './0026_welcome_credits.ts';
import m0027 from './0027_quotas.ts';
import m0030 from './0030_api_key_use.ts';
import m0031 from './0031_audit_event.ts';
import m0032 from './0032_instance_keys.ts';
import m0033 from './0033_email_verification.ts';
import m0034 from './0034_uploads.ts';
import m0036 from './0036_image_requests.ts';
import m0037 from './0037_standard_names.ts';
import m0038 from './0038_deletions.ts';
import m0040 from './0040_titles_account_links.ts';
import m0041 from './0041_attempts.ts';
import m0042 from './0042_heard_text.ts';
import m0043 from './0043_pending_memory.ts';
import m0044 from './0044_worker_beats.ts';
import m0046 from './0046_visitors.ts';
import m0048 from './0048_account_exports.ts';
import m0050 from './0050_webhooks.ts';
import m0051 from './0051_talking_head_orders.ts';
import m0052 from './0052_lists.ts';
import m0053 from './0053_image_drawings.ts';
import m0054 from './0054_idempotency_process.ts';
import m0056 from './0056_talking_head_cancellations.ts';
import m0057 from './0057_memories_of_a_user.ts';
import m0060 from './0060_account_changes.ts';
import m0062 from './0062_mcp_sign_in.ts';
import m0063 from './0063_refresh_tokens.ts';
import m0066 from './0066_list_orders.ts';
import m0067 from './0067_training_of_deleted_avatar.ts';
import m0068 from './0068_count_storage.ts';
import m0069 from './0069_index_of_external_memories.ts';
import m0070 from './0070_partition_indexes.ts';
import m0071 from './0071_ledger_bound.ts';
import m0072 from './0072_partitions.ts';
import m0073 from './0073_audit_of_deleted_accounts.ts';
import m0074 from './0074_turn_partitions.ts';
import m0075 from './0075_order_of_knowledge.ts';
import m0076 from './0076_job_partitions.ts';
import m0077 from './0077_words_of_memories.ts';
import m0078 from './0078_idempotency_sorted_hash.ts';

export const MIGRATIONS: readonly ListedMigration[] = [
  { name: '0001_core', class: m0001 },
  { name: '0002_brain', class: m0002 },
  { name: '0003_oauth', class: m0003 },
  { name: '0004_tribes_gifts', class: m0004 },
  { name: '0005_brain_systems', class: m0005 },
  { name: '0006_captions', class: m0006 },
  { name: '0007_generations', class: m0007 },
  { name: '0008_ledger_audit', class: m0008 },
  { name: '0009_housekeeping', class: m0009 },
  { name: '0010_brain_vectors', class: m0010 },
  { name: '0011_brain_unremembered', class: m0011 },
  { name: '0012_worker_tries', class: m0012 },
  { name: '0013_video_still', class: m0013 },
  { name: '0026_welcome_credits', class: m0026 },
  { name: '0027_quotas', class: m0027 },
  { name: '0030_api_key_use', class: m0030 },
  { name: '0031_audit_event', class: m0031 },
  { name: '0032_instance_keys', class: m0032 },
  { name: '0033_email_verification', class: m0033 },
  { name: '0034_uploads', class: m0034 },
  { name: '0036_image_requests', class: m0036 },
  { name: '0037_standard_names', class: m0037 },
  { name: '0038_deletions', class: m0038 },
  { name: '0040_titles_account_links', class: m0040 },
  { name: '0041_attempts', class: m0041 },
  { name: '0042_heard_text', class: m0042 },
  { name: '0043_pending_memory', class: m0043 },
  { name: '0044_worker_beats', class: m0044 },
  { name: '0046_visitors', class: m0046 },
  { name: '0048_account_exports', class: m0048 },
  { name: '0050_webhooks', class: m0050 },
  { name: '0051_talking_head_orders', class: m0051 },
  { name: '0052_lists', class: m0052 },
  { name: '0053_image_drawings', class: m0053 },
  { name: '0054_idempotency_process', class: m0054 },
  { name: '0056_talking_head_cancellations', class: m0056 },
  { name: '0057_memories_of_a_user', class: m0057 },
  { name: '0060_account_changes', class: m0060 },
  { name: '0062_mcp_sign_in', class: m0062 },
  { name: '0063_refresh_tokens', class: m0063 },
  { name: '0066_list_orders', class: m0066 },
  { name: '0067_training_of_deleted_avatar', class: m0067 },
  { name: '0068_count_storage', class: m0068 },
  { name: '0069_index_of_external_memories', class: m0069 },
  { name: '0070_partition_indexes', class: m0070 },
  { name: '0071_ledger_bound', class: m0071 },
  { name: '0072_partitions', class: m0072 },
  { name: '0073_audit_of_deleted_accounts', class: m0073 },
  { name: '0074_turn_partitions', class: m0074 },
  { name: '0075_order_of_knowledge', class: m0075 },
  { name: '0076_job_partitions', class: m0076 },
  { name: '0077_words_of_memories', class: m0077 },
  { name: '0078_idempotency_sorted_hash', class: m0078 },
];
