/** What each scope means, in the words of the people who are asked for it. */

import type { Scope } from '../kernel/scopes.ts';

export const SCOPE_WORDS: Readonly<Record<string, string>> = {
  profile: 'See the name and image of the avatar you choose',
  'avatars:read':
    'See all your avatars: names, images, folders, voices, and the id of your account; not their personality or ' +
    'what they learn from',
  generate: 'Make images, speech, videos and conversations, and spend your credits on them',
  tribes: 'See tribes and your membership, and join tribes with your credits',
  donations: 'See gifts you sent and propose new ones; you confirm each gift yourself',
} satisfies Record<Scope, string>;
