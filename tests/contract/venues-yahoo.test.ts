/** Yahoo's own behaviour: delayed futures, one request a minute, and its refusals. */
import { expect, test, vi } from 'vitest';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { MINUTE_MS, MSFT, never, OIL, shareVenues } from './support/market/share-venues.ts';

const { clock, opened, openYahoo, follow } = shareVenues();

test("delays Yahoo's futures but not its shares, and sends our own user agent without cookies", async () => {
  const { shares, futures, calls, headers } = openYahoo();

  const [share] = (await shares.candles(MSFT, 5, never)).slice(-1);
  const [future] = (await futures.candles(OIL, 5, never)).slice(-1);

  expect([shares.delayS, futures.delayS]).toEqual([0, 900]);
  expect((share?.time ?? 0) * 1000).toBe(Date.parse('2026-11-18T14:59:00Z'));
  expect((future?.time ?? 0) * 1000).toBe(Date.parse('2026-11-18T14:44:00Z'));
  expect(calls.map((url) => url.pathname)).toEqual(['/yahoo/v8/finance/chart/MSFT', '/yahoo/v8/finance/chart/CL%3DF']);
  expect(headers.map((h) => [h.get('user-agent'), h.has('cookie')])).toEqual([
    ['kat', false],
    ['kat', false],
  ]);
});

test('pauses shares and futures alike for a minute after a 429 of Yahoo', async () => {
  const { shares, futures, calls } = openYahoo();
  opened().faults.add({ part: 'rest', dialect: 'yahoo', what: 'status', status: 429, count: 1 });

  await expect(shares.candles(MSFT, 5, never)).rejects.toMatchObject({ details: { retryAfterS: 60 } });
  await expect(futures.candles(OIL, 5, never)).rejects.toMatchObject({ code: 'venue/unavailable' });

  expect(calls).toHaveLength(1);
});

test('requests once a minute, never twice for one, and catches up after an outage', async () => {
  const { futures, calls } = openYahoo();
  await futures.candles(OIL, 5, never);
  const seen = follow(futures, [OIL]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(calls).toHaveLength(1);
  clock.ms += MINUTE_MS;
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), WAIT_MS);
  const before = calls.length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(calls).toHaveLength(before);
  opened().faults.add({ part: 'rest', dialect: 'yahoo', what: 'status', status: 500, count: 1 });

  clock.ms += MINUTE_MS;
  await vi.waitFor(() => expect(calls).toHaveLength(before + 1), WAIT_MS);
  clock.ms += MINUTE_MS;
  await vi.waitFor(() => expect(seen.at(-1)?.candle.time).toBe(Date.parse('2026-11-18T14:47:00Z') / 1000), WAIT_MS);

  const steps = seen.slice(1).map((update, i) => update.candle.time - (seen[i]?.candle.time ?? 0));
  expect(new Set(steps)).toEqual(new Set([60]));
});
