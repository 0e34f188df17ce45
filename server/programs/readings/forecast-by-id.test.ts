import { expect, test } from 'vitest';
import type { SavedPrediction } from '#domain/forecast/prediction-export.ts';
import type { JudgedScore } from '#domain/record/figures/block-sums.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import type { Database } from '../../platform/database/database.ts';
import { forecastContent, forecastSubject } from '../../record/share/testing/view-fixtures.ts';
import { aBaselineTable, makeRecords, outcomeOf } from '../../record/testing/record-fixtures.ts';
import { everythingRevealed } from '../../record/testing/reveal-fixtures.ts';
import { forecastById, fromSaved } from './forecast-by-id.ts';

const owner = { userId: 'ada', isRaised: false };
const records = makeRecords({ syms: ['BTCUSDT.P'], models: ['lion'] });
const [body] = records.bodies;
const [text, hash = ''] = [records.texts[0], records.hashes[0]];
if (body === undefined) throw new Error('no record');
const outcome = outcomeOf(records, body);
const nothingRevealed = () => ({ endS: 0, issuedEndMs: 0 });

/** A database with this one row, whatever it is looked up by. */
function databaseOf(...rows: object[]) {
  const queried: (readonly unknown[])[] = [];
  const query = async (_caller: unknown, _text: string, params: readonly unknown[]) => {
    queried.push(params);
    return rows;
  };
  return { queried, database: { query } as Partial<Database> as Database };
}

const recordRow = (score: JudgedScore) =>
  score !== null && 'void' in score
    ? { body: text, hash, score: null, reason: score.void }
    : { body: text, hash, score, reason: null };
const read = (score: JudgedScore, { reveal = everythingRevealed, id = '1' } = {}) =>
  forecastById({ database: databaseOf(recordRow(score)).database, reveal }, owner, id);

test('gives of a sealed record only what the site publishes at issue', async () => {
  expect(await read(null, { reveal: nothingRevealed })).toEqual({
    id: '1',
    owner: 'house',
    symbol: 'BTCUSDT.P',
    model: 'lion',
    modelVersion: body.version,
    timeframe: '1min',
    market: body.market,
    state: 'sealed',
    voidReason: null,
    hash,
    lastClose: null,
    bands: [],
    outcome: [],
    issuedAt: `${new Date(body.issued).toISOString().slice(0, 19)}Z`,
    opensAt: '2025-11-12T15:50:00Z',
  });
});

test('gives a revealed record its bands at the scored candles, evenly around the last close', async () => {
  const found = await read(null);
  const lastClose = Number(body.close);
  expect(found).toMatchObject({ state: 'waiting', lastClose, outcome: [] });
  expect(found.bands.map(({ bar }) => bar)).toEqual([1, 5, 15, 30, 50]);
  expect(found.bands[4]?.closesAt).toBe('2025-11-12T15:50:00Z');
  const decimals = body.close.split('.')[1]?.length ?? 0;
  for (const { lower80, upper80, lower95, upper95 } of found.bands) {
    expect(lower80 * upper80).toBeCloseTo(lastClose ** 2, -6);
    expect(lower95).toBeLessThan(lower80);
    expect(upper95).toBeGreaterThan(upper80);
    expect(Number(upper80.toFixed(decimals + 1))).toBe(upper80);
  }
  // One decimal more than the venue's prices have, so that no edge is taken for a price.
  expect(found.bands.some(({ upper80 }) => Number(upper80.toFixed(decimals)) !== upper80)).toBe(true);
});

test('gives a scored record its closes, and whether the bands held', async () => {
  const score = scoreRecord(body, outcome, aBaselineTable(body.baseline));
  const found = await read(score);
  expect(found).toMatchObject({ state: 'known', voidReason: null });
  for (const [i, { bar, close, isInside80, isInside95 }] of found.outcome.entries()) {
    expect(close).toBeCloseTo(outcome[bar - 1]?.close ?? 0, 1);
    expect([isInside80, isInside95]).toEqual([score.inside.shown80[i], score.inside.shown95[i]]);
  }
  expect(found.outcome).toHaveLength(5);
});

test('says why a record was not scored', async () => {
  expect(await read({ void: 'venue-changed' })).toMatchObject({
    state: 'void',
    voidReason: 'venue-changed',
    outcome: [],
  });
});

test('finds a record by a link only with the start of its hash', async () => {
  const notFound = { code: 'request/not-found', details: { parameter: 'id' } };
  expect(await read(null, { id: `1-${hash.slice(0, 12)}` })).toMatchObject({ id: '1', hash });
  await expect(read(null, { id: `1-${hash.slice(1, 13)}` })).rejects.toMatchObject(notFound);
  const empty = { database: databaseOf().database, reveal: everythingRevealed };
  await expect(forecastById(empty, owner, '1')).rejects.toMatchObject(notFound);
});

const ID = '0b8f6c0e-7d55-4b3c-9a64-3f6f8d8a2c11';
const { history, path, band } = forecastContent(forecastSubject());
const row: SavedPrediction['row'] = {
  id: ID,
  user_id: 'ada',
  cryptocurrency: 'BTC',
  timeframe: '1min',
  model: 'kat1',
  band,
  created_at: '2025-11-12T00:01:02.5+00:00',
  data: [...history, ...path],
};
const known = {
  state: 'known',
  prediction_id: ID,
  market_kind: 'live',
  due_at: '2025-11-12T00:51:00Z',
  candles: path,
} as Extract<SavedPrediction['outcome'], { state: 'known' }>;

test("finds the owner's prediction by its id, and reads no other user's", async () => {
  const { queried, database } = databaseOf({ cursor: '1', row, outcome: null });
  const found = await forecastById({ database, reveal: nothingRevealed }, owner, ID);
  expect(found).toMatchObject({ id: ID, owner: 'you', state: 'waiting', market: null, hash: null, opensAt: null });
  expect(queried).toEqual([['ada', ID]]);
});

test('refuses the token of a shared prediction as it refuses an unknown id', async () => {
  const deps = { database: databaseOf().database, reveal: everythingRevealed };
  await expect(forecastById(deps, owner, 'a'.repeat(32))).rejects.toMatchObject({ code: 'request/not-found' });
});

test('gives a saved prediction its last real close, the time of each candle and its whole band', () => {
  const found = fromSaved({ row, outcome: null });
  expect(found).toMatchObject({ symbol: 'BTCUSDT.P', model: 'bobcat', issuedAt: '2025-11-12T00:01:02Z' });
  expect(found?.lastClose).toBe(history.at(-1)?.close);
  expect(found?.bands).toHaveLength(50);
  expect(found?.bands[0]).toMatchObject({ bar: 1, closesAt: '2025-11-12T00:02:00Z', upper95: band.upper95[0] });
});

test('compares each close of a known outcome with the band as it was shown', () => {
  const edges = Array.from({ length: 50 }, () => 100);
  const wide = { lower80: edges, upper80: edges, lower95: edges.map((edge) => edge - 1), upper95: edges };
  const candles = path.map((candle, i) => ({ ...candle, close: [100, 99, 98.9][i] ?? 100 }));
  const found = fromSaved({ row: { ...row, band: wide }, outcome: { ...known, candles } });
  expect(found).toMatchObject({ state: 'known', market: 'live' });
  expect(found?.outcome.slice(0, 3)).toEqual([
    { bar: 1, close: 100, isInside80: true, isInside95: true },
    { bar: 2, close: 99, isInside80: false, isInside95: true },
    { bar: 3, close: 98.9, isInside80: false, isInside95: false },
  ]);
});

test('does not say whether bands held that were never saved', () => {
  const found = fromSaved({ row: { ...row, band: null }, outcome: known });
  expect(found?.bands).toEqual([]);
  expect(found?.outcome[0]).toMatchObject({ isInside80: null, isInside95: null });
});

test('names the market of a saved prediction by its code, the ten and others', () => {
  const symbolOf = (cryptocurrency: string) => fromSaved({ row: { ...row, cryptocurrency }, outcome: null })?.symbol;
  expect(['BTC', 'Gold', 'PEPE/USDT', 'LINK/USDT spot', 'LINK/USD'].map(symbolOf)).toEqual([
    ...['BTCUSDT.P', 'GC1!', 'PEPEUSDT.P', 'LINKUSDT', 'LINKUSD'],
  ]);
});

test('keeps the name of a product that is no longer listed, and reads an unknown length as a minute', () => {
  const found = fromSaved({ row: { ...row, cryptocurrency: 'GONE', timeframe: '2h' }, outcome: null });
  expect(found).toMatchObject({ symbol: 'GONE', timeframe: '1min' });
});

test('gives a short prediction no last close and no band, because it is not known where it begins', () => {
  const found = fromSaved({ row: { ...row, data: [...history.slice(1), ...path] }, outcome: null });
  expect(found).toMatchObject({ lastClose: null, bands: [], state: 'waiting' });
});

test('says why a prediction was not scored', () => {
  const voided = {
    state: 'void',
    void_reason: 'market-closed',
    prediction_id: ID,
    market_kind: 'live',
    due_at: '',
  } as const;
  expect(fromSaved({ row, outcome: voided })).toMatchObject({
    state: 'void',
    voidReason: 'market-closed',
    outcome: [],
  });
});

test.each([
  ['a model', { model: 'kat9' }],
  ['a time', { created_at: 'soon' }],
])('finds nothing in a prediction with %s that this release does not know', (_what, change) => {
  expect(fromSaved({ row: { ...row, ...change }, outcome: null })).toBeNull();
});
