/** The status of a mutation that met a limit: a client that is to try again must not do the first half twice. */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { PlatformError } from '../../src/kernel/errors.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

let t: TestApp;
let ada: TestUser;
beforeAll(async () => {
  t = await openTestApp();
  ada = await t.person('Ada');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => t.close());

describe('a mutation that meets a limit', () => {
  const folder = (key: string) => `${key}: createAvatarFolder(input: { name: "Tea" }) { folderId }`;
  const statusOf = async (fields: string): Promise<unknown> => {
    const { status, body, headers } = await t.graphql<any>(`mutation { ${fields} }`, {}, ada.session);
    return [
      status,
      headers.get('retry-after') !== null,
      body.data ?? null,
      body.errors?.map(({ extensions }) => extensions.code),
    ];
  };
  const limit = (atCall: number): void => {
    const { folders } = t.app.services;
    const create = folders.create.bind(folders);
    let calls = 0;
    jest.spyOn(folders, 'create').mockImplementation((...given) => {
      calls += 1;
      if (calls === atCall) throw new PlatformError('RATE_LIMITED');
      return create(...given);
    });
  };

  test('at its first field is a 429, for nothing was done', async () => {
    limit(1);
    expect(await statusOf(`${folder('a')} ${folder('b')}`)).toEqual([429, true, null, ['RATE_LIMITED']]);
  });
  test('at a later field is answered, for the first was done and is not to be done again', async () => {
    limit(2);
    expect(await statusOf(`${folder('a')} ${folder('b')}`)).toEqual([200, false, null, ['RATE_LIMITED']]);
  });
});
