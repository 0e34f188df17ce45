import { afterEach, expect, test, vi } from 'vitest';
import { fetchBars } from './price-charts-api.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const row = (timeS: number, close: string) => [timeS, '10', '30', '5', close, '12', '1.5', 7];
const answer = (rows: unknown[], headers: Record<string, string> = {}) =>
  Response.json({ error: [], result: { XXBTZUSD: rows, last: 1 } }, { headers });

function answering(response: Response | Error) {
  const fetching = vi.fn(async () => {
    if (response instanceof Error) throw response;
    return response;
  });
  vi.stubGlobal('fetch', fetching);
  return fetching;
}

const fetchWeeks = () => fetchBars('XBTUSD', 10_080, new AbortController().signal);

test('requests our own address with the exchange’s names and reads closes with their age and source', async () => {
  const headers = {
    'x-fetched-at': '2026-11-21T12:00:00.000Z',
    'x-market-stale': 'true',
    'x-market-kind': 'live',
    'x-market-attribution': 'Kraken',
  };
  const fetching = answering(answer([row(200, '12.5'), row(100, '11')], headers));

  const bars = await fetchWeeks();

  expect(fetching).toHaveBeenCalledWith('/0/public/OHLC?pair=XBTUSD&interval=10080', expect.anything());
  expect(bars).toEqual({
    closes: [
      { timeS: 100, value: 11 },
      { timeS: 200, value: 12.5 },
    ],
    fetchedAtMs: Date.parse('2026-11-21T12:00:00Z'),
    isStale: true,
    attribution: 'Kraken',
    kind: 'live',
  });
});

test('drops invalid bars', async () => {
  answering(answer([row(100, '11'), row(200, 'NaN'), row(300, '-4'), 'x', [], null, row(400, '99')]));

  expect((await fetchWeeks()).closes).toEqual([{ timeS: 100, value: 11 }]);
});

test('returns an empty chart for a pair without a bar', async () => {
  answering(answer([]));

  const bars = await fetchWeeks();

  expect(bars.closes).toEqual([]);
  expect([bars.fetchedAtMs, bars.attribution, bars.kind, bars.isStale]).toEqual([null, null, null, false]);
});

test.each([
  [
    'what the exchange refused',
    Response.json({ error: ['EQuery:Unknown asset pair'], result: {} }),
    'EQuery:Unknown asset pair',
  ],
  [
    'several refusals',
    Response.json({ error: ['EService:Busy', 'EService:Unavailable'] }),
    'EService:Busy, EService:Unavailable',
  ],
  ['a proxy’s own page', new Response('<html>502</html>', { status: 502 }), 'HTTP 502'],
  ['HTML instead of JSON', new Response('<html></html>'), 'we couldn’t read the response'],
  ['another shape', Response.json({ rows: [] }), 'we couldn’t read the response'],
  ['rows without one good bar', answer([row(100, 'NaN')]), 'we couldn’t read the response'],
  ['a server out of reach', new TypeError('Failed to fetch'), 'we couldn’t reach the server'],
])('explains %s', async (_what, response, message) => {
  answering(response);

  await expect(fetchWeeks()).rejects.toThrow(message);
});

test('explains a missing answer', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));

  await expect(fetchWeeks()).rejects.toThrow('the server didn’t respond in time');
});
