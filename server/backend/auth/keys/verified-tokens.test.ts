import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rememberVerified } from './verified-tokens.ts';

const START_MS = 1_800_000_000_000;
const CLAIMS = { role: 'authenticated', exp: START_MS / 1000 + 60 };
let productMs = START_MS;
const clock = { nowMs: () => productMs };

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  productMs = START_MS;
});
afterEach(() => vi.useRealTimers());

test('verifies each token once in five seconds', async () => {
  const verify = vi.fn(async (token: string) => ({ ...CLAIMS, token }));
  const remembered = rememberVerified(verify, clock);

  const answers = [await remembered('a'), await remembered('a'), await remembered('b')];
  vi.setSystemTime(START_MS + 5000);
  await remembered('a');

  expect(answers.map((claims) => claims.token)).toEqual(['a', 'a', 'b']);
  expect(verify.mock.calls).toEqual([['a'], ['b'], ['a']]);
});

test('verifies a refused token again on every call', async () => {
  const verify = vi.fn(async () => {
    throw new Error('not ours');
  });
  const remembered = rememberVerified(verify, clock);

  await expect(remembered('a')).rejects.toThrow('not ours');
  await expect(remembered('a')).rejects.toThrow('not ours');

  expect(verify).toHaveBeenCalledTimes(2);
});

test('verifies a token again once it has expired by the product’s clock', async () => {
  const verify = vi.fn(async () => CLAIMS);
  const remembered = rememberVerified(verify, clock);
  await remembered('a');

  productMs += 60_000;
  await remembered('a');

  expect(verify).toHaveBeenCalledTimes(2);
});

test('verifies a token again when the clock is set back before its start', async () => {
  const verify = vi.fn(async () => ({ ...CLAIMS, nbf: START_MS / 1000 }));
  const remembered = rememberVerified(verify, clock);
  await remembered('a');

  productMs -= 10_000;
  await remembered('a');

  expect(verify).toHaveBeenCalledTimes(2);
});

test('verifies a token again after 5000 others, so that memory stays limited', async () => {
  const verify = vi.fn(async () => CLAIMS);
  const remembered = rememberVerified(verify, clock);
  for (let n = 0; n < 5001; n += 1) await remembered(`token ${n}`);

  await remembered('token 0');

  expect(verify).toHaveBeenCalledTimes(5002);
});
