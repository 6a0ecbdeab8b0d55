/** What each scope means, in the words of the users who are asked for it. */

import { OFFLINE_ACCESS, type Scope } from '../kernel/scopes.ts';

const OF_TOKENS = {
  profile: 'See the name and image of the avatar you choose',
  'avatars:read':
    'See all your avatars: names, images, folders, voices, and the id of your account; not their personality or ' +
    'what they learn from',
  generate: 'Make images, speech, videos and conversations, and spend your credits on them',
  tribes: 'See tribes and your membership, and join tribes with your credits',
  donations: 'See gifts you sent and propose new ones; you confirm each gift yourself',
} satisfies Record<Scope, string>;

/** By scope. */
export const SCOPE_WORDS: Readonly<Record<string, string>> = {
  ...OF_TOKENS,
  [OFFLINE_ACCESS]: 'Stay connected without asking you again, until you take it back',
};
