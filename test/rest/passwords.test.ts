/** How passwords are stored: PHC strings of argon2id, which replace the hashes of earlier releases at sign-in. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { hashPassword, PASSWORD_COST, verifyPassword } from '../../src/auth/passwords.ts';
import { openTestApp, signIn, type TestApp, type TestUser } from '../support/app.ts';

const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
const PASSWORD = 'correct horse';
/** Of `PASSWORD`, as release 1.2 wrote it; both alphabets of base64 differ in it. */
const OF_1_2 = 'argon2id$19456$2$E6QrKitRfEYX_gamMx8jxw$dZ9ZrdKSFpMHaSAF0d9mx226uJO2tu_NZsh_hxANZXE';

let t: TestApp;
let ada: TestUser;

beforeAll(async () => {
  t = await openTestApp({ passwordCost: 'default' });
  ada = await t.person('Ada');
});
afterAll(() => t.close());

async function stored(): Promise<string> {
  const [row] = await t.app.db.rows<{ hash: string }>(
    `select password_hash as hash from app_user where id = '${ada.userId}'`,
  );
  return row!.hash;
}

const store = (hashed: string) =>
  t.app.db.rows(`update app_user set password_hash = '${hashed}' where id = '${ada.userId}'`);

test('a new account has a PHC string, and keeps it at sign-in', async () => {
  const written = await stored();
  expect(written).toMatch(PHC);
  await signIn(t, { email: ada.email, password: PASSWORD });
  expect(await stored()).toBe(written);
});

test.each([
  ['release 1.2', async () => OF_1_2],
  ['a lower cost', () => hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })],
])('a hash of %s signs in, and is a PHC string of today’s cost from then on', async (_name, old) => {
  const before = await old();
  await store(before);
  await expect(signIn(t, { email: ada.email, password: 'correct horsf' })).rejects.toThrow('UNAUTHENTICATED');
  expect(await stored()).toBe(before);
  expect((await signIn(t, { email: ada.email, password: PASSWORD })).userId).toBe(ada.userId);
  expect(await stored()).toMatch(PHC);
  expect((await signIn(t, { email: ada.email, password: PASSWORD })).userId).toBe(ada.userId);
});

test('an unknown account costs the processor what a wrong password does', async () => {
  const known = await hashPassword(PASSWORD, PASSWORD_COST);
  const cost = async (of: string | null) => {
    const before = process.cpuUsage();
    expect(await verifyPassword('wrong', of)).toBe(false);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  // The least of many in turns: whatever else the process does meanwhile only adds to one of them.
  const costs = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 12; round += 1) {
    costs.known = Math.min(costs.known, await cost(known));
    costs.unknown = Math.min(costs.unknown, await cost(null));
  }
  const ratio = costs.unknown / costs.known;
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});
