import pino from 'pino';
import { expect, test, vi } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { similarChances } from './similar-chances.ts';

const window = (minutes: number) =>
  ({ kind: 'window', window: { openS: 0, endS: minutes * 60, open: 1, missing: 0 } }) as const;

test('counts scored chances of the same window and tenth, and reads them once a minute', async () => {
  let nowMs = 0;
  const query = vi.fn(async () => [
    { window: 5, minute: 1, decile: 6, count: 10, happened: 6 },
    { window: 5, minute: 3, decile: 6, count: 30, happened: 19 },
    { window: 15, minute: 3, decile: 6, count: 4, happened: 4 },
    { window: 15, minute: 3, decile: 9, count: 0, happened: 0 },
  ]);
  const similar = similarChances({
    database: { query } as unknown as Database,
    market: 'live',
    nowMs: () => 1e12,
    log: pino({ level: 'silent' }),
    monotonicMs: () => nowMs,
  });

  expect(similar(window(5), 0.62)).toBeNull();
  await vi.waitFor(() => expect(similar(window(5), 0.62)).toEqual({ count: 40, happened: 25 }));
  expect(similar(window(15), 0.69)).toEqual({ count: 4, happened: 4 });
  expect(similar(window(15), 0.95)).toBeNull();
  expect(similar(window(60), 0.62)).toBeNull();
  expect(similar({ kind: 'above', price: 1, bar: 1 }, 0.62)).toBeNull();
  expect(query).toHaveBeenCalledTimes(1);

  nowMs = 60_000;
  similar(window(5), 0.62);
  expect(query).toHaveBeenCalledTimes(2);
});
