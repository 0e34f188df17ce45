import { expect, test } from 'vitest';
import { passwords } from './passwords.ts';

test('hashes cost what a hosted project takes, and are checked at that cost', async () => {
  const { hash, matches } = passwords();

  const stored = await hash('Password1', 'a');

  expect(stored).toMatch(/^\$2[aby]\$10\$/);
  expect([await matches('Password1', stored, 'a'), await matches('Password2', stored, 'a')]).toEqual([true, false]);
});

test.each([4, 10])('at cost %i nobody at all takes as long as somebody', async (cost) => {
  const { hash, matches } = passwords(cost);
  const stored = await hash('Password1', 'a');
  const timeOf = async (storedHash: string | null) => {
    const tookMs: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const startedMs = performance.now();
      expect(await matches('Password2', storedHash, 'a')).toBe(false);
      tookMs.push(performance.now() - startedMs);
    }
    return Math.min(...tookMs);
  };

  const ratio = (await timeOf(null)) / (await timeOf(stored));

  expect(ratio).toBeGreaterThan(0.3);
  expect(ratio).toBeLessThan(3);
});
