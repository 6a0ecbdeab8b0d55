/** Sign-in for third-party apps. The REST rows alias these fields to the names of RFC 6749. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import {
  ApproveAuthorizationInput,
  AuthorizationRequestInput,
  DeleteOAuthClientInput,
  OAuthRegisterInput,
  OAuthRevokeInput,
  OAuthTokenInput,
  PushAuthorizationInput,
  RegisterOAuthClientInput,
  RevokeOAuthGrantInput,
  RotateClientSecretInput,
  SetServiceAvatarInput,
  UpdateOAuthClientInput,
} from '../schema/inputs/oauth.ts';
import { PageArgs, WholeListArgs } from '../schema/inputs/page.ts';
import { Deleted, WholeList } from '../schema/node.ts';
import {
  ApprovedAuthorization,
  AuthorizationRequest,
  NewOAuthClient,
  OAuthClient,
  OAuthClientConnection,
  type OAuthGrant,
  OAuthGrantConnection,
  OAuthToken,
  OAuthUserinfo,
  PushedRequest,
  RegisteredClient,
  RotatedClientSecret,
  ServiceAvatarResult,
  TokenIntrospection,
} from '../schema/oauth.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Connection, cutPage, type Listing } from '../src/kernel/keyset.ts';
import { SCOPES } from '../src/kernel/scopes.ts';
import { type Context, caller, originOf } from './context.ts';
import { Idempotent } from './idempotent.ts';

/** Oldest first; their ids are random. */
const CLIENTS: Listing<OAuthClient> = {
  name: 'OAuthClient',
  order: 'asc',
  keyOf: ({ createdAt, clientId }) => `${createdAt}.${clientId}`,
  key: /^\d{1,15}\.\w{1,80}$/,
};

@Resolver()
export class OAuthClientResolver {
  @WholeList(() => OAuthClientConnection, 'Apps that the caller registered, oldest first.')
  @Allow({ auth: 'firstParty' })
  async oauthClients(
    @Ctx() context: Context,
    @Args(() => WholeListArgs) page: WholeListArgs,
  ): Promise<Connection<OAuthClient>> {
    return cutPage(page, CLIENTS, await context.services.oauthClients.list(caller(context)));
  }

  @Mutation(() => NewOAuthClient)
  @Allow({ auth: 'firstParty' })
  @Idempotent({ isSecret: true })
  registerOAuthClient(
    @Ctx() context: Context,
    @Arg('input', () => RegisterOAuthClientInput) request: RegisterOAuthClientInput,
  ): Promise<NewOAuthClient> {
    return context.services.oauthClients.register(caller(context), request);
  }

  @Mutation(() => OAuthClient, { description: 'Changes the name of an own app, or the hosts it may be answered at.' })
  @Allow({ auth: 'firstParty' })
  updateOAuthClient(
    @Ctx() context: Context,
    @Arg('input', () => UpdateOAuthClientInput) input: UpdateOAuthClientInput,
  ): Promise<OAuthClient> {
    return context.services.oauthClients.update(caller(context), input);
  }

  @Mutation(() => Deleted, { description: 'Deletes an app and takes back every token it holds.' })
  @Allow({ auth: 'firstParty' })
  async deleteOAuthClient(
    @Ctx() context: Context,
    @Arg('input', () => DeleteOAuthClientInput) { clientId }: DeleteOAuthClientInput,
  ): Promise<Deleted> {
    await context.services.oauthClients.remove(caller(context), clientId);
    return new Deleted(clientId);
  }

  @Mutation(() => RotatedClientSecret, { description: 'A new secret for an app; the one before verifies for a time.' })
  @Allow({ auth: 'firstParty' })
  @Idempotent({ isSecret: true })
  rotateClientSecret(
    @Ctx() context: Context,
    @Arg('input', () => RotateClientSecretInput) { clientId, keepOldFor }: RotateClientSecretInput,
  ): Promise<RotatedClientSecret> {
    return context.services.oauthClients.rotateSecret(caller(context), clientId, keepOldFor);
  }

  @Mutation(() => ServiceAvatarResult, {
    description: 'Null disables the client-credentials grant; it must be given. Tokens of the old avatar are revoked.',
  })
  @Allow({ auth: 'firstParty' })
  setServiceAvatar(
    @Ctx() context: Context,
    @Arg('input', () => SetServiceAvatarInput) { clientId, serviceAvatarId }: SetServiceAvatarInput,
  ): Promise<ServiceAvatarResult> {
    return context.services.oauthClients.setServiceAvatar(caller(context), clientId, serviceAvatarId);
  }
}

@Resolver()
export class OAuthRegistrationResolver {
  @Mutation(() => RegisteredClient, {
    description:
      'An app registers itself (RFC 7591), where OAUTH_REGISTRATION is on. Its tokens open the tools at /mcp alone; one that ' +
      'no user allowed within a day is forgotten.',
  })
  @Allow({ auth: 'none' })
  oauthRegister(
    @Ctx() { services }: Context,
    @Arg('input', () => OAuthRegisterInput) registration: OAuthRegisterInput,
  ): Promise<RegisteredClient> {
    return services.oauthRegistrations.register(registration);
  }
}

@Resolver()
export class OAuthConsentResolver {
  @Query(() => AuthorizationRequest, { description: 'What the consent page shows; 400 must be shown, not redirected.' })
  @Allow({ auth: 'optional' })
  authorizationRequest(
    @Ctx() { services, principal }: Context,
    @Arg('input', () => AuthorizationRequestInput) input: AuthorizationRequestInput,
  ): Promise<AuthorizationRequest> {
    return services.oauthConsent.request(principal, input);
  }

  @Mutation(() => PushedRequest, {
    description:
      'An app sends its authorization request beforehand (RFC 9126), where OAUTH_PAR is on; it lives ten minutes.',
  })
  @Allow({ auth: 'none' })
  pushAuthorization(
    @Ctx() { services }: Context,
    @Arg('input', () => PushAuthorizationInput) { clientSecret, ...request }: PushAuthorizationInput,
  ): Promise<PushedRequest> {
    return services.oauthConsent.push(request, clientSecret);
  }

  @Mutation(() => ApprovedAuthorization, { description: 'The user agrees, as one of their avatars.' })
  @Allow({ auth: 'session' })
  async approveAuthorization(
    @Ctx() context: Context,
    @Arg('input', () => ApproveAuthorizationInput) { avatarId, ...request }: ApproveAuthorizationInput,
  ): Promise<ApprovedAuthorization> {
    return { redirectTo: await context.services.oauthConsent.approve(caller(context), request, avatarId) };
  }
}

@Resolver()
export class OAuthTokenResolver {
  @Mutation(() => OAuthToken, { description: 'The token endpoint.' })
  @Allow({ auth: 'none' })
  oauthToken(
    @Ctx() context: Context,
    @Arg('input', () => OAuthTokenInput) input: OAuthTokenInput,
  ): Promise<OAuthToken> {
    return context.services.oauthTokens.issue(input, originOf(context));
  }

  @Mutation(() => Boolean, { description: 'Token revocation by an app (RFC 7009).' })
  @Allow({ auth: 'none' })
  oauthRevoke(
    @Ctx() context: Context,
    @Arg('input', () => OAuthRevokeInput) input: OAuthRevokeInput,
  ): Promise<boolean> {
    return context.services.oauthTokens.revoke(input, originOf(context));
  }

  @Query(() => TokenIntrospection, {
    description: 'Whether a token that the app holds stands (RFC 7662), where OAUTH_INTROSPECTION is on.',
  })
  @Allow({ auth: 'none' })
  oauthIntrospection(
    @Ctx() { services }: Context,
    @Arg('clientId', () => ID) clientId: string,
    @Arg('clientSecret', () => String) clientSecret: string,
    @Arg('token', () => String, { description: 'An access token or a refresh token.' }) token: string,
  ): Promise<TokenIntrospection> {
    return services.oauthTokens.introspect({ clientId, clientSecret, token });
  }

  @Query(() => OAuthUserinfo)
  @Allow({ auth: 'token', scopes: ['profile'] })
  oauthUserinfo(@Ctx() context: Context): Promise<OAuthUserinfo> {
    return context.services.oauthTokens.userinfo(caller(context));
  }

  @Query(() => OAuthGrantConnection, { description: 'Tokens that apps hold for the caller, newest first.' })
  @Allow({ auth: 'firstParty' })
  oauthGrants(@Ctx() context: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<OAuthGrant>> {
    return context.services.oauthGrants.list(caller(context), page);
  }

  @Mutation(() => Deleted, { description: 'An app’s token may revoke itself, and nothing else.' })
  @Allow({ auth: 'bearer', scopes: SCOPES })
  async revokeOAuthGrant(
    @Ctx() context: Context,
    @Arg('input', () => RevokeOAuthGrantInput) { tokenId }: RevokeOAuthGrantInput,
  ): Promise<Deleted> {
    await context.services.oauthGrants.revoke(caller(context), tokenId);
    return new Deleted(tokenId);
  }
}
