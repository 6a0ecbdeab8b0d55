/** The GraphQL operations of the account pages. */
import { parse } from 'graphql';

export interface LedgerData {
  id: string;
  kind: string;
  amount: number;
  source: string;
  memo: string | null;
  creatorUserId: string | null;
  createdAt: number;
}

export interface GrantData {
  tokenId: string;
  clientId: string;
  name: string;
  avatar: { id: string; name: string | null; picture: string | null };
  scopes: string[];
  clientCredentials: boolean;
  createdAt: number;
}

export interface VoiceData {
  id: string;
  name: string;
  source: string;
}

export interface KeyData {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  scopes: string[] | null;
}

export interface EventData {
  action: string;
  detail: string | null;
  clientId: string | null;
  address: string | null;
  createdAt: number;
}

export interface AccountData {
  me: {
    displayName: string | null;
    streamUsername: string | null;
    emailVerified: boolean;
    balance: {
      available: number;
      transferable: number;
      welcome: number;
      held: number;
      locked: { creatorUserId: string; amount: number }[];
    };
  };
  ledgerEntries: { entries: LedgerData[]; endCursor: string | null };
  apiKeys: KeyData[];
  oauthClients: { clientId: string; name: string; previousValidUntil: number | null }[];
  auditEvents: { events: EventData[] };
  avatars: { avatarId: string; displayName: string | null; ttsVoiceId: string | null }[];
  voices: VoiceData[];
}
export const ACCOUNT = parse(`query PageAccount($after: String) {
  me { displayName streamUsername emailVerified balance { available transferable welcome held locked { creatorUserId amount } } }
  ledgerEntries(first: 20, after: $after) { endCursor entries { id kind amount source memo creatorUserId createdAt } }
  apiKeys { id name createdAt lastUsedAt expiresAt scopes }
  oauthClients { clientId name previousValidUntil }
  auditEvents(first: 15) { events { action detail clientId address createdAt } }
  avatars { avatarId displayName ttsVoiceId }
  voices { id name source } }`);

export interface GrantsData {
  oauthGrants: GrantData[];
}
export const GRANTS = parse(`query PageGrants($after: ID) {
  oauthGrants(after: $after) { tokenId clientId name avatar { id name picture } scopes clientCredentials createdAt } }`);

export interface NewKeyData {
  createApiKey: { name: string; token: string };
}
export const NEW_KEY = parse(`mutation PageNewKey($name: String!, $expiresAt: EpochMillis, $scopes: [String!]) {
  createApiKey(name: $name, expiresAt: $expiresAt, scopes: $scopes) { name token } }`);

export interface NewSecretData {
  rotateClientSecret: { clientId: string; clientSecret: string };
}
export const NEW_SECRET = parse(`mutation PageNewSecret($clientId: ID!) {
  rotateClientSecret(clientId: $clientId) { clientId clientSecret } }`);

export const REVOKE_KEY = parse('mutation PageRevokeKey($id: ID!) { deleteApiKey(id: $id) }');

export const REVOKE_GRANT = parse('mutation PageRevokeGrant($tokenId: ID!) { revokeOAuthGrant(tokenId: $tokenId) }');

export interface NewVoiceData {
  createCustomVoice: { id: string; name: string };
}
export const NEW_VOICE = parse(`mutation PageNewVoice($input: CreateCustomVoiceInput!) {
  createCustomVoice(input: $input) { id name } }`);

export interface SampleData {
  voiceSample: string;
}
export const SAMPLE = parse(`query PageSample($baseVoiceId: ID!, $pitch: Float, $rate: Float) {
  voiceSample(baseVoiceId: $baseVoiceId, pitch: $pitch, rate: $rate) }`);

export const USE_VOICE = parse(`mutation PageUseVoice($avatarId: ID!, $voiceId: ID!) {
  setAvatarVoice(avatarId: $avatarId, voiceId: $voiceId) { avatarId } }`);

export interface SignUpData {
  signUp: { idToken: string; expiresAt: number; user: { emailVerified: boolean } };
}
export const SIGN_UP = parse(`mutation PageSignUp($email: String!, $password: String!, $displayName: String) {
  signUp(email: $email, password: $password, displayName: $displayName) { idToken expiresAt user { emailVerified } } }`);

export const VERIFY_EMAIL = parse('mutation PageVerifyEmail($token: String!) { verifyEmail(token: $token) }');

export const RESEND = parse('mutation PageResend($email: String) { resendVerification(email: $email) }');
