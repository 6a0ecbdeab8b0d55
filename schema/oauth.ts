/** Sign-in for third-party apps: clients, what they ask for, the tokens they hold, who they see. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from './connection.ts';
import {
  OAuthClientAuthenticationType,
  OAuthGrantTypeType,
  OAuthResponseTypeType,
  OAuthTokenTypeType,
} from './enums.ts';
import { EntityId, Node } from './node.ts';
import { EpochMillis, ScopeText, Url } from './scalars.ts';

@ObjectType({ implements: Node, description: 'A registered app. Its secret is shown once, at registration.' })
export class OAuthClient {
  @EntityId('The app.')
  clientId: string;

  @Field()
  name: string;

  @Field(() => [String])
  redirectDomains: string[];

  @Field(() => [ScopeText])
  scopes: string[];

  @Field(() => ID, { nullable: true, description: 'The avatar that the client-credentials grant acts as.' })
  serviceAvatarId?: string | null;

  @Field(() => EpochMillis, { nullable: true, description: 'Until when the secret before the last rotation verifies.' })
  previousValidUntil?: number | null;

  @Field(() => EpochMillis, { nullable: true, description: 'When the app got its present secret, if not its first.' })
  rotatedAt?: number | null;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType({ description: 'A new app with its secret, which is never shown again.' })
export class NewOAuthClient {
  @Field(() => ID)
  clientId: string;

  @Field()
  clientSecret: string;

  @Field()
  name: string;

  @Field(() => [String])
  redirectDomains: string[];

  @Field(() => [ScopeText])
  scopes: string[];
}

@ObjectType({ description: 'The new secret of an app, which is never shown again.' })
export class RotatedClientSecret {
  @Field(() => ID)
  clientId: string;

  @Field()
  clientSecret: string;

  @Field(() => EpochMillis, {
    nullable: true,
    description: 'Until when the secret before still verifies; null: no more.',
  })
  previousValidUntil?: number | null;
}

@ObjectType({ description: 'An app that registered itself (RFC 7591). Its secret is never shown again.' })
export class RegisteredClient {
  @Field(() => ID)
  clientId: string;

  @Field(() => Int, { description: 'Seconds since 1970.' })
  clientIdIssuedAt: number;

  @Field(() => String, { nullable: true, description: 'Null for an app that proves itself by PKCE alone.' })
  clientSecret?: string | null;

  @Field(() => Int, { nullable: true, description: '0: never.' })
  clientSecretExpiresAt?: number | null;

  @Field({ description: 'What the consent page calls it.' })
  clientName: string;

  @Field(() => [Url], { description: 'The exact addresses that it may be answered at.' })
  redirectUris: string[];

  @Field(() => OAuthClientAuthenticationType, { description: 'How it proves itself at the token endpoint.' })
  tokenEndpointAuthMethod: string;

  @Field(() => [OAuthGrantTypeType], { description: 'What it may ask tokens by.' })
  grantTypes: string[];

  @Field(() => [OAuthResponseTypeType], { description: 'Always code.' })
  responseTypes: string[];

  @Field({ description: 'Space separated: what it may ask for.' })
  scope: string;
}

@ObjectType()
export class ServiceAvatarResult {
  @Field(() => Boolean)
  ok: boolean;

  @Field(() => ID)
  clientId: string;

  @Field(() => ID, { nullable: true })
  serviceAvatarId?: string | null;
}

@ObjectType({ description: 'The avatar that represents the user to an app.' })
export class OAuthAvatar {
  @Field(() => ID)
  id: string;

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => Url, { nullable: true })
  picture?: string | null;
}

@ObjectType({ description: 'Answer of the token endpoint.' })
export class OAuthToken {
  @Field()
  accessToken: string;

  @Field(() => OAuthTokenTypeType, { description: 'Always Bearer.' })
  tokenType: string;

  @Field({ description: 'Space separated.' })
  scope: string;

  @Field(() => OAuthAvatar)
  avatar: OAuthAvatar;

  @Field(() => Int, { nullable: true, description: 'Seconds that the token lives; null: until it is revoked.' })
  expiresIn?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Gives the next token, once; for apps that asked for offline_access.',
  })
  refreshToken?: string | null;
}

@ObjectType({
  description:
    'What a token is, to the app that it was issued to (RFC 7662). All but `active` is null where it does not stand.',
})
export class TokenIntrospection {
  @Field(() => Boolean, { description: 'Whether it stands.' })
  active: boolean;

  @Field(() => String, { nullable: true, description: 'Space separated.' })
  scope?: string | null;

  @Field(() => ID, { nullable: true, description: 'The app.' })
  clientId?: string | null;

  @Field(() => OAuthTokenTypeType, { nullable: true, description: 'Bearer or refresh_token.' })
  tokenType?: string | null;

  @Field(() => Int, { nullable: true, description: 'When it ends, in seconds since 1970; null: when it is revoked.' })
  exp?: number | null;

  @Field(() => Int, { nullable: true, description: 'When it was first issued, in seconds since 1970.' })
  iat?: number | null;

  @Field(() => String, { nullable: true, description: 'The user, by the pseudonym that the app knows.' })
  sub?: string | null;

  @Field(() => Url, { nullable: true, description: 'The one resource that takes it; null: the API.' })
  aud?: string | null;

  @Field(() => Url, { nullable: true, description: 'This instance.' })
  iss?: string | null;
}

@ObjectType({ description: 'An authorization request that was sent beforehand (RFC 9126).' })
export class PushedRequest {
  @Field({ description: 'What the browser brings to the consent page, beside the client.' })
  requestUri: string;

  @Field(() => Int, { description: 'Seconds.' })
  expiresIn: number;
}

@ObjectType({ description: 'Who signed in, as one app sees them.' })
export class OAuthUserinfo {
  @Field({ description: 'A pseudonym per user, app and avatar; never the user id.' })
  sub: string;

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => Url, { nullable: true })
  picture?: string | null;

  @Field(() => ID)
  avatarId: string;

  @Field({ description: 'Space separated.' })
  scope: string;
}

@ObjectType({ implements: Node, description: 'An access token that an app holds, without the token itself.' })
export class OAuthGrant {
  @EntityId('The token, not the token itself: what revokes it.')
  tokenId: string;

  @Field(() => ID)
  clientId: string;

  @Field({ description: 'Name of the app.' })
  name: string;

  @Field(() => OAuthAvatar)
  avatar: OAuthAvatar;

  @Field(() => [ScopeText])
  scopes: string[];

  @Field(() => Boolean, { description: 'True for a token of the client-credentials grant of your own app.' })
  clientCredentials: boolean;

  @Field(() => EpochMillis)
  createdAt: number;
}

@ObjectType({ description: 'What an app asks a user to agree to, once client and redirect_uri are known to be right.' })
export class AuthorizationRequest {
  @Field(() => ID)
  clientId: string;

  @Field({ description: 'Name of the app.' })
  name: string;

  @Field(() => Url, { description: 'Scheme, host and port that the answer goes to.' })
  redirectOrigin: string;

  @Field(() => [ScopeText])
  scopes: string[];

  @Field(() => Boolean, { description: 'True for an app that registered itself: no account here vouches for it.' })
  isSelfRegistered: boolean;

  @Field(() => Url, { nullable: true, description: 'Where to send the browser at once: the request is not valid.' })
  errorRedirect?: string | null;

  @Field(() => Url, { description: 'Where to send the browser when the user denies.' })
  denyRedirect: string;

  @Field(() => ID, { nullable: true, description: 'The avatar that the signed-in user chose last for this app.' })
  lastAvatarId?: string | null;
}

@ObjectType({ description: 'Where to send the browser; the address carries a single-use code.' })
export class ApprovedAuthorization {
  @Field(() => Url)
  redirectTo: string;
}

export const OAuthClientConnection = ConnectionOf(OAuthClient, { counted: true });
export const OAuthGrantConnection = ConnectionOf(OAuthGrant);
