/** The documented endpoints: Login flow (OAuth 2.0). */
import { PAGE_INFO, type Route } from './route.ts';

export const OAUTH_ROUTES: readonly Route[] = [
  {
    method: 'DELETE',
    path: '/videos/{generationId}',
    section: 'Video generation',
    summary: 'Delete a video and its files.',
    operation: 'mutation($generationId: ID!) { deleteVideo(input: { generationId: $generationId }) { ok } }',
    body: 'root',
  },
  {
    method: 'POST',
    path: '/oauth/clients',
    section: 'Login flow',
    summary: 'Register an app; the secret is shown once.',
    operation: `mutation($name: String!, $redirectDomains: [String!]!, $scopes: [Scope!], $serviceAvatarId: ID) {
      registerOAuthClient(input: { name: $name, redirectDomains: $redirectDomains, scopes: $scopes, serviceAvatarId: $serviceAvatarId }) {
      clientId clientSecret name redirectDomains scopes } }`,
    body: 'root',
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/oauth/clients',
    section: 'Login flow',
    summary: 'List your apps, without secrets.',
    operation: '{ apps: oauthClients { nodes { clientId name redirectDomains scopes serviceAvatarId createdAt } } }',
    body: 'data',
    list: 'apps',
  },
  {
    method: 'DELETE',
    path: '/oauth/clients/{clientId}',
    section: 'Login flow',
    summary: 'Delete an app and revoke every token it holds.',
    operation: 'mutation($clientId: ID!) { deleteOAuthClient(input: { clientId: $clientId }) { ok } }',
    body: 'root',
  },
  {
    method: 'PATCH',
    path: '/oauth/clients/{clientId}',
    section: 'Login flow',
    summary: 'Name the avatar that the client-credentials grant acts as; null disables the grant.',
    operation:
      'mutation($clientId: ID!, $serviceAvatarId: ID) { setServiceAvatar(input: { clientId: $clientId, serviceAvatarId: $serviceAvatarId }) { ok clientId serviceAvatarId } }',
    body: 'root',
  },
  {
    method: 'POST',
    path: '/oauth/clients/{clientId}/secret',
    section: 'Login flow',
    summary: 'Give an app a new secret, shown once; the one before verifies for keepOldFor seconds, by default a day.',
    operation: `mutation($clientId: ID!, $keepOldFor: Int) { rotateClientSecret(input: { clientId: $clientId, keepOldFor: $keepOldFor }) {
      clientId clientSecret previousValidUntil } }`,
    body: 'root',
    idempotent: true,
  },
  {
    method: 'POST',
    path: '/oauth/token',
    section: 'Login flow',
    summary:
      'Exchange a code or client credentials for an access token. JSON or form; credentials in the body or by HTTP Basic.',
    operation: `mutation($grant_type: String!, $client_id: ID!, $client_secret: String, $code: String, $redirect_uri: URL, $code_verifier: String, $scope: String, $resource: URL, $refresh_token: String) {
      oauthToken(input: { grantType: $grant_type, clientId: $client_id, clientSecret: $client_secret, code: $code, redirectUri: $redirect_uri, codeVerifier: $code_verifier, scope: $scope, resource: $resource, refreshToken: $refresh_token }) {
      access_token: accessToken token_type: tokenType scope avatar { id name picture } expires_in: expiresIn refresh_token: refreshToken } }`,
    body: 'root',
    omitNulls: ['expires_in', 'refresh_token'],
    oauth: true,
  },
  {
    method: 'POST',
    path: '/oauth/register',
    section: 'Login flow',
    summary:
      'Register an app that no account registered before (RFC 7591), for the tools at /mcp alone. What is not known here is ignored.',
    operation: `mutation($redirect_uris: [URL!]!, $client_name: String, $token_endpoint_auth_method: String, $grant_types: [String!], $response_types: [String!], $scope: String) {
      oauthRegister(input: { redirectUris: $redirect_uris, clientName: $client_name, tokenEndpointAuthMethod: $token_endpoint_auth_method, grantTypes: $grant_types, responseTypes: $response_types, scope: $scope }) {
      client_id: clientId client_id_issued_at: clientIdIssuedAt client_secret: clientSecret client_secret_expires_at: clientSecretExpiresAt
      client_name: clientName redirect_uris: redirectUris token_endpoint_auth_method: tokenEndpointAuthMethod
      grant_types: grantTypes response_types: responseTypes scope } }`,
    status: 201,
    body: 'root',
    omitNulls: ['client_secret', 'client_secret_expires_at'],
    called: { redirectUris: 'redirect_uris', clientName: 'client_name' },
    oauth: 'json',
  },
  {
    method: 'POST',
    path: '/oauth/introspect',
    section: 'Login flow',
    summary: 'Ask whether a token that the app holds stands (RFC 7662); 404 unless OAUTH_INTROSPECTION is on.',
    operation: `query($token: String!, $client_id: ID!, $client_secret: String!) {
      oauthIntrospection(token: $token, clientId: $client_id, clientSecret: $client_secret) {
      active scope client_id: clientId token_type: tokenType exp iat sub aud iss } }`,
    body: 'root',
    omitNulls: ['scope', 'client_id', 'token_type', 'exp', 'iat', 'sub', 'aud', 'iss'],
    oauth: true,
  },
  {
    method: 'POST',
    path: '/oauth/par',
    section: 'Login flow',
    summary: 'Send an authorization request before the browser is sent (RFC 9126); 404 unless OAUTH_PAR is on.',
    operation: `mutation($client_id: ID!, $client_secret: String, $redirect_uri: URL, $response_type: String, $scope: String, $state: String, $code_challenge: String, $code_challenge_method: String, $resource: URL, $request_uri: String) {
      pushAuthorization(input: { clientSecret: $client_secret, clientId: $client_id, redirectUri: $redirect_uri, responseType: $response_type, scope: $scope, state: $state, codeChallenge: $code_challenge, codeChallengeMethod: $code_challenge_method, resource: $resource, requestUri: $request_uri }) {
      request_uri: requestUri expires_in: expiresIn } }`,
    status: 201,
    body: 'root',
    oauth: true,
  },
  {
    method: 'POST',
    path: '/oauth/revoke',
    section: 'Login flow',
    summary: 'Revoke an access token as the app that holds it (RFC 7009).',
    operation: `mutation($token: String!, $client_id: ID!, $client_secret: String) {
      ok: oauthRevoke(input: { token: $token, clientId: $client_id, clientSecret: $client_secret }) }`,
    body: 'data',
    oauth: true,
  },
  {
    method: 'GET',
    path: '/oauth/userinfo',
    section: 'Login flow',
    summary: 'Who signed in, as the app may know them.',
    operation: '{ oauthUserinfo { sub name picture avatar_id: avatarId scope } }',
    body: 'root',
  },
  {
    method: 'GET',
    path: '/oauth/grants',
    section: 'Login flow',
    summary: 'List the access tokens that apps hold for you.',
    operation: `query($first: Int = 100, $after: String) { grants: oauthGrants(first: $first, after: $after) { nodes {
      tokenId clientId name avatar { id name picture } scopes clientCredentials createdAt } ${PAGE_INFO} } }`,
    body: 'data',
    list: 'grants',
    documentedWhole: true,
  },
  {
    method: 'DELETE',
    path: '/oauth/grants/{tokenId}',
    section: 'Login flow',
    summary: 'Revoke one access token.',
    operation: 'mutation($tokenId: ID!) { revokeOAuthGrant(input: { tokenId: $tokenId }) { ok } }',
    body: 'root',
  },
];
