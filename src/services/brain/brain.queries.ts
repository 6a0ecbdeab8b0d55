/**
 * The way to an avatar's memory is not the ORM's, because each recall, save and call of the memory endpoints begins with it: two
 * queries by hand take 85 µs, as entities 678 (docs/decisions/0002).
 */
import { prepared } from '../../../schema/entities/tables.ts';

/** Where an avatar's memories are kept, and whose it is. */
export const brainOf = prepared((tables, given: { id: string }) =>
  tables
    .selectFrom('avatar')
    .select([
      'id',
      'owner_user_id as ownerUserId',
      'publicly_renderable as publiclyRenderable',
      'brain_system as brainSystem',
      'brain_settings as brainSettings',
      'personality_prompt as personalityPrompt',
    ])
    .where('id', '=', given.id),
);

/** Keeps an avatar from being deleted until the transaction ends; no row where there is none. */
export const holdAvatar = prepared((tables, given: { id: string }) =>
  tables.selectFrom('avatar').select('id').where('id', '=', given.id).forShare(),
);
