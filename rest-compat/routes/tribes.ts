/** The documented endpoints: Tribes. */
import type { Route } from './route.ts';

const TRIBE = 'user tribeName joinCost memberCount isMember isOwner';

export const TRIBE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/tribes/{user}',
    section: 'Tribes',
    summary: 'Read a creator’s tribe.',
    operation: `query($user: ID!) { tribe(user: $user) { ${TRIBE} } }`,
    body: 'root',
  },
  {
    method: 'GET',
    path: '/tribes/{user}/membership',
    section: 'Tribes',
    summary: 'Since when you, or a member of your tribe, belong to it.',
    operation:
      'query($user: ID!, $member: ID) { tribeMembership(user: $user, member: $member) { tribeOwner member joinedAt } }',
    body: 'root',
  },
  {
    method: 'POST',
    path: '/tribes/{user}/join',
    section: 'Tribes',
    summary: 'Join a tribe; free of charge for the creator’s subscribers.',
    operation: 'mutation($user: ID!) { joinTribe(user: $user) { success isSubscriber charged } }',
    body: 'root',
    charges: true,
  },
];
