/** The token endpoint: who guesses secrets is slowed down. */
import { expect, test } from '@jest/globals';
import { openTestApp } from '../../support/app.ts';
import { exchange, makeAvatar, makeClient } from '../../support/oauth.ts';

test('guessing secrets is slowed down, using up codes is not', async () => {
  const limited = await openTestApp({ env: { RATE_LIMITS: 'on' } });
  try {
    const developer = await limited.person('Dev');
    const app = await makeClient(limited, developer, { serviceAvatarId: await makeAvatar(limited, developer) });
    const wrong = { grant_type: 'client_credentials', client_secret: 'wrong' };
    for (let i = 0; i < 30; i += 1) expect((await exchange(limited, app, { code: 'none' })).status).toBe(400);
    const statuses = [];
    for (let i = 0; i < 22; i += 1) statuses.push((await exchange(limited, app, wrong)).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
    expect((await exchange(limited, app, wrong)).headers.get('retry-after')).toMatch(/^\d+$/);
  } finally {
    await limited.close();
  }
});
