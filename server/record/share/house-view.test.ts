import { expect, test } from 'vitest';
import { sealedRecord } from '#domain/record/ledger/record-files.ts';
import { documentText } from '#domain/record/ledger/record-texts.ts';
import { revealBounds } from '#domain/record/ledger/reveal.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import type { CandlePast } from '../../market/candles/past-candles.ts';
import type { StoredRecordWithDocument } from '../ledger/published-store.ts';
import { chainOf, makeChances } from '../testing/chance-fixtures.ts';
import { aBaselineTable, makeRecords, outcomeOf, type RecordPlan } from '../testing/record-fixtures.ts';
import { everythingRevealed } from '../testing/reveal-fixtures.ts';
import { type HouseViewDeps, houseView } from './house-view.ts';

const releasesAt = async () => undefined;
const past: CandlePast = { recent: async () => null, stored: async () => [] };

test.each([
  ['sealed', 0],
  ['revealed', Number.MAX_SAFE_INTEGER],
])('has no page of a %s chance', async (_state, nowMs) => {
  const { bodies, texts, hashes } = chainOf(makeChances({ syms: ['BTCUSDT.P', 'ETHUSDT.P'] }));
  const bounds = revealBounds({ nowMs, marketNowMs: nowMs });
  const deps = { past, releasesAt, reveal: () => bounds, marketNowMs: () => nowMs };
  for (const [i, body] of bodies.entries()) {
    const found = { ...sealedRecord(body, hashes[i] ?? ''), record: texts[i] ?? '', score: null, document: null };
    expect(await houseView(found, deps)).toBeNull();
  }
});

/** One record, and what was stored with it. */
function aRecord(plan: RecordPlan = {}) {
  const records = makeRecords({ syms: ['BTCUSDT.P'], models: ['lion'], ...plan });
  const [body] = records.bodies;
  if (body === undefined) throw new Error('no record');
  const outcome = outcomeOf(records, body);
  const document = documentText({
    v: 1,
    sym: body.sym,
    version: body.version,
    t0: body.slot - 60,
    venue: 'binance',
    close: body.close,
    upper: outcome.map((_, i) => body.upper[SCORED_BARS.findIndex((bar) => bar >= i + 1)] ?? []),
    path: outcome.map(({ open, high, low, close }) => [open, high, low, close]),
    rv: body.rv,
    range: body.range,
    bands: body.bands,
  });
  const found: StoredRecordWithDocument = {
    ...sealedRecord(body, records.hashes[0] ?? ''),
    record: records.texts[0] ?? '',
    score: null,
    document,
  };
  const before = { time: body.slot - 60, open: 1, high: 1, low: 1, close: Number(body.close) };
  return { body, outcome, found, series: [before, ...outcome] };
}

const open = (found: StoredRecordWithDocument, change: Partial<HouseViewDeps> = {}) =>
  houseView(found, {
    past,
    releasesAt,
    reveal: everythingRevealed,
    marketNowMs: () => Number.MAX_SAFE_INTEGER,
    ...change,
  });
const sealed = () => revealBounds({ nowMs: 0, marketNowMs: 0 });

test('keeps the content of a sealed forecast, and of the public one only for other models and lengths', async () => {
  const stateOf = async (plan: RecordPlan) => (await open(aRecord(plan).found, { reveal: sealed }))?.state;
  expect(await stateOf({})).toBe('sealed');
  expect(await stateOf({ models: ['bobcat'] })).not.toBe('sealed');
  expect(await stateOf({ models: ['bobcat'], role: 'shadow' })).toBe('sealed');
  expect(await stateOf({ models: ['bobcat'], timeframe: '5min' })).toBe('sealed');
  expect(await stateOf({ models: ['bobcat'], syms: ['ETHUSDT.P'] })).toBe('sealed');
});

test('has no page of a product that is no longer offered, or of a text that this release cannot read', async () => {
  const { found } = aRecord();
  expect(await open({ ...found, sym: 'GONE' })).toBeNull();
  expect(await open({ ...found, record: '{}' })).toBeNull();
});

test('shows the drawn path and the band at all 50 candles while the document is stored', async () => {
  const { body, outcome, found } = aRecord();
  const view = await open(found);
  expect(view).toMatchObject({
    origin: 'house',
    label: 'BTC',
    model: 'lion',
    joinS: body.slot - 60,
    id: `1-${found.hash.slice(0, 12)}`,
  });
  expect(view?.content?.path).toEqual(outcome.map(({ volume: _, ...prices }) => prices));
  expect(view?.content?.bandBars).toEqual(outcome.map((_, i) => i + 1));
  expect(view?.content?.band.upper80).toHaveLength(50);
});

test.each([
  ['was deleted', null],
  ['cannot be read', '{"v":9}'],
  ['is no JSON', 'x'],
])('shows the scored candles of the text alone once the document %s', async (_what, document) => {
  const view = await open({ ...aRecord().found, document });
  expect(view?.content).toMatchObject({ path: [], bandBars: [...SCORED_BARS] });
  expect(view?.content?.band.lower95).toHaveLength(SCORED_BARS.length);
});

test('is known with its score, whose five closes fill in for candles that are no longer stored', async () => {
  const { body, outcome, found, series } = aRecord();
  const score = scoreRecord(body, outcome, aBaselineTable(body.baseline));
  const scored = await open({ ...found, score });
  expect(scored?.state).toBe('known');
  expect(scored?.content?.outcome.map(({ bar }) => bar)).toEqual([...SCORED_BARS]);
  for (const { bar, close } of scored?.content?.outcome ?? [])
    expect(close).toBeCloseTo(outcome[bar - 1]?.close ?? 0, 1);

  const all = async () => [{ marketKind: body.market, venueId: 'binance', candles: series }];
  const whole = await open({ ...found, score }, { past: { ...past, stored: all } });
  expect(whole?.content?.outcome).toEqual(outcome.map(({ close }, i) => ({ bar: i + 1, close })));
  expect(whole?.content?.history).toEqual([series[0]]);
});

test("takes the candles of the forecast's own venue alone", async () => {
  const { body, found, series } = aRecord();
  const other = async () => [{ marketKind: body.market, venueId: 'kraken', candles: series }];
  const deps = { past: { ...past, stored: other } };
  expect((await open(found, deps))?.content?.outcome).toEqual([]);
  // Without its document the venue is not known, and the last close must agree.
  expect((await open({ ...found, document: null }, deps))?.content?.outcome).toHaveLength(50);
});

test.each([
  ['candles-missing', 'Not scored: the market has no candle for some of its bars.'],
  ['venue-changed', 'Not scored: the venue changed during the forecast.'],
  ['market-closed', 'Not scored: the market closed before the forecast ended.'],
  ['candles-gone', 'Not scored: the candles of these bars are no longer stored.'],
])('says why it was not scored: %s', async (reason, message) => {
  expect(await open({ ...aRecord().found, score: { void: reason } })).toMatchObject({
    state: 'void',
    reason: message,
  });
});

test('runs until its last candle closes on its market, and then waits for its score', async () => {
  const { body, found } = aRecord();
  const endMs = (body.slot + 50 * 60) * 1000;
  const stateAt = async (nowMs: number | null) => (await open(found, { marketNowMs: () => nowMs }))?.state;
  expect(await stateAt(endMs - 1)).toBe('running');
  expect(await stateAt(endMs)).toBe('waiting');
  expect(await stateAt(null)).toBe('waiting');
});

test.each(['1min', '5min', '15min'] as const)(
  'says what it knew when it was issued, of %s candles',
  async (timeframe) => {
    const { body, found } = aRecord({ timeframe });
    const list = [{ atS: body.slot, kind: 'inflation', title: 'CPI m/m', name: 'US CPI' }];
    const varianceFactors = Array.from({ length: 50 }, (_, bar) => (bar < 5 ? 9 : 1));
    const asked: unknown[] = [];
    const view = await open(found, {
      releasesAt: async (...question) => {
        asked.push(question);
        return { list, isComplete: true, varianceFactors };
      },
    });

    const barS = { '1min': 60, '5min': 300, '15min': 900 }[timeframe];
    expect(asked).toEqual([[body.market, { t0: body.slot - barS, barS, assetClass: 'crypto' }, body.issued]]);
    expect(view?.content?.releases).toMatchObject({ list, isComplete: true });
    expect(view?.content?.releases?.factor).toBeGreaterThan(1);
  },
);

test('finds in the five quantiles of its text how much wider a release made it', async () => {
  const varianceFactors = Array.from({ length: 50 }, (_, bar) => (bar < 15 ? 9 : 1));
  const released = async () => ({ list: [], isComplete: false, varianceFactors });
  const view = await open({ ...aRecord().found, document: null }, { releasesAt: released });

  // The generated quantiles are a random walk's, whose first 15 bars had a ninth of their variance without the release.
  expect(view?.content?.releases?.factor).toBeCloseTo(Math.sqrt(50 / (15 / 9 + 35)), 3);
});

test('says nothing of releases without any, and that some may be unknown without a calendar', async () => {
  const none = { list: [], varianceFactors: null };
  const releasesOf = async (isComplete: boolean) =>
    (await open(aRecord().found, { releasesAt: async () => ({ ...none, isComplete }) }))?.content?.releases;

  expect(await releasesOf(true)).toBeUndefined();
  expect(await releasesOf(false)).toEqual({ list: [], factor: 1, isComplete: false });
});

test('reads no calendar for a sealed forecast', async () => {
  const releasesAt = () => Promise.reject(new Error('read'));
  expect((await open(aRecord().found, { reveal: sealed, releasesAt }))?.state).toBe('sealed');
});
