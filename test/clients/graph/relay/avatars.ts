/** What Relay asks of a graph: fragments on types with ids, pages it can append to, look-ups by `node`. */
import { graphql } from 'relay-runtime';

export const AvatarCard = graphql`
  fragment avatars_card on Avatar @refetchable(queryName: "avatarsCardRefetch") {
    id
    displayName
    avatarImageUrl
  }
`;

export const AvatarList = graphql`
  fragment avatars_list on Query
  @refetchable(queryName: "avatarsListPage")
  @argumentDefinitions(first: { type: "Int", defaultValue: 10 }, after: { type: "String" }) {
    avatars(first: $first, after: $after) @connection(key: "avatars_list_avatars") {
      edges { node { ...avatars_card } }
    }
  }
`;

export const Talk = graphql`
  query avatarsTalkQuery($id: ID!) {
    node(id: $id) {
      ... on Conversation { id title avatar { ...avatars_card } lastTurn { id status avatarText } }
    }
    ...avatars_list
  }
`;

export const Rename = graphql`
  mutation avatarsRenameMutation($avatarId: ID!, $displayName: String!) {
    renameAvatar(input: { avatarId: $avatarId, displayName: $displayName }) { ...avatars_card }
  }
`;

export const Live = graphql`
  subscription avatarsLiveSubscription($slug: String!, $after: String) {
    turnUpdated(slug: $slug, after: $after) { cursor turn { id status avatarText } }
  }
`;
