/**
 * An app that signs in with arctic, as a process of its own: inside ours, undici 8 has taken over Node's `fetch`, and it
 * refuses the Content-Length that arctic sets by itself. Arguments are JSON; prints the link, then reads the code.
 */
import { createInterface } from 'node:readline';
import * as arctic from 'arctic';

const { clientId, secret, redirectUri, authorize, token } = JSON.parse(process.argv[2]);
const client = new arctic.OAuth2Client(clientId, secret, redirectUri);
const [state, verifier] = [arctic.generateState(), arctic.generateCodeVerifier()];
const { S256 } = arctic.CodeChallengeMethod;
const link = client.createAuthorizationURLWithPKCE(authorize, state, S256, verifier, ['profile']);
process.stdout.write(`${link.href}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const answer = new URL(line).searchParams;
  if (answer.get('state') !== state) throw new Error('Another state came back.');
  try {
    const tokens = await client.validateAuthorizationCode(token, answer.get('code'), verifier);
    process.stdout.write(`${JSON.stringify({ token: tokens.accessToken() })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: error.code ?? String(error.cause ?? error) })}\n`);
  }
}
