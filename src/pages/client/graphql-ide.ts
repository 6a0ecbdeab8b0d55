/**
 * Starts the GraphQL IDE (Altair) from our own server's files, so that it works without internet. The API reads no cookie:
 * who asks is one variable of the IDE's environment, which goes into the header of requests and the opening of sockets.
 * Dark and light follow the system until its own settings say otherwise.
 */
import { pageData } from './lib/page.ts';

/** Of the script before this one. */
declare const AltairGraphQL: { init(options: object): unknown };

const QUERY = `# Ctrl-Enter runs what stands here; the schema is under "Docs".
# To be signed in, set "authorization" under Environments to "Bearer ...": an API key, or the idToken of signIn.
{
  __typename
}
`;
const CREDENTIAL = { authorization: '{{authorization}}' };

const page = pageData<{ graphql: string }>();
const http = new URL(page.graphql, location.origin).href;
AltairGraphQL.init({
  endpointURL: http,
  subscriptionsEndpoint: http.replace('http', 'ws'),
  initialSubscriptionRequestHandlerId: 'graphql-ws',
  initialSubscriptionsPayload: CREDENTIAL,
  initialHeaders: CREDENTIAL,
  initialEnvironments: { base: { title: 'Environment', variables: { authorization: '' } } },
  initialQuery: QUERY,
  instanceStorageNamespace: 'graphql_ide_',
  disableAccount: true,
  initialSettings: {
    theme: 'light',
    'theme.dark': 'dark',
    'alert.disableUpdateNotification': true,
    disablePushNotification: true,
    'banners.disable': true,
  },
});
