import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { SqlError } from './database.ts';
import { groupedCalls } from './grouped-calls.ts';

function recorded(fail: (items: readonly number[]) => unknown = () => null) {
  const groups: (readonly number[])[] = [];
  let release: () => void = () => {};
  const call = groupedCalls<number, number>(
    async (items) => {
      groups.push(items);
      await new Promise<void>((resolve) => {
        release = resolve;
        if (groups.length > 1) resolve();
      });
      const failure = fail(items);
      if (failure !== null) throw failure;
      return items.map((item) => item * 10);
    },
    { maxItems: 3 },
  );
  return { groups, call, release: () => release() };
}

const refusal = new SqlError('23503', 'a refusal', null, null, undefined);

test('runs the first call alone and groups those that arrive meanwhile', async () => {
  const { groups, call, release } = recorded();

  const first = call(1);
  await expect.poll(() => groups.length).toBe(1);
  const others = [2, 3, 4, 5].map(call);
  release();

  expect(await Promise.all([first, ...others])).toEqual([10, 20, 30, 40, 50]);
  expect(groups).toEqual([[1], [2, 3, 4], [5]]);
});

test('runs each item alone after SQL refused the group, so that one refusal stays one', async () => {
  const { groups, call, release } = recorded((items) => (items.includes(3) ? refusal : null));

  const first = call(1);
  await expect.poll(() => groups.length).toBe(1);
  const outcomes = Promise.allSettled([2, 3, 4].map(call));
  release();

  expect(await first).toBe(10);
  expect((await outcomes).map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual([
    20,
    refusal,
    40,
  ]);
  expect(groups).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
});

test('rejects the whole group when the database is unavailable, and runs the next one', async () => {
  const away = new AppError('database/unavailable');
  const { call, groups, release } = recorded((items) => (items.includes(2) ? away : null));

  const outcomes = Promise.allSettled([1, 2].map(call));
  await expect.poll(() => groups.length).toBe(1);
  release();

  expect((await outcomes).map((one) => one.status === 'rejected' && one.reason)).toEqual([away, away]);
  expect(await call(4)).toBe(40);
});
