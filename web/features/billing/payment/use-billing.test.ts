import { expect, test } from 'vitest';
import { aSubscription } from '#domain/billing/testing/subscription-fixtures.ts';
import { pollRecord } from './use-billing.ts';

const isCanceling = (record: { cancel_at_period_end: boolean | null } | null) => record?.cancel_at_period_end === true;

function ports(seenAtTry: number) {
  const pauses: number[] = [];
  let tries = 0;
  return {
    pauses,
    tries: () => tries,
    async fetch() {
      tries += 1;
      if (tries === 2) throw new Error('offline');
      return aSubscription({ cancel_at_period_end: tries >= seenAtTry });
    },
    async wait(ms: number) {
      pauses.push(ms);
    },
  };
}

test('shows immediately what is there without a pause', async () => {
  const at = ports(1);

  expect(await pollRecord(isCanceling, at)).toBe(true);
  expect(at.pauses).toEqual([]);
});

test('begins with pauses of 800 ms that grow by a quarter, and counts a failed try', async () => {
  const at = ports(4);

  expect(await pollRecord(isCanceling, at)).toBe(true);
  expect(at.pauses).toEqual([800, 1000, 1250]);
});

test('gives up after 20 tries, with no pause longer than 4 seconds', async () => {
  const at = ports(Number.POSITIVE_INFINITY);

  expect(await pollRecord(isCanceling, at)).toBe(false);
  expect(at.tries()).toBe(20);
  expect(at.pauses).toHaveLength(19);
  expect(Math.max(...at.pauses)).toBe(4000);
});
