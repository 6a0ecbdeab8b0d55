import { ConcurrentMigration } from './concurrent-migration.ts';

/**
 * Lists are read in the order of ids: their indexes are in it too, so that a page costs a page. And whatever is deleted, or
 * read by whose it is, is found by an index: a table was read from end to end for each balance, and for each avatar, face,
 * folder and visitor's account that was deleted.
 */
export default class extends ConcurrentMigration {
  override readonly indexes = {
    conversation_listed: 'conversation (owner_user_id, id) where visitor_id is null',
    conversation_by_owner: 'conversation (owner_user_id, id)',
    conversation_avatar: 'conversation (avatar_id, owner_user_id, id)',
    conversation_image: 'conversation (image_id) where image_id is not null',
    turn_voiced_by: 'turn (voiced_by_avatar_id)',
    avatar_listed: 'avatar (owner_user_id, id)',
    avatar_public_listed: 'avatar (id) where publicly_renderable',
    avatar_in_folder: 'avatar (folder_id) where folder_id is not null',
    custom_voice_avatar: 'custom_voice (avatar_id)',
    image_generation_listed: 'image_generation (user_id, id)',
    video_generation_listed: 'video_generation (user_id, id)',
    speech_generation_avatar: 'speech_generation (avatar_id)',
    speech_generation_image: 'speech_generation (image_id) where image_id is not null',
    speech_generation_payer: 'speech_generation (payer_user_id)',
    session_by_user: 'session (user_id)',
    media_object_user: 'media_object (user_id)',
    ledger_account_user: 'ledger_account (user_id)',
    ledger_account_creator: 'ledger_account (creator_user_id) where creator_user_id is not null',
    tribe_member_member: 'tribe_member (member_user_id)',
    stream_subscription_member: 'stream_subscription (member_user_id)',
    gift_intent_to: 'gift_intent (to_user_id)',
    gift_intent_from: 'gift_intent (from_user_id)',
  };

  /** Other orders of the same, which nothing reads by any more. */
  override readonly dropped = [
    'conversation_owner',
    'avatar_owner',
    'avatar_public',
    'image_generation_user',
    'video_generation_user',
  ];
}
