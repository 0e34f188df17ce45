/** What is peculiar to the venues of shares and futures: keys, one connection a key, hours, delays, asking once a minute. */
import { afterEach, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import type { CandleUpdate, Venue } from '../../server/market/venue.ts';
import type { VenueOptions } from '../../server/market/venue-options.ts';
import { alpacaVenue } from '../../server/market/venues/alpaca.ts';
import { databentoVenue } from '../../server/market/venues/databento.ts';
import { yahooVenues } from '../../server/market/venues/yahoo.ts';
import { createLogger } from '../../server/platform/log.ts';
import { movableClock } from '../support/market-stack.ts';
import { openedForTests } from '../support/opened-for-tests.ts';

const [, , , , MSFT, , , GOLD, DXY, OIL] = SYMBOLS;
/** A Wednesday, half an hour into New York's session. */
const START = '2026-11-18T15:00:05Z';
const MINUTE_MS = 60_000;
const never = new AbortController().signal;

const clock = movableClock(START);
const opened = openedForTests(() =>
  startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'shares', startMs: null, lagS: 600 }),
);
const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
  opened().faults.clear();
  clock.ms = Date.parse(START);
});

interface Asked {
  calls: URL[];
  headers: Headers[];
  parts: Pick<VenueOptions, 'clock' | 'log' | 'symbols' | 'fetch' | 'socketTiming'>;
}

function asked(): Asked {
  const calls: URL[] = [];
  const headers: Headers[] = [];
  return {
    calls,
    headers,
    parts: {
      clock,
      log: createLogger('silent'),
      symbols: SYMBOLS,
      socketTiming: { retryMs: () => 20 },
      fetch(input, init) {
        calls.push(new URL(String(input)));
        headers.push(new Headers(init?.headers));
        return fetch(input, init);
      },
    },
  };
}

function openAlpaca(keys = { keyId: 'sandbox', secretKey: 'sandbox' }, answer?: unknown) {
  const { calls, parts } = asked();
  const stub: typeof fetch = async () => Response.json(answer);
  const fetching = answer === undefined ? {} : { fetch: stub };
  return { venue: alpacaVenue({ ...parts, ...opened().addresses.alpaca, keys, ...fetching }), calls };
}

function openDatabento(key = 'sandbox') {
  const { calls, parts } = asked();
  return { venue: databentoVenue({ ...parts, ...opened().addresses.databento, key, checkMs: 20 }), calls };
}

function openYahoo() {
  const { calls, headers, parts } = asked();
  const [shares, futures] = yahooVenues({ ...parts, ...opened().addresses.yahoo, checkMs: 20 });
  return { shares, futures, calls, headers };
}

function follow(venue: Venue, symbols: readonly MarketSymbol[]): CandleUpdate[] {
  const seen: CandleUpdate[] = [];
  const stop = new AbortController();
  stops.push(stop);
  void (async () => {
    for await (const update of venue.updates(symbols, stop.signal)) seen.push(update);
  })();
  return seen;
}

test.each([
  ['Alpaca', () => openAlpaca({ keyId: 'sandbox', secretKey: 'wrong' }), MSFT, 403],
  ['Databento', () => openDatabento('wrong'), GOLD, 401],
] as const)('a wrong key of %s is refused, and not sent again for a while', async (_name, open, symbol, status) => {
  const { venue, calls } = open();

  await expect(venue.candles(symbol, 5, never)).rejects.toMatchObject({
    code: 'venue/unavailable',
    details: { reason: `status ${status}`, retryAfterS: 600 },
  });
  await expect(venue.candles(symbol, 5, never)).rejects.toMatchObject({ code: 'venue/unavailable' });

  expect(calls).toHaveLength(1);
});

test('keys travel in headers alone', async () => {
  const { venue, calls } = openAlpaca();
  const other = openDatabento();

  await venue.candles(MSFT, 5, never);
  await other.venue.candles(GOLD, 5, never);

  const urls = [...calls, ...other.calls].map(String);
  expect(urls.filter((url) => url.includes('sandbox'))).toEqual([]);
});

test('bars before and after the exchange’s hours are left out without being called malformed', async () => {
  const bar = (iso: string) => ({ t: iso, o: 1, h: 2, l: 1, c: 2, v: 3, n: 1, vw: 1 });
  const times = ['2026-11-17T21:00:00Z', '2026-11-17T20:59:00Z', '2026-11-18T14:29:00Z', '2026-11-18T14:30:00Z'];
  const { venue } = openAlpaca(undefined, { bars: { MSFT: times.map(bar) }, next_page_token: null });

  const candles = await venue.candles(MSFT, 450, never);

  expect(candles.map((c) => new Date(c.time * 1000).toISOString().slice(0, 16))).toEqual([
    '2026-11-17T20:59',
    '2026-11-18T14:30',
  ]);
  expect(venue.malformed).toBe(0);
});

test('a bar that Alpaca tells on a holiday of our table is believed', async () => {
  const bar = { t: '2026-11-26T15:00:00Z', o: 1, h: 2, l: 1, c: 2, v: 3, n: 1, vw: 1 };
  clock.ms = Date.parse('2026-11-27T15:00:00Z');
  const { venue } = openAlpaca(undefined, { bars: { MSFT: [bar] }, next_page_token: null });

  expect(await venue.candles(MSFT, 600, never)).toHaveLength(1);
});

test('while the key is connected elsewhere nothing is streamed; once that has gone, bars come', async () => {
  const other = await authenticated();
  const { venue } = openAlpaca();
  const seen = follow(venue, [MSFT]);
  await turnMinutes(3);
  expect(seen).toEqual([]);
  other.close();

  const free = openAlpaca().venue;
  const freed = follow(free, [MSFT]);

  await vi.waitFor(
    async () => {
      await turnMinutes(1);
      expect(freed.length).toBeGreaterThan(0);
    },
    { timeout: 8000 },
  );
  expect(freed.every((update) => update.isClosed)).toBe(true);
});

test.each([
  ['{"action":"subscribe","bars":["MSFT"]}', 401],
  ['{"action":"auth","key":"x","secret":"y"}', 402],
  ['nonsense', 400],
])('the sandbox says to %s what Alpaca says: %d', async (text, code) => {
  const socket = await socketOf();

  socket.send(text);

  expect(await nextFrame(socket)).toMatchObject([{ T: 'error', code }]);
  socket.terminate();
});

test('Databento’s delay is what the service says, and its clock lies back by it', async () => {
  const { venue } = openDatabento();
  expect(venue.delayS).toBe(900);

  const [candle] = (await venue.candles(GOLD, 1, never)).slice(-1);

  expect(venue.delayS).toBe(660);
  expect(clock.ms - venue.nowMs()).toBe(605_000);
  expect((candle?.time ?? 0) * 1000).toBe(Date.parse('2026-11-18T14:49:00Z'));
});

test('a service that lacks only the minute that runs is not late', async () => {
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'shares', startMs: null });
  const { parts } = asked();
  const venue = databentoVenue({ ...parts, ...sandbox.addresses.databento, key: 'sandbox' });

  const [candle] = (await venue.candles(GOLD, 1, never)).slice(-1);
  await sandbox.close();

  expect(venue.delayS).toBe(0);
  expect((candle?.time ?? 0) * 1000).toBe(Date.parse('2026-11-18T14:59:00Z'));
});

test('the slower of two datasets decides for both', async () => {
  const { parts } = asked();
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
])('data that ended on Friday are not late for the weekend: %s', async (_when, now, delayS) => {
  const { parts } = asked();
  const end = '2026-11-21T00:00:00.000000000Z';
  const stuck: typeof fetch = async (input, init) =>
    String(input).includes('get_dataset_range') ? Response.json({ end }) : fetch(input, init);
  const venue = databentoVenue({ ...parts, ...opened().addresses.databento, key: 'sandbox', fetch: stuck });
  clock.ms = Date.parse(now);

  const candles = await venue.candles(GOLD, 5, never);

  expect(candles.at(-1)?.time).toBe(Date.parse('2026-11-20T21:59:00Z') / 1000);
  expect(venue.delayS).toBe(delayS);
});

test('on Sunday evening Databento’s first candles are found without anybody asking', async () => {
  clock.ms = Date.parse('2026-11-22T22:30:00Z');
  const { venue } = openDatabento();
  await venue.candles(GOLD, 5, never);
  const seen = follow(venue, [GOLD]);

  clock.ms = Date.parse('2026-11-22T23:16:10Z');

  await vi.waitFor(() => expect(seen.at(-1)?.candle.time).toBe(Date.parse('2026-11-22T23:05:00Z') / 1000));
});

test('a range past the end of Databento’s data is refused with its end, as the service does', async () => {
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

test('Yahoo’s futures are told late, its shares are not; it hears our own name and gets no cookie', async () => {
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

test('429 of Yahoo holds shares and futures back alike, for a minute', async () => {
  const { shares, futures, calls } = openYahoo();
  opened().faults.add({ part: 'rest', dialect: 'yahoo', what: 'status', status: 429, count: 1 });

  await expect(shares.candles(MSFT, 5, never)).rejects.toMatchObject({ details: { retryAfterS: 60 } });
  await expect(futures.candles(OIL, 5, never)).rejects.toMatchObject({ code: 'venue/unavailable' });

  expect(calls).toHaveLength(1);
});

test.each([
  ['Databento', () => openDatabento()],
  ['Yahoo', () => ({ ...openYahoo(), venue: openYahoo().futures })],
] as const)(
  '%s is asked once a minute for what somebody looks at, and tells each closed candle once',
  async (_n, open) => {
    const { venue } = open();
    await venue.candles(GOLD, 5, never);
    const expected = (): number => Math.floor(venue.nowMs() / MINUTE_MS) * 60 - 60;

    const seen = follow(venue, [GOLD, OIL, DXY]);
    for (let minute = 0; minute < 3; minute++) {
      // Past the seconds that a minute's candle may take to come.
      clock.ms += MINUTE_MS + 4000;
      await vi.waitFor(() => expect(seen.at(-1)?.candle.time).toBe(expected()), { timeout: 5000, interval: 20 });
    }

    const times = seen.map((update) => update.candle.time);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(seen.every((update) => update.symbol === GOLD && update.isClosed)).toBe(true);
  },
);

test('a minute costs one question, none where a reader has asked it, and an outage is caught up with', async () => {
  const { futures, calls } = openYahoo();
  await futures.candles(OIL, 5, never);
  const seen = follow(futures, [OIL]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(calls).toHaveLength(1);
  clock.ms += MINUTE_MS;
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0));
  const before = calls.length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(calls).toHaveLength(before);
  opened().faults.add({ part: 'rest', dialect: 'yahoo', what: 'status', status: 500, count: 1 });

  clock.ms += MINUTE_MS;
  await vi.waitFor(() => expect(calls).toHaveLength(before + 1));
  clock.ms += MINUTE_MS;
  await vi.waitFor(() => expect(seen.at(-1)?.candle.time).toBe(Date.parse('2026-11-18T14:47:00Z') / 1000));

  const steps = seen.slice(1).map((update, i) => update.candle.time - (seen[i]?.candle.time ?? 0));
  expect(new Set(steps)).toEqual(new Set([60]));
});

async function turnMinutes(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    clock.ms += MINUTE_MS;
    await new Promise((resolve) => setTimeout(resolve, 220));
  }
}

async function socketOf(): Promise<WebSocket> {
  const socket = new WebSocket(`${opened().addresses.alpaca.wsUrl}/v2/iex`);
  expect(await nextFrame(socket)).toEqual([{ T: 'success', msg: 'connected' }]);
  return socket;
}

async function authenticated(): Promise<WebSocket> {
  const socket = await socketOf();
  socket.send(JSON.stringify({ action: 'auth', key: 'sandbox', secret: 'sandbox' }));
  expect(await nextFrame(socket)).toEqual([{ T: 'success', msg: 'authenticated' }]);
  return socket;
}

function nextFrame(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.once('message', (data) => resolve(JSON.parse(String(data))));
    socket.once('error', reject);
  });
}
