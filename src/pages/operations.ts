/** Every GraphQL operation that pages execute. */
import { parse } from 'graphql';
import { NEWEST_TURNS, TURN_FIELDS, type TurnData } from './turn-data.ts';

export interface ConversationData {
  conversationId: string;
  shareSlug: string;
  shareUrl: string;
  liveUrl: string;
  viewerToken: string | null;
  isPublic: boolean;
  avatarDisplayName: string | null;
  avatarImageUrl: string | null;
  createdAt: number;
}

const CONVERSATION = `conversationId shareSlug shareUrl liveUrl viewerToken isPublic avatarDisplayName avatarImageUrl createdAt`;

export interface LiveConversationData {
  conversationBySlug: { conversation: ConversationData; cursor: string };
}
export const LIVE_CONVERSATION = parse(`query PageLive($slug: String!, $viewerToken: String, $key: String) {
  conversationBySlug(slug: $slug, viewerToken: $viewerToken, key: $key, limit: ${NEWEST_TURNS}) {
    cursor conversation { ${CONVERSATION} } } }`);

export interface TranscriptData {
  conversationBySlug: { conversation: ConversationData; turns: TurnData[]; cursor: string };
}
export const TRANSCRIPT = parse(`query PageTranscript($slug: String!, $viewerToken: String, $key: String) {
  conversationBySlug(slug: $slug, viewerToken: $viewerToken, key: $key) {
    cursor conversation { ${CONVERSATION} } turns { ${TURN_FIELDS} } } }`);

export interface ClipCardData {
  clipCard: { avatarDisplayName: string | null; avatarImageUrl: string | null; turn: TurnData };
}
export const CLIP_CARD = parse(`query PageClip($slug: String!) {
  clipCard(slug: $slug) { avatarDisplayName avatarImageUrl turn { ${TURN_FIELDS} } } }`);

export interface SignInData {
  signIn: { idToken: string; expiresAt: number };
}
export const SIGN_IN = parse(`mutation PageSignIn($email: String!, $password: String!) {
  signIn(email: $email, password: $password) { idToken expiresAt } }`);

export const SIGN_OUT = parse('mutation PageSignOut { signOut }');

export interface MeData {
  me: { userId: string; displayName: string | null };
}
export const ME = parse('query PageMe { me { userId displayName } }');

export const CONVERSATIONS = parse(`query PageConversations {
  conversations(first: 20) { ${CONVERSATION} } }`);
export interface ConversationsData {
  conversations: ConversationData[];
}

export const INJECT = parse(`mutation PageTalk($conversationId: ID!, $input: InjectTurnInput!) {
  injectTurn(conversationId: $conversationId, input: $input) { turn { id } } }`);

export const SET_VISIBILITY = parse(`mutation PageVisibility($conversationId: ID!, $isPublic: Boolean!) {
  setConversationVisibility(conversationId: $conversationId, isPublic: $isPublic) { isPublic liveUrl } }`);

export interface AccessLinkData {
  createAccessLink: { url: string };
}
export const CREATE_ACCESS_LINK = parse(`mutation PageAccessLink($conversationId: ID!) {
  createAccessLink(conversationId: $conversationId) { url } }`);
