/** The documented paths as methods. */
import type { Client, RequestOptions } from './client.ts';
import { type RestApi, ROUTES } from './generated/rest.ts';

type Input = Record<string, unknown>;

/** A method for each operation of the documented paths: `rest(client).injectTurn({ conversationId, userText: 'Hi' })`. */
export function rest(client: Client): RestApi {
  const methods = Object.entries(ROUTES).map(([name, route]) => [
    name,
    (input?: Input, options?: RequestOptions) => send(client, route, input ?? {}, options),
  ]);
  return Object.fromEntries(methods) as RestApi;
}

function send(client: Client, route: string, input: Input, options: RequestOptions = {}): Promise<unknown> {
  const [how = '', template = ''] = route.split(' ');
  const method = how.replace('*', '');
  const left: Input = { ...input };
  let path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete left[name];
    return encodeURIComponent(String(input[name]));
  });
  const isRead = method === 'GET';
  if (isRead) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(left)) if (value != null) query.set(name, String(value));
    if (query.size) path += `?${query}`;
  }
  const key = options.idempotencyKey ?? (how.endsWith('*') ? crypto.randomUUID() : undefined);
  return client.send(
    {
      method,
      path,
      ...(isRead || method === 'DELETE' ? {} : { body: left }),
      sent: input,
      isRepeatable: isRead || key !== undefined,
      idempotencyKey: key,
    },
    options,
  );
}
