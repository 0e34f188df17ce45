/** What venues of shares and futures have in common: keys, and one request a minute. */
import { expect, test, vi } from 'vitest';
import { DXY, GOLD, MINUTE_MS, MSFT, never, OIL, shareVenues } from './support/market/share-venues.ts';

const { clock, openAlpaca, openDatabento, follow } = shareVenues();

test.each([
  ['Alpaca', () => openAlpaca({ keyId: 'sandbox', secretKey: 'wrong' }), MSFT, 403],
  ['Databento', () => openDatabento('wrong'), GOLD, 401],
] as const)('reports a wrong key of %s, and does not send it again for 600 s', async (_name, open, symbol, status) => {
  const { venue, calls } = open();

  await expect(venue.candles(symbol, 5, never)).rejects.toMatchObject({
    code: 'venue/unavailable',
    details: { reason: `status ${status}`, retryAfterS: 600 },
  });
  await expect(venue.candles(symbol, 5, never)).rejects.toMatchObject({ code: 'venue/unavailable' });

  expect(calls).toHaveLength(1);
});

test('sends keys only in headers', async () => {
  const { venue, calls } = openAlpaca();
  const other = openDatabento();

  await venue.candles(MSFT, 5, never);
  await other.venue.candles(GOLD, 5, never);

  const urls = [...calls, ...other.calls].map(String);
  expect(urls.filter((url) => url.includes('sandbox'))).toEqual([]);
});

test('requests once a minute only what is watched, and streams each closed candle once', async () => {
  const { venue } = openDatabento();
  await venue.candles(GOLD, 5, never);
  const expected = (): number => Math.floor(venue.nowMs() / MINUTE_MS) * 60 - 60;

  const seen = follow(venue, [GOLD, OIL, DXY]);
  for (let minute = 0; minute < 3; minute++) {
    // Later than the seconds that a minute's candle may take to arrive.
    clock.ms += MINUTE_MS + 4000;
    await vi.waitFor(() => expect(seen.at(-1)?.candle.time).toBe(expected()), { interval: 20 });
  }

  const times = seen.map((update) => update.candle.time);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  expect(seen.every((update) => update.symbol === GOLD && update.isClosed)).toBe(true);
});
