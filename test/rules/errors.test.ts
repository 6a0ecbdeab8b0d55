import { describe, expect, test } from '@jest/globals';
import { badInput, PlatformError } from '../../src/kernel/errors.ts';

describe('platform errors', () => {
  test('a bad input names its field and is a 400', () => {
    const error = badInput('displayName', 'must not be empty.');
    expect(error).toBeInstanceOf(PlatformError);
    expect(error.status).toBe(400);
    expect(error.message).toBe('displayName must not be empty.');
    expect(error.details).toEqual({ field: 'displayName' });
  });
});
