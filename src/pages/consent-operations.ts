/** The GraphQL operations of the consent page. */
import { parse } from 'graphql';

export interface AuthorizationData {
  authorizationRequest: {
    name: string;
    redirectOrigin: string;
    scopes: string[];
    errorRedirect: string | null;
    denyRedirect: string;
    lastAvatarId: string | null;
  };
}
export const AUTHORIZATION = parse(`query PageAuthorization($input: AuthorizationRequestInput!) {
  authorizationRequest(input: $input) { name redirectOrigin scopes errorRedirect denyRedirect lastAvatarId } }`);

export interface ChoiceData {
  avatars: { avatarId: string; displayName: string | null; avatarImageUrl: string | null }[];
}
export const CHOICE = parse('query PageChoice { avatars { avatarId displayName avatarImageUrl } }');

export interface ApprovedData {
  approveAuthorization: { redirectTo: string };
}
export const APPROVE = parse(`mutation PageApprove($input: AuthorizationRequestInput!, $avatarId: ID!) {
  approveAuthorization(input: $input, avatarId: $avatarId) { redirectTo } }`);

export const FIRST_AVATAR = parse(`mutation PageFirstAvatar($displayName: String!) {
  createAvatar(input: { displayName: $displayName }) { avatarId } }`);
