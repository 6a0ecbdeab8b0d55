/** Inputs of the sign-in flow, and of registering apps. */
import { Field, ID, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { SCOPES, type Scope } from '../../src/kernel/scopes.ts';
import { ScopeText, Url } from '../scalars.ts';
import { Between, Items, OptionalText, SomeOf, Text, TextToKeep } from './rules.ts';

const MAX_OVERLAP_S = 30 * 24 * 3600;

/** What `resource` is, wherever it may be sent. */
const RESOURCE =
  'What the token is for (RFC 8707): the address of /mcp, which then takes it alone; without it the whole API.';

@InputType({ description: 'The query of the consent page (RFC 6749 4.1.1, RFC 7636, RFC 8707).' })
export class AuthorizationRequestInput {
  @Field(() => ID)
  clientId: string;

  @Field(() => Url, { nullable: true, description: 'Required, unless the request was sent beforehand.' })
  redirectUri?: string | null;

  @Field(() => String, { nullable: true, description: 'code, which is also what its absence means.' })
  responseType?: string | null;

  @Field(() => String, { nullable: true, description: 'Space separated; without it `profile`.' })
  scope?: string | null;

  @Field(() => String, { nullable: true })
  state?: string | null;

  @Field(() => String, { nullable: true })
  codeChallenge?: string | null;

  @Field(() => String, { nullable: true, description: 'S256.' })
  codeChallengeMethod?: string | null;

  @Field(() => Url, { nullable: true, description: RESOURCE })
  resource?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Of a request that was sent beforehand (RFC 9126): all else is read from that.',
  })
  requestUri?: string | null;
}

@InputType()
export class PushAuthorizationInput extends AuthorizationRequestInput {
  @Field(() => String, { nullable: true })
  clientSecret?: string | null;
}

@InputType()
export class ApproveAuthorizationInput extends AuthorizationRequestInput {
  @Field(() => ID)
  avatarId: string;
}

@InputType()
export class OAuthRegisterInput {
  @Field(() => [Url], { description: 'Exact addresses for the answer: https, or http on localhost or 127.0.0.1.' })
  @Items(1, LIMITS.redirectUris)
  redirectUris: string[];

  @Field(() => String, { nullable: true, description: 'Shown at the consent; default: the host of its first address.' })
  @OptionalText(LIMITS.displayName)
  clientName?: string | null;

  @Field(() => String, {
    nullable: true,
    defaultValue: 'client_secret_basic',
    description: 'none, client_secret_post or client_secret_basic.',
  })
  tokenEndpointAuthMethod?: string | null;

  @Field(() => [String], { nullable: true, description: 'Must have authorization_code.' })
  grantTypes?: string[] | null;

  @Field(() => [String], { nullable: true, defaultValue: ['code'], description: 'Must have code.' })
  responseTypes?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Space separated; default: all that the tools need.' })
  scope?: string | null;
}

@InputType()
export class RegisterOAuthClientInput {
  @Field()
  @Text(LIMITS.displayName)
  name: string;

  @Field(() => [String])
  @Items(1, LIMITS.redirectDomains)
  redirectDomains: string[];

  @Field(() => [ScopeText], {
    nullable: true,
    defaultValue: ['profile'],
    description: 'What the app may ask for.',
  })
  @SomeOf(SCOPES)
  scopes?: Scope[] | null;

  @Field(() => ID, { nullable: true })
  serviceAvatarId?: string | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType({ description: 'What shall be different; what is left out stays.' })
export class UpdateOAuthClientInput {
  @Field(() => ID)
  clientId: string;

  @Field(() => String, { nullable: true })
  @TextToKeep(LIMITS.displayName)
  name?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Hosts that its sign-ins may come back to. Sign-ins that come back to another one are refused from now on.',
  })
  @Items(1, LIMITS.redirectDomains)
  redirectDomains?: string[] | null;
}

@InputType()
export class DeleteOAuthClientInput {
  @Field(() => ID)
  clientId: string;
}

@InputType()
export class SetServiceAvatarInput {
  @Field(() => ID)
  clientId: string;

  @Field(() => ID, { nullable: true })
  serviceAvatarId?: string | null;
}

@InputType()
export class RotateClientSecretInput {
  @Field(() => ID)
  clientId: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds for which the secret before verifies: 0 to 2592000; default 24 hours, unless configured.',
  })
  @Between(0, MAX_OVERLAP_S)
  keepOldFor?: number | null;

  @Field(() => String, { nullable: true })
  idempotencyKey?: string | null;
}

@InputType()
export class OAuthTokenInput {
  @Field()
  grantType: string;

  @Field(() => ID)
  clientId: string;

  @Field(() => String, { nullable: true })
  clientSecret?: string | null;

  @Field(() => String, { nullable: true })
  code?: string | null;

  @Field(() => Url, { nullable: true })
  redirectUri?: string | null;

  @Field(() => String, { nullable: true })
  codeVerifier?: string | null;

  @Field(() => String, { nullable: true })
  scope?: string | null;

  @Field(() => Url, { nullable: true, description: RESOURCE })
  resource?: string | null;

  @Field(() => String, { nullable: true })
  refreshToken?: string | null;
}

@InputType()
export class OAuthRevokeInput {
  @Field(() => ID)
  clientId: string;

  @Field()
  token: string;

  @Field(() => String, { nullable: true })
  clientSecret?: string | null;
}

@InputType()
export class RevokeOAuthGrantInput {
  @Field(() => ID)
  tokenId: string;
}
