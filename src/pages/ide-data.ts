/** What the server hands to the GraphQL IDE's page; its script reads it. */

/** The session of a signed-in user, for the IDE. */
export interface IdeSession {
  /** Path of GraphQL for who asks in the session's name. */
  graphql: string;
  csrf: string;
  userId: string;
  avatarId: string | null;
  slug: string | null;
  viewerToken: string | null;
}

/** The data of the page. */
export interface IdePage {
  /** Path of GraphQL for everyone. */
  graphql: string;
  signedIn: IdeSession | null;
}
