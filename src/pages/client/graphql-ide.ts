/**
 * Starts the GraphQL IDE (Altair) from our own server's files, so that it works without internet. A signed-in user asks
 * in the name of their session; for others, as the API reads no cookie, who asks is one variable of the IDE's environment,
 * which goes into the header of requests and the opening of sockets.
 * Dark and light follow the system until its own settings say otherwise.
 */
import type { IdePage } from '../ide-data.ts';
import { keepAccessible } from './lib/accessible-names.ts';
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

const { graphql, signedIn } = pageData<IdePage>();
const own = signedIn ? new URL(signedIn.graphql, location.origin).href : undefined;
const http = own ?? new URL(graphql, location.origin).href;

/** To begin with: one runs at a time, of what stands here. */
const EXAMPLES = signedIn
  ? `# You are signed in: what stands here is asked in your name. Choose which one to run.
query WhoAmI {
  me { userId displayName balance { available } }
  avatars(first: 5) { nodes { avatarId displayName ttsVoiceId } }
}

mutation SaySomething {
  injectTurn(input: { conversationId: "${signedIn.slug ?? 'c-YOUR-CONVERSATION'}", userText: "Hello, who are you?", output: text }) {
    turn { id status }
  }
}

mutation TryAPersonality {
  tryPersona(input: { avatarId: "${signedIn.avatarId ?? 'YOUR_AVATAR'}", personalityPrompt: "A pirate", userText: "Who are you?" }) {
    text
  }
}

subscription FollowTheAnswers {
  turnUpdated(slug: "${signedIn.slug ?? 'c-YOUR-CONVERSATION'}", viewerToken: "${signedIn.viewerToken ?? ''}") {
    turn { avatarText status videoUrl }
  }
}
`
  : QUERY;

// The IDE keeps its headers from one visit to the next; what proves that this page asks is of this visit alone.
if (signedIn && own) {
  const send = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const request = new Request(input, init);
    if (request.url === own) request.headers.set('x-csrf', signedIn.csrf);
    return send(request);
  };
}
AltairGraphQL.init({
  endpointURL: http,
  subscriptionsEndpoint: new URL(graphql, location.origin).href.replace('http', 'ws'),
  initialSubscriptionRequestHandlerId: 'graphql-ws',
  ...(signedIn ? {} : { initialSubscriptionsPayload: CREDENTIAL }),
  ...(signedIn ? {} : { initialHeaders: CREDENTIAL }),
  initialEnvironments: { base: { title: 'Environment', variables: { authorization: '' } } },
  initialQuery: EXAMPLES,
  instanceStorageNamespace: signedIn ? `graphql_ide_${signedIn.userId}_` : 'graphql_ide_',
  disableAccount: true,
  initialSettings: {
    theme: 'light',
    'theme.dark': 'dark',
    'alert.disableUpdateNotification': true,
    disablePushNotification: true,
    'banners.disable': true,
  },
});

/** Controls of the IDE that say what they are by an icon or a tip alone. */
const EDITORS = {
  '.query-editor__input': 'Query',
  '.url-box': 'Address of the API',
  '.query-result': 'Answer',
} as const;
keepAccessible(document.body, (root) => {
  for (const button of root.querySelectorAll<HTMLElement>('button[track-id]')) {
    if (button.textContent?.trim()) button.removeAttribute('aria-label');
    else button.setAttribute('aria-label', (button.getAttribute('track-id') ?? '').replaceAll('_', ' '));
  }
  for (const editor of root.querySelectorAll('.cm-content[contenteditable]:not([aria-label])')) {
    const known = Object.entries(EDITORS).find(([place]) => editor.closest(place));
    editor.setAttribute('aria-label', known?.[1] ?? editor.getAttribute('aria-placeholder') ?? 'Text');
  }
  // What scrolls is scrolled by keyboard, also where nothing in it can be written to.
  for (const one of root.querySelectorAll('.cm-scroller:not([tabindex="0"]), app-window-switcher:not([tabindex])')) {
    one.setAttribute('tabindex', '0');
  }
  // Of panels that are not drawn, or by another name.
  for (const tab of root.querySelectorAll('[role=tab][aria-controls]')) {
    if (!document.getElementById(tab.getAttribute('aria-controls') ?? '')) tab.removeAttribute('aria-controls');
  }
});
