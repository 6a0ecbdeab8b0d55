/**
 * What self-updating pages hand to their script: the server (`self-updating-page.ts`) writes it, `client/page-updates.ts` in the
 * browser reads it.
 */

/** A header of requests that fetch a page to renew parts of it: they leave a form's message for the next page that the user opens. */
export const RENEWAL_HEADER = 'x-renewal';

/** `data-page` of a self-updating page. */
export interface FollowedPage {
  /** The update cursor of the moment before the page's data were read. */
  updatesAfter: string;
  /** The server's clock when the page was made; updates that are younger came after it. */
  followedMs: number;
}

/** What a list of conversations shows of one; it is the same before and after a turn, so that a turn renews no list. */
export const lookOfConversation = (conversation: {
  title: string | null;
  isPublic: boolean;
  avatarDisplayName: string | null;
}): string => {
  const { title, isPublic, avatarDisplayName } = conversation;
  return JSON.stringify([title, isPublic, avatarDisplayName]);
};
