/**
 * A server that speaks the part of Twitch we use: sign-in tokens, validation and the subscription endpoint of Helix. Tests
 * turn its knobs; every request is kept.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TwitchServer {
  url: string;
  /** Access tokens that stand, and whose account each is. */
  tokens: Map<string, { userId: string; login: string }>;
  /** Refresh tokens that stand. */
  refreshTokens: Map<string, { userId: string; login: string }>;
  /** Codes of sign-ins. */
  codes: Map<string, { userId: string; login: string }>;
  /** `broadcaster member` pairs. */
  subscriptions: Set<string>;
  /** When set, Helix answers this status to everything. */
  down: number | undefined;
  /** Method, path and query of each request. */
  requests: string[];
  close(): Promise<void>;
}

const CLIENT = { id: 'twitch-client', secret: 'twitch-secret' };
export const TWITCH_ENV = (url: string) => ({
  TWITCH_CLIENT_ID: CLIENT.id,
  TWITCH_CLIENT_SECRET: CLIENT.secret,
  TWITCH_BASE_URL: url,
  TWITCH_AUTH_URL: url,
});

export async function openTwitchServer(): Promise<TwitchServer> {
  let minted = 0;
  const twitch: TwitchServer = {
    url: '',
    tokens: new Map(),
    refreshTokens: new Map(),
    codes: new Map(),
    subscriptions: new Set(),
    down: undefined,
    requests: [],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const mint = (who: { userId: string; login: string }) => {
    minted += 1;
    const [access, refresh] = [`access-${minted}`, `refresh-${minted}`];
    twitch.tokens.set(access, who);
    twitch.refreshTokens.set(refresh, who);
    return { access_token: access, refresh_token: refresh, expires_in: 14_000, token_type: 'bearer' };
  };
  const token = (form: URLSearchParams): [number, object] => {
    if (form.get('client_id') !== CLIENT.id || form.get('client_secret') !== CLIENT.secret) {
      return [403, { status: 403, message: 'invalid client secret' }];
    }
    const isCode = form.get('grant_type') === 'authorization_code';
    const [store, key] = isCode
      ? [twitch.codes, form.get('code')!]
      : [twitch.refreshTokens, form.get('refresh_token')!];
    const who = store.get(key);
    store.delete(key);
    return who ? [200, mint(who)] : [400, { status: 400, message: 'Invalid token' }];
  };
  const answer = (method: string, url: URL, authorization: string, body: string): [number, object] => {
    if (method === 'POST' && url.pathname === '/oauth2/token') return token(new URLSearchParams(body));
    const who = twitch.tokens.get(authorization.split(' ')[1] ?? '');
    if (url.pathname === '/oauth2/validate') {
      return who
        ? [200, { client_id: CLIENT.id, login: who.login, user_id: who.userId, scopes: ['user:read:subscriptions'] }]
        : [401, { status: 401, message: 'invalid access token' }];
    }
    if (url.pathname !== '/helix/subscriptions/user') return [404, {}];
    if (twitch.down) return [twitch.down, { status: twitch.down }];
    if (!who) return [401, { status: 401, message: 'Invalid OAuth token' }];
    const [broadcaster, member] = [url.searchParams.get('broadcaster_id'), url.searchParams.get('user_id')];
    if (member !== who.userId) return [401, { status: 401, message: 'user_id must match the token' }];
    return twitch.subscriptions.has(`${broadcaster} ${member}`)
      ? [200, { data: [{ broadcaster_id: broadcaster, is_gift: false, tier: '1000' }] }]
      : [404, { error: 'Not Found', status: 404, message: 'user has no subscription' }];
  };
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url!, 'http://twitch');
    twitch.requests.push(`${request.method} ${url.pathname}${url.search}`);
    const [status, json] = answer(request.method!, url, request.headers.authorization ?? '', body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  twitch.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return twitch;
}
