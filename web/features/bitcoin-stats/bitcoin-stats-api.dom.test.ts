import { beforeEach, expect, test } from 'vitest';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { fetchBitcoin } from './bitcoin-stats-api.ts';

const PATH = '/rest/v1/price_snapshots';
const ROW = {
  price: 100_531.9,
  change_24h: -973.4,
  pct_24h: -0.96,
  volume_24h: 9.9e10,
  fetched_at: '2026-11-22T12:00:00+00:00',
  market_kind: 'simulated',
};
const never = new AbortController().signal;
let backend: FakeBackend;

beforeEach(() => {
  backend = fakeBackend();
});

test('requests the newest row of Bitcoin alone', async () => {
  backend.on(`GET ${PATH}`, () => json([ROW]));

  expect(await fetchBitcoin(never)).toEqual({
    price: 100_531.9,
    change24h: -973.4,
    percent24h: -0.96,
    volume24h: 9.9e10,
    fetchedAtMs: Date.parse('2026-11-22T12:00:00Z'),
    kind: 'simulated',
  });
  const query = new URLSearchParams(backend.to(PATH)[0]?.search);
  expect(Object.fromEntries(query)).toMatchObject({ symbol: 'eq.BTC', order: 'fetched_at.desc', limit: '1' });
});

test('says that there is no row', async () => {
  backend.on(`GET ${PATH}`, () => json([]));

  await expect(fetchBitcoin(never)).rejects.toThrow('No BTC snapshot');
});

test('shows the store’s own message', async () => {
  const body = { code: '42501', message: 'permission denied for table price_snapshots', details: null, hint: null };
  backend.on(`GET ${PATH}`, () => json(body, 403));

  await expect(fetchBitcoin(never)).rejects.toThrow('permission denied for table price_snapshots');
});

test.each([
  ['a page instead of data', () => new Response(`<!doctype html>${'x'.repeat(10_000)}`, { status: 502 })],
  ['a page that calls itself fine', () => new Response('<!doctype html>', { status: 200 })],
  ['a message of ten thousand letters', () => json({ code: 'X', message: 'x'.repeat(10_000) }, 400)],
  ['a row without a price', () => json([{ ...ROW, price: null }])],
  ['a price below nothing', () => json([{ ...ROW, price: -1 }])],
  ['an invalid time', () => json([{ ...ROW, fetched_at: 'soon' }])],
  ['no list', () => json({ rows: [] })],
])('fails with the agreed text for %s', async (_what, answer) => {
  backend.on(`GET ${PATH}`, answer);

  await expect(fetchBitcoin(never)).rejects.toThrow('Failed to load BTC stats');
});

test.each([
  ['no answer at all', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a server that is busy', () => new Response('', { status: 503 })],
])(
  'fails immediately with the same text for %s, not with the browser’s, and leaves retries to the caller',
  async (_what, answer) => {
    backend.on(`GET ${PATH}`, answer);

    await expect(fetchBitcoin(never)).rejects.toThrow('Failed to load BTC stats');

    expect(backend.to(PATH)).toHaveLength(1);
  },
);
