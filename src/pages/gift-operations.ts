/** The GraphQL operations of the gift page and of the page that links a streaming account. */
import { parse } from 'graphql';

export interface GiftData {
  giftConfirmation: {
    intent: { intentId: string; status: string; amount: number; note: string | null; expiresAt: number };
    toDisplayName: string | null;
    toStreamUsername: string | null;
    transferable: number;
    appName: string | null;
    appHosts: string[];
  };
}
export const GIFT = parse(`query PageGift($intentId: ID!) {
  giftConfirmation(intentId: $intentId) {
    intent { intentId status amount note expiresAt } toDisplayName toStreamUsername transferable appName appHosts } }`);

export const CONFIRM_GIFT = parse(
  'mutation PageConfirmGift($intentId: ID!) { confirmGift(intentId: $intentId) { status } }',
);
export const CANCEL_GIFT = parse(
  'mutation PageCancelGift($intentId: ID!) { cancelGift(intentId: $intentId) { status } }',
);

export interface StartLinkData {
  startStreamLink: { url: string };
}
export const START_STREAM_LINK = parse('mutation PageStartStreamLink { startStreamLink { url } }');

export interface FinishLinkData {
  finishStreamLink: { streamUsername: string | null };
}
export const FINISH_STREAM_LINK = parse(`mutation PageFinishStreamLink($code: String!, $state: String!) {
  finishStreamLink(code: $code, state: $state) { streamUsername } }`);
