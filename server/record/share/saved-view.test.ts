import { expect, test } from 'vitest';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { forecastEndS } from '#domain/share/forecast-view.ts';
import type { CandlePast, PastSeries } from '../../market/candles/past-candles.ts';
import { type SavedViewDeps, savedView } from './saved-view.ts';
import type { SavedPredictionRow } from './share-store.ts';
import { forecastContent, forecastSubject } from './testing/view-fixtures.ts';

const subject = forecastSubject();
const { history, path, band, lastClose } = forecastContent(subject);
const candles = [...history, ...path];
const waiting = { state: 'waiting', sym: 'BTCUSDT.P', marketKind: 'live', voidReason: null, candles: null } as const;
const row: SavedPredictionRow = {
  label: 'BTC',
  model: 'kat2_4',
  timeframe: '1min',
  savedMs: subject.issuedMs,
  candles,
  band,
  releases: null,
  outcome: waiting,
};
const endMs = forecastEndS(subject) * 1000;
const bitcoin = SYMBOLS.find(({ sym }) => sym === 'BTCUSDT.P') ?? null;

function deps(change: Partial<SavedViewDeps> = {}): SavedViewDeps {
  return {
    past: { recent: async () => null, stored: async () => [] },
    symbols: { savedSymbol: async () => bitcoin },
    marketKind: 'simulated',
    marketNowMs: () => endMs - 1,
    ...change,
  };
}

test('shows the 150 saved candles, the drawn path and the band that its owner saw', async () => {
  const view = await savedView(row, 'token', deps());
  expect(view).toMatchObject({ id: 'token', origin: 'saved', label: 'BTC', model: 'lion', market: 'live', seal: null });
  expect(view?.joinS).toBe(subject.joinS);
  expect(view?.content).toEqual({
    lastClose: history.at(-1)?.close,
    history,
    path,
    band,
    outcome: [],
    bandBars: path.map((_, i) => i + 1),
  });
});

test.each([
  ['of a model that this release does not know', { model: 'kat9' }],
  ['with fewer than 200 candles', { candles: candles.slice(1) }],
])('has no view of a prediction %s', async (_what, change) => {
  expect(await savedView({ ...row, ...change }, 'token', deps())).toBeNull();
});

test('knows the releases that were saved with it, and none of a row that can’t be read', async () => {
  const releases = {
    list: [{ atS: 100, kind: 'jobs', title: 'Jobs', name: 'US jobs' }],
    factor: 1.6,
    isComplete: true,
  };

  expect((await savedView({ ...row, releases }, 'token', deps()))?.content?.releases).toEqual(releases);
  expect((await savedView({ ...row, releases: { list: 3 } }, 'token', deps()))?.content?.releases).toBeUndefined();
});

test('draws no band for a prediction that was saved without one', async () => {
  const view = await savedView({ ...row, band: null }, 'token', deps());
  expect(view?.content).toMatchObject({ bandBars: [], band: { lower80: [], upper80: [], lower95: [], upper95: [] } });
});

test('runs until the last bar of its market closes, and then waits for its outcome', async () => {
  const stateAt = async (nowMs: number | null) =>
    (await savedView(row, 'token', deps({ marketNowMs: () => nowMs })))?.state;
  expect(await stateAt(endMs - 1)).toBe('running');
  expect(await stateAt(endMs)).toBe('waiting');
  expect(await stateAt(null)).toBe('waiting');
});

test('shows the closes since then while it runs, only of the market and the last close that it was made on', async () => {
  const after = path.slice(0, 2).map((candle) => ({ ...candle, close: candle.close + 1 }));
  const own: PastSeries = { marketKind: 'live', venueId: 'a', candles: [...history, ...after] };
  const joining = { time: subject.joinS, open: 1, high: 1, low: 1, close: lastClose + 5 };
  const other: PastSeries = { ...own, venueId: 'b', candles: [joining, ...path.slice(0, 5)] };
  const outcomeOf = async (past: CandlePast) => (await savedView(row, 'token', deps({ past })))?.content?.outcome;
  const closes = after.map(({ close }, i) => ({ bar: i + 1, close }));
  expect(await outcomeOf({ recent: async () => null, stored: async () => [other, own] })).toEqual(closes);
  expect(await outcomeOf({ recent: async () => own, stored: async () => [] })).toEqual(closes);
  expect(await outcomeOf({ recent: async () => ({ ...own, marketKind: 'replayed' }), stored: async () => [] })).toEqual(
    [],
  );
});

test('shows what is stored when its market does not answer', async () => {
  const stored: PastSeries = { marketKind: 'live', venueId: 'a', candles: [...history, ...path.slice(0, 1)] };
  const past = { recent: () => Promise.reject(new Error('away')), stored: async () => [stored] };
  expect((await savedView(row, 'token', deps({ past })))?.content?.outcome).toHaveLength(1);
});

test('shows no further closes while no list of products can be read', async () => {
  const past = { recent: () => Promise.reject(new Error('read')), stored: () => Promise.reject(new Error('read')) };
  const symbols = { savedSymbol: () => Promise.reject(new Error('away')) };
  const view = await savedView(row, 'token', deps({ past, symbols }));
  expect(view).toMatchObject({ decimals: bitcoin?.decimals, state: 'running', content: { outcome: [] } });
});

test('shows the 50 closes of a known outcome as they were stored', async () => {
  const outcome = { ...waiting, state: 'known', candles: JSON.stringify(path) } as const;
  const view = await savedView({ ...row, outcome }, 'token', deps());
  expect(view).toMatchObject({ state: 'known', decimals: bitcoin?.decimals });
  expect(view?.content?.outcome).toEqual(path.map(({ close }, i) => ({ bar: i + 1, close })));
});

test.each([
  ['market-closed', 'Not scored: the market closed before the forecast ended.'],
  ['toString', 'Not scored: its saved candles are unreadable.'],
  [null, 'Not scored: its saved candles are unreadable.'],
])('says why a prediction with the reason %s has no outcome', async (voidReason, reason) => {
  const view = await savedView({ ...row, outcome: { ...waiting, state: 'void', voidReason } }, 'token', deps());
  expect(view).toMatchObject({ state: 'void', reason });
});

test("takes this server's market and the decimals of its label, where no outcome was ever stored", async () => {
  const symbols = { savedSymbol: () => Promise.reject(new Error('read')) };
  const view = await savedView({ ...row, outcome: null }, null, deps({ symbols }));
  expect(view).toMatchObject({
    id: null,
    state: 'void',
    reason: 'No outcome is stored for this prediction.',
    market: 'simulated',
    decimals: bitcoin?.decimals,
  });
});

test('shows as many decimals of a market beside the ten as its candles have', async () => {
  const scaled = candles.map(({ time }, i) => {
    const price = Number((0.00001 + i * 1e-8).toFixed(8));
    return { time, open: price, high: price, low: price, close: price };
  });
  const symbols = { savedSymbol: () => Promise.reject(new Error('read')) };
  const view = await savedView({ ...row, label: 'PEPE/USDT', candles: scaled }, null, deps({ symbols }));
  expect(view).toMatchObject({ label: 'PEPE/USDT', decimals: 8 });
});
