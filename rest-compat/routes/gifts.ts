/** The documented endpoints: Credit gifts. */
import { PAGE_INFO, type Route } from './route.ts';

const GIFT = 'intentId status amount to from note createdAt expiresAt confirmUrl';

export const GIFT_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/donations/intents',
    section: 'Credit gifts',
    summary: 'Propose a gift; nothing moves until its sender confirms.',
    operation: `mutation($to: String!, $amount: Credits!, $note: String) { proposeGift(input: { to: $to, amount: $amount, note: $note }) { ${GIFT} } }`,
    body: 'root',
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/donations/intents/{intentId}',
    section: 'Credit gifts',
    summary: 'Read a gift you proposed.',
    operation: `query($intentId: ID!) { giftIntent(intentId: $intentId) { ${GIFT} } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/donations/intents/{intentId}/confirm',
    section: 'Credit gifts',
    summary: 'Confirm a gift, signed in; the credits move.',
    operation: `mutation($intentId: ID!) { confirmGift(input: { intentId: $intentId }) { ${GIFT} } }`,
    body: 'root',
    idempotent: true,
  },
  {
    method: 'POST',
    path: '/donations/intents/{intentId}/cancel',
    section: 'Credit gifts',
    summary: 'Cancel a gift; one that was resolved keeps its status.',
    operation: 'mutation($intentId: ID!) { cancelGift(input: { intentId: $intentId }) { intentId status } }',
    body: 'root',
  },
  {
    method: 'GET',
    path: '/donations/sent',
    section: 'Credit gifts',
    summary: 'List your confirmed gifts to a recipient.',
    operation: `query($to: String!, $first: Int = 100, $after: String) { giftsSent(to: $to) {
      to total count gifts(first: $first, after: $after) { nodes { amount note createdAt } ${PAGE_INFO} } } }`,
    body: 'root',
    list: 'gifts',
    documentedWhole: true,
  },
  {
    method: 'GET',
    path: '/donations/received',
    section: 'Credit gifts',
    summary: 'List the confirmed gifts that you were given.',
    operation: `query($first: Int, $after: String) { gifts: giftsReceived(first: $first, after: $after) {
      nodes { from fromDisplayName amount note createdAt } ${PAGE_INFO} } }`,
    body: 'data',
    list: 'gifts',
  },
];
