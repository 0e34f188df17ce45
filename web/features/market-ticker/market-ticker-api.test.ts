import { expect, test, vi } from 'vitest';
import { tables } from '../../platform/supabase.ts';
import { fetchTicker } from './market-ticker-api.ts';

vi.mock('../../platform/supabase.ts', () => ({ tables: vi.fn() }));

const row = (symbol: string, change: object = {}) => ({
  symbol,
  price: 10,
  change_24h: 1,
  pct_24h: 2,
  volume_24h: 3,
  fetched_at: '2026-11-21T12:00:00+00:00',
  ...change,
});

/** A client that records the calls of one select and answers with `answer`. */
function aClient(answer: unknown): [string, unknown[]][] {
  const calls: [string, unknown[]][] = [];
  const step: object = new Proxy(
    {},
    {
      get: (_target, name: string) => {
        if (name === 'then') return undefined;
        return (...args: unknown[]) => {
          calls.push([name, args]);
          return name === 'abortSignal' ? Promise.resolve(answer) : step;
        };
      },
    },
  );
  vi.mocked(tables).mockResolvedValue(step as Awaited<ReturnType<typeof tables>>);
  return calls;
}

const { signal } = new AbortController();

test('asks for the six fields, without wrapped coins, dollars and staked coins, the dearest first', async () => {
  const calls = aClient({ data: [], error: null });

  expect(await fetchTicker(signal)).toEqual({ items: [], updatedAtMs: null });

  expect(calls).toEqual([
    ['from', ['price_snapshots']],
    ['select', ['symbol, price, change_24h, pct_24h, volume_24h, fetched_at']],
    ['not', ['symbol', 'ilike', 'w%']],
    ['not', ['symbol', 'ilike', '%usd%']],
    ['not', ['symbol', 'ilike', '%st%']],
    ['order', ['price', { ascending: false }]],
    ['order', ['fetched_at', { ascending: false }]],
    ['limit', [250]],
    ['retry', [false]],
    ['abortSignal', [expect.any(AbortSignal)]],
  ]);
});

test('each symbol comes once, with the newest moment of them all; what is no row is left out', async () => {
  const rows = [
    row('BTC', { price: 100_000, pct_24h: null, volume_24h: null }),
    row('BTC', { price: 90_000 }),
    row('ETH', { fetched_at: '2026-11-21T12:05:00+00:00' }),
    row('ZERO', { price: 0 }),
    row('NAN', { price: 'NaN' }),
    null,
  ];
  aClient({ data: rows, error: null });

  const { items, updatedAtMs } = await fetchTicker(signal);

  expect(items).toEqual([
    { symbol: 'BTC', price: 100_000, changePercent24h: null, volume24h: null },
    { symbol: 'ETH', price: 10, changePercent24h: 2, volume24h: 3 },
  ]);
  expect(updatedAtMs).toBe(Date.parse('2026-11-21T12:05:00Z'));
});

test.each([
  ['a refusal', { data: null, error: { message: 'permission denied' } }, 'permission denied'],
  ['a refusal without words', { data: null, error: { message: '' } }, 'price_snapshots could not be read'],
])('%s is an error', async (_what, answer, told) => {
  aClient(answer);

  await expect(fetchTicker(signal)).rejects.toThrow(told);
});

test('an answer of another shape is an error', async () => {
  aClient({ data: { rows: [] }, error: null });

  await expect(fetchTicker(signal)).rejects.toThrow();
});

test('no answer in time is an error, also before the client is there', async () => {
  vi.mocked(tables).mockReturnValue(new Promise(() => {}));
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const answer = fetchTicker(signal);

  limit.abort(new DOMException('too late', 'TimeoutError'));

  await expect(answer).rejects.toThrow('too late');
});
