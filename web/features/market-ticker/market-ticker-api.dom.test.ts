import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { fetchTicker } from './market-ticker-api.ts';

const row = (symbol: string, change: object = {}) => ({
  symbol,
  price: 10,
  change_24h: 1,
  pct_24h: 2,
  volume_24h: 3,
  fetched_at: '2026-11-21T12:00:00+00:00',
  ...change,
});

const PATH = '/rest/v1/price_snapshots';
let backend: FakeBackend;
const answer = (body: unknown, status = 200) => backend.on(`GET ${PATH}`, () => json(body, status));

beforeEach(() => {
  backend = fakeBackend();
});

const { signal } = new AbortController();

test('requests the six fields, without wrapped coins, dollars and staked coins, the dearest first', async () => {
  answer([]);

  expect(await fetchTicker(signal)).toEqual({ items: [], updatedAtMs: null });

  expect(backend.to(PATH).map(({ search }) => [...new URLSearchParams(search)])).toEqual([
    [
      ['select', 'symbol,price,change_24h,pct_24h,volume_24h,fetched_at'],
      ['symbol', 'not.ilike.w%'],
      ['symbol', 'not.ilike.%usd%'],
      ['symbol', 'not.ilike.%st%'],
      ['order', 'price.desc,fetched_at.desc'],
      ['limit', '250'],
    ],
  ]);
});

test('returns each symbol once, with the newest moment of them all, and drops invalid rows', async () => {
  const rows = [
    row('BTC', { price: 100_000, pct_24h: null, volume_24h: null }),
    row('BTC', { price: 90_000 }),
    row('ETH', { fetched_at: '2026-11-21T12:05:00+00:00' }),
    row('ZERO', { price: 0 }),
    row('NAN', { price: 'NaN' }),
    null,
  ];
  answer(rows);

  const { items, updatedAtMs } = await fetchTicker(signal);

  expect(items).toEqual([
    { symbol: 'BTC', price: 100_000, changePercent24h: null, volume24h: null },
    { symbol: 'ETH', price: 10, changePercent24h: 2, volume24h: 3 },
  ]);
  expect(updatedAtMs).toBe(Date.parse('2026-11-21T12:05:00Z'));
});

test('leaves the next try to the page when the store is unavailable', async () => {
  answer({ message: 'starting up' }, 503);

  await expect(fetchTicker(signal)).rejects.toThrow('starting up');
  expect(backend.to(PATH)).toHaveLength(1);
});

test.each([
  ['the client is there', '/config.json'],
  ['the store answers', PATH],
])('throws without an answer in time before %s', async (_what, path) => {
  backend.on(`GET ${path}`, () => new Promise(() => {}));
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const pending = expect(fetchTicker(signal)).rejects.toThrow('too late');
  await waitFor(() => expect(backend.to(path)).toHaveLength(1));

  limit.abort(new DOMException('too late', 'TimeoutError'));

  await pending;
  // The request itself is ended too.
  expect(backend.to(path)[0]?.signal?.aborted).toBe(true);
});
