import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Subscribers to the training of an avatar are notified when the avatar is deleted. The training's own row says too late whose it
 * was: it goes with the avatar's.
 */
export default class extends SqlMigration {
  override readonly sql = `
create function record_deleted_avatar() returns trigger language plpgsql as $$
begin
  perform record_change(old.owner_user_id, 'training', old.id) where exists (select from training where avatar_id = old.id);
  return old;
end
$$;

create trigger deleted before delete on avatar for each row execute function record_deleted_avatar();
`;
}
