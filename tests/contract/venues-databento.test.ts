/** Databento's own behaviour: a delay that it reports itself, two datasets, weekends. */
import { expect, test, vi } from 'vitest';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { databentoVenue } from '../../server/market/venues/databento.ts';
import { DXY, GOLD, never, shareVenues } from './support/market/share-venues.ts';

const { clock, opened, recordedCalls, openDatabento, follow } = shareVenues();

test("takes Databento's delay from the service, and sets its clock back by it", async () => {
  const { venue } = openDatabento();
  expect(venue.delayS).toBe(900);

  const [candle] = (await venue.candles(GOLD, 1, never)).slice(-1);

  expect(venue.delayS).toBe(660);
  expect(clock.ms - venue.nowMs()).toBe(605_000);
  expect((candle?.time ?? 0) * 1000).toBe(Date.parse('2026-11-18T14:49:00Z'));
});

test('reports no delay when only the current minute is missing', async () => {
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'shares', startMs: null });
  const { parts } = recordedCalls();
  const venue = databentoVenue({ ...parts, ...sandbox.addresses.databento, key: 'sandbox' });

  const [candle] = (await venue.candles(GOLD, 1, never)).slice(-1);
  await sandbox.close();

  expect(venue.delayS).toBe(0);
  expect((candle?.time ?? 0) * 1000).toBe(Date.parse('2026-11-18T14:59:00Z'));
});

test('uses the slower of two datasets for both', async () => {
  const { parts } = recordedCalls();
  const slow: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!String(input).includes('get_dataset_range') || !String(input).includes('IFUS')) return answer;
    return Response.json({ start: '2018-01-01T00:00:00Z', end: '2026-11-18T14:00:00.000000000Z' });
  };
  const venue = databentoVenue({ ...parts, ...opened().addresses.databento, key: 'sandbox', fetch: slow });

  await venue.candles(GOLD, 5, never);
  await venue.candles(DXY, 5, never);

  expect(venue.nowMs()).toBe(Date.parse('2026-11-18T14:00:00Z'));
  expect((await venue.candles(GOLD, 1, never)).at(-1)?.time).toBe(Date.parse('2026-11-18T13:59:00Z') / 1000);
});

test.each([
  ['on Saturday', '2026-11-21T12:00:00Z', 900],
  ['twenty minutes into Sunday evening', '2026-11-22T23:20:00Z', 1200],
])('reports no weekend delay for data that ended on Friday: %s', async (_when, now, delayS) => {
  const { parts } = recordedCalls();
  const end = '2026-11-21T00:00:00.000000000Z';
  const stuck: typeof fetch = async (input, init) =>
    String(input).includes('get_dataset_range') ? Response.json({ end }) : fetch(input, init);
  const venue = databentoVenue({ ...parts, ...opened().addresses.databento, key: 'sandbox', fetch: stuck });
  clock.ms = Date.parse(now);

  const candles = await venue.candles(GOLD, 5, never);

  expect(candles.at(-1)?.time).toBe(Date.parse('2026-11-20T21:59:00Z') / 1000);
  expect(venue.delayS).toBe(delayS);
});

test("streams Databento's first candles of Sunday evening without a request", async () => {
  clock.ms = Date.parse('2026-11-22T22:30:00Z');
  const { venue } = openDatabento();
  await venue.candles(GOLD, 5, never);
  const seen = follow(venue, [GOLD]);

  clock.ms = Date.parse('2026-11-22T23:16:10Z');

  await vi.waitFor(() => expect(seen.at(-1)?.candle.time).toBe(Date.parse('2026-11-22T23:05:00Z') / 1000));
});

test("refuses a range past the end of Databento's data with that end", async () => {
  const { restUrl } = opened().addresses.databento;
  const span = 'start=2026-11-18T14:00:00Z&end=2026-11-18T15:00:00Z';
  const query = `dataset=GLBX.MDP3&symbols=GC.v.0&stype_in=continuous&schema=ohlcv-1m&encoding=json&${span}`;

  const answer = await fetch(`${restUrl}/v0/timeseries.get_range?${query}`, {
    headers: { authorization: `Basic ${btoa('sandbox:')}` },
  });

  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    detail: { case: 'data_end_after_available_end', payload: { available_end: '2026-11-18T14:50:00.000000000Z' } },
  });
});
