/** What is kept up to date on pages, as the server writes it and the script that follows (`client/page-updates.ts`) reads it. */

/** Of a request for a page whose parts are shown anew: what a form had to say is for the page that comes after it. */
export const RENEWAL_HEADER = 'x-renewal';

/** Handed to the script of a page that is kept up to date. */
export interface FollowedPage {
  /** The cursor of before anything on the page was read. */
  updatesAfter: string;
  /** The server's clock when it was made: what is younger has come since. */
  followedMs: number;
}

/** What a list of conversations shows of one: a turn more or less changes none of it. */
export const lookOfConversation = (conversation: {
  title: string | null;
  isPublic: boolean;
  avatarDisplayName: string | null;
}): string => {
  const { title, isPublic, avatarDisplayName } = conversation;
  return JSON.stringify([title, isPublic, avatarDisplayName]);
};
