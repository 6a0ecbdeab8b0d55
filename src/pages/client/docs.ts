/** Shows the OpenAPI document with Swagger UI, which the page has loaded beside this script. */
import { pageData } from './lib/page.ts';

declare const SwaggerUIBundle: (options: object) => unknown;

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
});
