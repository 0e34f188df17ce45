import { expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { addressKey, rateLimiter } from './rate-limit.ts';

test('refuses a key that requests too often, with a retry time, and leaves others alone', async () => {
  const limiter = rateLimiter({ points: 2, perS: 60 });
  await limiter.consume('ada');
  await limiter.consume('ada');

  const refusal = await limiter.consume('ada').catch((error: unknown) => error);

  expect(isAppError(refusal) && refusal.code).toBe('request/too-many');
  expect(isAppError(refusal) && refusal.details.retryAfterS).toBeGreaterThan(0);
  expect(isAppError(refusal) && refusal.details.retryAfterS).toBeLessThanOrEqual(60);
  await limiter.consume('bob');
});

test('starts a forgiven key from zero', async () => {
  const limiter = rateLimiter({ points: 1, perS: 60 });
  await limiter.consume('ada');

  await limiter.forgive('ada');

  await limiter.consume('ada');
});

test('lets a returned point be consumed again, and gives no extra point to an unused key', async () => {
  const limiter = rateLimiter({ points: 1, perS: 60 });
  await limiter.consume('ada');

  await limiter.giveBack('ada');
  await limiter.giveBack('bob');

  await limiter.consume('ada');
  await limiter.consume('bob');
  await expect(limiter.consume('bob')).rejects.toMatchObject({ code: 'request/too-many' });
});

test('forgets the oldest of too many keys, and still counts the newest', async () => {
  const limiter = rateLimiter({ points: 1, perS: 60 }, 3);
  for (const key of ['a', 'b', 'c', 'd']) await limiter.consume(key);

  const isRefused = async (key: string) => (await limiter.consume(key).catch(() => 'refused')) === 'refused';

  expect(await Promise.all(['d', 'c', 'b'].map(isRefused))).toEqual([true, true, true]);
  expect(await isRefused('a')).toBe(false);
  expect(await isRefused('b')).toBe(false);
});

test('does not forget a key whose period has restarted as one of the oldest', async () => {
  const limiter = rateLimiter({ points: 1, perS: 60 }, 2);
  await limiter.consume('a');
  await limiter.consume('b');
  await limiter.forgive('a');
  await limiter.consume('a');

  await limiter.consume('c');

  await expect(limiter.consume('a')).rejects.toMatchObject({ code: 'request/too-many' });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('counts the address %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
