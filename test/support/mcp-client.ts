/** A program that uses the tools for models, as the SDK's own client does: it finds where to sign in, registers, signs in. */
import {
  Client,
  type FetchLike,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { TestApp, TestUser } from './app.ts';
import { csrfOf, Visitor } from './page-client.ts';

export const CALLBACK = 'http://localhost:8090/callback';

/** What the SDK wants to keep between its steps. */
export class Program implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = {
    client_name: 'Claude',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  client: OAuthClientInformationMixed | undefined;
  held: OAuthTokens | undefined;
  sentTo: URL | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.client = client;
  };
  tokens = () => this.held;
  saveTokens = (tokens: OAuthTokens) => {
    this.held = tokens;
  };
  state = () => 'st4te';
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.#discovery = state;
  };
  discoveryState = () => this.#discovery;
}

/** Where the tools are, by their public name. */
export const toolsAt = (t: TestApp): URL => new URL(`${t.app.config.BASE_URL}/mcp`);

/** The user says yes on the consent page; what the browser brings the program. */
export async function consent(t: TestApp, user: TestUser, address: URL, avatarId: string): Promise<URL> {
  const browser = await new Visitor(t.url).signIn(user.email);
  const path = address.pathname + address.search;
  const { status, text } = await browser.get(path);
  if (status !== 200) throw new Error(`The consent page answered ${status}: ${text}`);
  const answer = await browser.post(path, { csrf: csrfOf(text), decision: 'approve', avatarId });
  if (!answer.location) throw new Error(`The consent was answered by ${answer.status}: ${answer.text}`);
  return new URL(answer.location);
}

/** The whole sign-in of a program, from knowing nothing to holding a token. */
export async function signInProgram(t: TestApp, user: TestUser, avatarId: string): Promise<Program> {
  const program = new Program();
  const transport = new StreamableHTTPClientTransport(toolsAt(t), { authProvider: program });
  const client = new Client({ name: 'test', version: '1' });
  const refused = await client.connect(transport).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refused instanceof UnauthorizedError)) throw new Error(`Not sent to sign in: ${String(refused)}`);
  if (!program.sentTo) throw new Error('It was sent nowhere.');
  const { searchParams } = await consent(t, user, program.sentTo, avatarId);
  if (searchParams.get('state') !== 'st4te') throw new Error('The state did not come back.');
  await transport.finishAuth(searchParams);
  await client.close();
  return program;
}

/** Connected with a bearer token, or as a program that has signed in; `modern` by the revision without a handshake. */
export async function connect(
  t: TestApp,
  who: string | Program,
  { modern = false, fetch }: { modern?: boolean; fetch?: FetchLike } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  const transport = new StreamableHTTPClientTransport(toolsAt(t), {
    ...(fetch ? { fetch } : {}),
    ...(typeof who === 'string'
      ? { requestInit: { headers: { authorization: `Bearer ${who}` } } }
      : { authProvider: who }),
  });
  await client.connect(transport);
  return client;
}
