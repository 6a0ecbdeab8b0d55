/** Shows the OpenAPI document with Swagger UI, which the page has loaded beside this script. */
import { pageData } from './lib/page.ts';

declare const SwaggerUIBundle: (options: object) => unknown;

// Swagger UI has dark colours of its own, which it wears by class and not by the system's preference.
const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = (): boolean => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();

const { openApi } = pageData<{ openApi: string }>();
SwaggerUIBundle({
  url: openApi,
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  syntaxHighlight: { activated: true },
  // There is one server, this one; its list would be a control without a name.
  plugins: [() => ({ wrapComponents: { ServersContainer: () => () => null } })],
});
