/** A foreign OpenID Connect issuer: its metadata, its keys, and ID tokens that it signs. */
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface TestIssuer {
  url: string;
  sign(claims: object, options?: { audience?: string; expires?: string }): Promise<string>;
  close(): void;
}

export async function openIssuer(): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' };
  const server = createServer((request, response) => {
    const url = `http://127.0.0.1:${(server.address() as any).port}`;
    const body = request.url === '/jwks' ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/jwks` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as any).port}`;
  return {
    url,
    sign: (claims: object, { audience = 'avatars', expires = '5m' } = {}) =>
      new SignJWT(claims as never)
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(url)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(privateKey),
    close: () => server.close(),
  };
}
