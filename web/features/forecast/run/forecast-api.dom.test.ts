import { beforeEach, expect, test } from 'vitest';
import { toColumns } from '#domain/market/candle.ts';
import { type FakeBackend, fakeBackend, json } from '../../../platform/testing/fake-backend.ts';
import { signedIn } from '../../../session/testing/signed-in.ts';
import { aCandle, aMarket, anUnsaved, aStart, candlesUntil, T0 } from '../testing/forecast-fixtures.ts';
import { fetchHistory } from './fetch-history.ts';
import { fetchStoredForecast, fetchUnsaved, readForecastEvent, savePrediction } from './forecast-api.ts';

const SAVE = '/functions/v1/create-prediction';
const signal = new AbortController().signal;
let backend: FakeBackend;

beforeEach(async () => {
  backend = fakeBackend();
  await signedIn();
});

/** A bearer token as sessions have them. */
const BEARER = /^Bearer ey[\w-]+\.[\w-]+\.[\w-]+$/;

test('requests history as specified, with the bearer token', async () => {
  backend.on('GET /history', () => json(toColumns(candlesUntil(T0, 450))));

  const { candles } = await fetchHistory(aMarket(), signal);

  expect(candles).toHaveLength(450);
  const [request] = backend.to('/history');
  expect(request?.search).toBe('?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100');
  expect(request?.headers.get('authorization')).toMatch(BEARER);
});

test('requests history of other candles than minutes, which close later', async () => {
  const headers = { 'x-market-as-of': String(T0) };
  backend.on('GET /history', () => Response.json(toColumns(candlesUntil(T0, 450, 300)), { headers }));

  const { source } = await fetchHistory(aMarket('BTC', '5min'), signal);

  expect(backend.to('/history')[0]?.search).toBe('?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100&tf=5min');
  expect(source.closedAtMs).toBe((T0 + 300) * 1000);
});

test.each<[string, Record<string, string>, string | null, boolean]>([
  ['a closed market that is simulated', { 'x-market-kind': 'simulated', 'x-market-open': 'false' }, 'simulated', false],
  ['an open market', { 'x-market-kind': 'live', 'x-market-open': 'true' }, 'live', true],
  ['unknown values', { 'x-market-kind': 'guessed', 'x-market-open': '?' }, null, true],
  ['nothing', {}, null, true],
])('reads the market of a history from the server: %s', async (_what, headers, marketKind, isMarketOpen) => {
  const body = toColumns(candlesUntil(T0, 150));
  backend.on('GET /history', () => Response.json(body, { headers }));

  expect(await fetchHistory(aMarket(), signal)).toMatchObject({ marketKind, isMarketOpen });
});

test.each([
  ['an error', { error: 'No.' }, 503],
  ['arrays of different lengths', { ...toColumns(candlesUntil(T0, 3)), close: [1] }, 200],
  ['candles out of order', toColumns(candlesUntil(T0, 3).toReversed()), 200],
  ['a candle whose low is above its close', toColumns([{ ...aCandle(T0), low: 101.5 }]), 200],
  ['nothing', toColumns([]), 200],
])('draws no history with %s', async (_what, body, status) => {
  backend.on('GET /history', () => json(body, status));

  await expect(fetchHistory(aMarket(), signal)).rejects.toThrow();
});

test('returns null for a deleted forecast, and throws on a refusal', async () => {
  const stored = 'GET /forecast/reservations/r1';
  backend.on(stored, () => json({ error: 'Gone.', code: 'forecast/unknown-reservation' }, 404));
  expect(await fetchStoredForecast('r1', signal)).toBeNull();

  backend.on(stored, () => json({ error: 'Signed out.', code: 'auth/bad-token' }, 401));
  await expect(fetchStoredForecast('r1', signal)).rejects.toThrow('401');
});

test('requests with the token what can still be saved, and throws when the answer cannot be read', async () => {
  const unsaved = 'GET /forecast/reservations';
  backend.on(unsaved, () => json({ reservations: [anUnsaved()] }));
  expect(await fetchUnsaved(signal)).toEqual([anUnsaved()]);
  expect(backend.to('/forecast/reservations')[0]?.headers.get('authorization')).toMatch(BEARER);

  backend.on(unsaved, () => json({ error: 'Away.' }, 503));
  await expect(fetchUnsaved(signal)).rejects.toThrow('503');
  backend.on(unsaved, () => json({ reservations: [{ id: 'r1' }] }));
  await expect(fetchUnsaved(signal)).rejects.toThrow();
});

const event = (data: unknown, name = 'message') => ({
  id: 'r1:1',
  event: name,
  data: typeof data === 'string' ? data : JSON.stringify(data),
});

test('parses stream messages as a start, candles or an error', () => {
  expect(readForecastEvent(event(aStart(), 'start'))).toMatchObject({ type: 'start', start: { t0: T0 } });
  expect(readForecastEvent(event(aCandle(T0)))).toEqual({ type: 'candle', id: 'r1:1', candle: aCandle(T0) });
  expect(readForecastEvent(event({ error: 'Stopped.' }))).toEqual({ type: 'error', message: 'Stopped.', code: null });
});

test.each(['{"time":', 'null', { time: 1, open: 1, high: 1, low: 1, close: 1 }, { ...aCandle(T0), high: 1 }])(
  'rejects the message %j as bad JSON',
  (data) => {
    expect(() => readForecastEvent(event(data))).toThrowError(expect.objectContaining({ code: 'stream/bad-json' }));
  },
);

test('saves the backend name, the label and the timeframe, and throws on a refusal', async () => {
  backend.fn('create-prediction', () => json({ ok: true }));
  expect(await savePrediction({ ...aMarket(), model: 'lion' }, [aCandle(T0)])).toBeNull();
  expect(backend.to(SAVE).map(({ body }) => body)).toEqual([
    { model: 'kat2_4', cryptocurrency: 'BTC', timeframe: '1min', data: [aCandle(T0)] },
  ]);
  await savePrediction({ ...aMarket('ETH', '15min'), model: 'bobcat' }, []);
  expect(backend.to(SAVE).at(-1)?.body).toMatchObject({ cryptocurrency: 'ETH', timeframe: '15min' });

  backend.fn('create-prediction', () => json({ ok: false, reason: 'No predictions left today.' }));
  await expect(savePrediction({ ...aMarket(), model: 'lion' }, [])).rejects.toThrow('No predictions left today.');
  backend.fn('create-prediction', () => json({ ok: false, reason: 'quota/daily-spent', message: 'None left.' }));
  await expect(savePrediction({ ...aMarket(), model: 'lion' }, [])).rejects.toThrow('None left.');
});
