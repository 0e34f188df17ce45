import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchLatest } from './latest-forecast-api.ts';
import { aForecast } from './testing/latest-forecast-fixtures.ts';

const never = new AbortController().signal;
const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(fetchMock);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  fetchMock.mockReset();
  vi.restoreAllMocks();
});

const answer = (body: unknown, init: ResponseInit = {}) => fetchMock.mockResolvedValue(Response.json(body, init));

test('requests Bitcoin’s forecast by its tag, and checks the answer', async () => {
  answer(aForecast());

  const { latest } = await fetchLatest(never);

  expect(latest).toEqual(aForecast());
  expect(fetchMock.mock.calls[0]?.[0]).toBe('/forecast/latest?sym=BTCUSDT.P');
  expect(fetchMock.mock.calls[0]?.[1]).toMatchObject({ cache: 'no-cache' });
});

test.each([
  ['public, max-age=47', null, 49_000],
  ['public, max-age=47', '40', 9000],
  ['public, max-age=60', '900', 7000],
  ['public, max-age=1', null, 7000],
  ['no-store', null, 7000],
  ['public, max-age=47', 'nonsense', 49_000],
])(
  'requests the next one for an answer good for %s, held for %s s on its way, after %d ms',
  async (caching, age, ms) => {
    answer(aForecast(), { headers: { 'cache-control': caching, ...(age !== null && { age }) } });

    expect((await fetchLatest(never)).refreshInMs).toBe(ms);
  },
);

const [candle] = aForecast().history;

test.each<[string, unknown]>([
  ['nothing', null],
  ['a list', []],
  ['no candle', { ...aForecast(), history: [] }],
  ['candles that go back in time', { ...aForecast(), history: aForecast().history.toReversed() }],
  ['a path that does not follow', { ...aForecast(), t0: aForecast().t0 + 60 }],
  ['a path over its history', { ...aForecast(), path: aForecast().history.slice(0, 50) }],
  ['a price that is text', { ...aForecast(), lastClose: '100' }],
  ['a price below nothing', { ...aForecast(), lastClose: -1 }],
  ['a high below its low', { ...aForecast(), history: [{ ...candle, time: aForecast().t0, high: 1, low: 2 }] }],
  ['a band of another length', { ...aForecast(), band: { ...aForecast().band, lower80: [1] } }],
  ['a thousand candles', { ...aForecast(), history: Array.from({ length: 1000 }, () => candle) }],
  ['an unknown model', { ...aForecast(), model: '__proto__' }],
])('rejects %s as a forecast', async (_what, body) => {
  answer(body);

  await expect(fetchLatest(never)).rejects.toThrow('We couldn’t read the response.');
});

test('draws fewer candles than there should be', async () => {
  const { path, band, ...rest } = aForecast();
  const none = { lower80: [], upper80: [], lower95: [], upper95: [] };
  answer({ ...rest, path: [], band: none });

  expect((await fetchLatest(never)).latest.path).toEqual([]);
  expect([path.length, band.lower80.length]).toEqual([50, 50]);
});

test.each([
  [
    { error: 'Market data is not available right now.', code: 'venue/unavailable' },
    'Market data is not available right now.',
  ],
  [
    { error: 'We couldn’t make the forecast. Nothing was charged.', code: 'forecast/failed' },
    'The model couldn’t make this minute’s forecast.',
  ],
  [{ error: 'x'.repeat(10_000), code: 'internal' }, 'We couldn’t read the response.'],
  ['<h1>502</h1>', 'We couldn’t read the response.'],
])('shows the text of a refusal', async (body, message) => {
  answer(body, { status: 503 });

  await expect(fetchLatest(never)).rejects.toThrow(message);
});

test('rejects a page instead of data, and no answer at all', async () => {
  fetchMock.mockResolvedValueOnce(new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }));
  await expect(fetchLatest(never)).rejects.toThrow('We couldn’t read the response.');

  fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(fetchLatest(never)).rejects.toThrow('We couldn’t reach the server.');
});
