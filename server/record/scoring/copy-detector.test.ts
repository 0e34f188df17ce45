import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import type { Candle } from '#domain/market/candle.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { LN_UNITS, type RecordBody } from '#domain/record/ledger/ledger.ts';
import { type CopySums, copyVerdict, isUnchanged } from '#domain/record/scoring/copy-detector.ts';
import type { RecordScore } from '#domain/record/scoring/record-score.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { generatedCandles } from '../../forecast/models/generated-candles.ts';
import { openModelRegistry } from '../../forecast/models/model-registry.ts';
import { inProcessRunner } from '../../forecast/models/opened-model.ts';
import { aBaselineTable, makeRecords, outcomeOf } from '../testing/record-fixtures.ts';

const MODELS_DIR = fileURLToPath(new URL('../../../models/', import.meta.url));
const runner = inProcessRunner();
afterAll(() => runner.close());

const records = makeRecords({ slots: 100, syms: ['BTCUSDT.P'], models: ['lion'] });
const sample = records.bodies[0] ?? raise('no records');

function raise(message: string): never {
  throw new Error(message);
}

/** What one scored record adds to the sums. */
function copySums(path: readonly number[], { actual, isCopy }: Pick<RecordScore, 'actual' | 'isCopy'>): CopySums {
  return {
    records: 1,
    copies: isCopy.map(Number),
    unchanged: actual.map((y) => Number(isUnchanged(y))),
    drawn: path.map(Math.abs),
    moved: actual.map(Math.abs),
  };
}

function added(all: readonly CopySums[]): CopySums {
  const zeros = SCORED_BARS.map(() => 0);
  const sum = (a: readonly number[], b: readonly number[]) => a.map((value, at) => value + (b[at] ?? 0));
  return all.reduce(
    (total, one) => ({
      records: total.records + one.records,
      copies: sum(total.copies, one.copies),
      unchanged: sum(total.unchanged, one.unchanged),
      drawn: sum(total.drawn, one.drawn),
      moved: sum(total.moved, one.moved),
    }),
    { records: 0, copies: zeros, unchanged: zeros, drawn: zeros, moved: zeros },
  );
}

/** The generated records with paths of the test's own. */
function verdictOf(pathOf: (body: RecordBody, at: number) => number[], bodies = records.bodies) {
  const all = bodies.map((body, at) => {
    const own = { ...body, path: pathOf(body, at) };
    return copySums(own.path, scoreRecord(own, outcomeOf(records, body), aBaselineTable()));
  });
  return copyVerdict(added(all));
}

test('detects a path that stays at the last close', () => {
  expect(verdictOf(({ path }) => path.map(() => 0))).toBe('repeats');
});

test('detects copies with a little noise or at most of the bars', () => {
  expect(verdictOf(({ path }) => path.map((drawn) => drawn / 20))).toBe('repeats');
  expect(verdictOf(({ path }, i) => (i % 5 === 0 ? path : path.map(() => 0)))).toBe('repeats');
});

test('accepts a path that moves as much as the market, half or twice as much', () => {
  for (const factor of [0.5, 1, 2])
    expect(verdictOf(({ path }) => path.map((drawn) => Math.round(factor * drawn)))).toBe('moves');
});

test('gives no verdict for few records', () => {
  expect(verdictOf(({ path }) => path.map(() => 0), records.bodies.slice(0, 30))).toBe('unknown');
});

test('does not call an unchanged price copying when the market does not move either', () => {
  // Nine of ten closes are unchanged, in the path as in the market, but at different bars.
  const steps = (random: number): number[] => SCORED_BARS.map((_, at) => ((random * 7 + at * 3) % 10 === 0 ? 300 : 0));
  const sums = Array.from({ length: 1000 }, (_, i) => {
    const [path, actual] = [steps(i), steps(i * 3 + 1)];
    return copySums(path, { actual, isCopy: path.map((drawn) => drawn === 0) });
  });

  expect(copyVerdict(added(sums))).toBe('moves');
});

const WINDOWS = 110;
const STRIDE = 29;

test.each([
  ['of a fine tick', 0.001],
  ['whose tick is as wide as a quiet minute moves', 0.05],
])('finds no copying by the shipped models on a market %s', async (_what, tickSize) => {
  const registry = await openModelRegistry(MODELS_DIR, runner);
  const candles = generatedCandles({ seed: 'copies', count: 450 + WINDOWS * STRIDE + 50, tickSize });
  const symbol = { ...symbolNamed('BTC'), tickSize };
  for (const model of MODEL_NAMES) {
    const all: CopySums[] = [];
    for (let i = 0; i < WINDOWS; i += 1) {
      const lookback = candles.slice(i * STRIDE, i * STRIDE + 450);
      const forecast = await registry.ready(model).forecast(symbol, lookback);
      all.push(sumsOf(forecast.path, candles.slice(i * STRIDE + 450, i * STRIDE + 500), forecast.lastClose));
    }
    expect(copyVerdict(added(all))).toBe('moves');
  }
});

function sumsOf(drawn: readonly Candle[], outcome: readonly Candle[], lastClose: number): CopySums {
  const path = SCORED_BARS.map((bar) => Math.round(LN_UNITS * Math.log((drawn[bar - 1]?.close ?? 0) / lastClose)));
  const slot = outcome[0]?.time ?? 0;
  const body: RecordBody = { ...sample, slot, close: String(lastClose), path };
  return copySums(path, scoreRecord(body, outcome, aBaselineTable()));
}
