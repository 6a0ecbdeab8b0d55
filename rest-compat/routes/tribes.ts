/** The documented endpoints: Tribes. */
import { PAGE_INFO, type Route } from './route.ts';

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
    method: 'GET',
    path: '/tribes/{user}/members',
    section: 'Tribes',
    summary: 'List the members of your tribe.',
    operation: `query($user: ID!, $first: Int, $after: String) { members: tribeMembers(user: $user, first: $first, after: $after) {
      nodes { member displayName streamUsername joinedAt charged } ${PAGE_INFO} } }`,
    body: 'data',
    list: 'members',
  },
  {
    method: 'POST',
    path: '/tribes/{user}/join',
    section: 'Tribes',
    summary: 'Join a tribe; free of charge for the creator’s subscribers.',
    operation: 'mutation($user: ID!) { joinTribe(input: { user: $user }) { success isSubscriber charged } }',
    body: 'root',
    idempotent: true,
  },
];
