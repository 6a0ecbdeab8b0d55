/**
 * Starts the GraphQL IDE (Altair) from our own server's files, so that it works without internet. The API reads no cookie:
 * who asks is one variable of the IDE's environment, which goes into the header of requests and the opening of sockets.
 * Dark and light follow the system until its own settings say otherwise.
 */
import { pageData } from './lib/page.ts';
import { watch } from './lib/watch.ts';

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

/** Controls of the IDE that say what they are by a picture or a tip alone. */
const EDITORS = {
  '.query-editor__input': 'Query',
  '.url-box': 'Address of the API',
  '.query-result': 'Answer',
} as const;
watch(document.body, (root) => {
  for (const button of root.querySelectorAll<HTMLElement>('button[track-id]')) {
    if (button.textContent?.trim()) button.removeAttribute('aria-label');
    else button.setAttribute('aria-label', (button.getAttribute('track-id') ?? '').replaceAll('_', ' '));
  }
  for (const editor of root.querySelectorAll('.cm-content[contenteditable]:not([aria-label])')) {
    const known = Object.entries(EDITORS).find(([place]) => editor.closest(place));
    editor.setAttribute('aria-label', known?.[1] ?? editor.getAttribute('aria-placeholder') ?? 'Text');
  }
  // What scrolls and holds no control is scrolled by keyboard.
  for (const editor of root.querySelectorAll('.cm-content[contenteditable=false]')) {
    editor.closest('.cm-scroller')?.setAttribute('tabindex', '0');
  }
  root.querySelector('app-window-switcher')?.setAttribute('tabindex', '0');
  // Of panels that are not drawn, or by another name.
  for (const tab of root.querySelectorAll('[role=tab][aria-controls]')) {
    if (!document.getElementById(tab.getAttribute('aria-controls') ?? '')) tab.removeAttribute('aria-controls');
  }
});
