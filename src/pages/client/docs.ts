/** Shows the OpenAPI document with Swagger UI, which the page has loaded beside this script. */
import { keepAccessible } from './lib/accessible-names.ts';
import { byId, pageData } from './lib/page.ts';

declare const SwaggerUIBundle: (options: object) => { initOAuth(options: object): void };

/** Swagger UI's headings begin below ours; what is said of their level follows the page. */
const LEVELS = { '.opblock-tag': '2', '.models > h4': '2', '.opblock h4': '3', '.opblock h5': '4' } as const;
keepAccessible(byId('docs'), (root) => {
  for (const [selector, level] of Object.entries(LEVELS)) {
    for (const heading of root.querySelectorAll(`${selector}:not([aria-level])`))
      heading.setAttribute('aria-level', level);
  }
  const about = root.querySelector('.information-container:not([role])');
  about?.setAttribute('role', 'region');
  about?.setAttribute('aria-label', 'About this API');
});

// Swagger UI has dark colours of its own, which it wears by class and not by the system's preference.
const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = (): boolean => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();

const { openApi, signedIn } = pageData<{ openApi: string; signedIn: string }>();
const ui = SwaggerUIBundle({
  url: openApi,
  oauth2RedirectUrl: signedIn,
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  syntaxHighlight: { activated: true },
  // There is one server, this one; its list would be a control without a name. A link inside of the button that opens an
  // operation is no control of its own either: the button changes the address.
  plugins: [
    () => ({
      wrapComponents: {
        ServersContainer: () => () => null,
        DeepLink:
          () =>
          ({ text }: { text: string }) =>
            text,
      },
    }),
  ],
});
// An app without a secret signs in too.
ui.initOAuth({ usePkceWithAuthorizationCodeGrant: true });
