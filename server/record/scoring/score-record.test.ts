import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QUANTILE_LEVELS } from '#domain/forecast/quantiles.ts';
import type { Candle } from '#domain/market/candle.ts';
import { LN_UNITS, type RecordBody, UPPER_LEVELS } from '#domain/record/ledger/ledger.ts';
import { recordScoreSchema } from '#domain/record/scoring/record-score.ts';
import { scoreFromActual, scoreRecord, shownUpper } from '#domain/record/scoring/score-record.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { aBaselineTable, makeRecords, outcomeOf } from '../testing/record-fixtures.ts';

const TABLE = aBaselineTable();
const records = makeRecords({ slots: 3 });
const [body, other] = records.bodies;
if (body === undefined || other === undefined) throw new Error('no records');
const outcome = outcomeOf(records, body);

const times = (factor: number): Candle[] =>
  outcome.map((c) => ({
    ...c,
    open: c.open * factor,
    high: c.high * factor,
    low: c.low * factor,
    close: c.close * factor,
  }));
/** Turns each price p into close^2 / p, so that a rise becomes a fall. */
const mirrored = (): Candle[] => {
  const flip = (price: number): number => Number(body.close) ** 2 / price;
  return outcome.map((c) => ({
    ...c,
    open: flip(c.open),
    high: flip(c.low),
    low: flip(c.high),
    close: flip(c.close),
  }));
};
const widened = (change: Partial<RecordBody>, factor: number): RecordBody => ({
  ...body,
  ...change,
  upper: body.upper.map((row) => row.map((quantile) => Math.round(quantile * factor))),
});

test('measures moves, range and errors in whole numbers of four bytes', () => {
  const score = scoreRecord(body, outcome, TABLE);

  expect(recordScoreSchema.parse(score)).toEqual(score);
  SCORED_BARS.forEach((bar, at) => {
    const ln = LN_UNITS * Math.log((outcome[bar - 1]?.close ?? 0) / Number(body.close));
    expect(Math.abs((score.actual[at] ?? 0) - ln)).toBeLessThanOrEqual(0.5);
  });
  expect(score.range).toBeGreaterThanOrEqual(Math.max(...score.actual.map(Math.abs)) / 2);
  expect(score.rv).toBeGreaterThan(0);
});

test('computes a distribution’s score as twice the mean pinball loss over its 25 levels', () => {
  const score = scoreRecord(body, outcome, TABLE);
  const pinball = (y: number, row: readonly number[]): number => {
    const losses = QUANTILE_LEVELS.map((level) => {
      const above = UPPER_LEVELS.findIndex((l) => Math.abs(l - Math.max(level, 1 - level)) < 1e-9);
      const quantile = level === 0.5 ? 0 : Math.sign(level - 0.5) * (row[above] ?? Number.NaN);
      return y >= quantile ? level * (y - quantile) : (1 - level) * (quantile - y);
    });
    return (2 * losses.reduce((a, b) => a + b, 0)) / losses.length;
  };

  body.upper.forEach((row, at) => {
    expect(score.crps.model[at]).toBe(Math.round(100 * pinball(score.actual[at] ?? 0, row)));
  });
});

test('does not change when all prices are multiplied by one factor', () => {
  for (const factor of [2, 0.5, 1024]) {
    const moved = { ...body, close: String(Number(body.close) * factor) };
    expect(scoreRecord(moved, times(factor), TABLE)).toEqual(scoreRecord(body, outcome, TABLE));
  }
});

test('mirrors the ranks of a mirrored outcome, and scores it the same', () => {
  const [there, back] = [scoreRecord(body, outcome, TABLE), scoreRecord(body, mirrored(), TABLE)];

  expect(back.actual).toEqual(there.actual.map((y) => -y));
  expect(back.pit).toEqual(there.pit.map((rank) => 10_000 - rank));
  expect(back.inside).toEqual(there.inside);
  back.crps.model.forEach((value, at) => {
    expect(Math.abs(value - (there.crps.model[at] ?? 0))).toBeLessThanOrEqual(1);
  });
  expect(back.range).toBe(there.range);
});

test('gives quantiles closer to the outcome a lower score', () => {
  const still = outcome.map((c) => ({
    ...c,
    open: Number(body.close),
    high: Number(body.close),
    low: Number(body.close),
    close: Number(body.close),
  }));
  fc.assert(
    fc.property(fc.double({ min: 1.05, max: 4, noNaN: true }), (factor) => {
      const narrow = scoreRecord(body, still, TABLE).crps.model;
      const wide = scoreRecord(widened({}, factor), still, TABLE).crps.model;
      narrow.forEach((value, at) => {
        expect(value).toBeLessThan(wide[at] ?? 0);
      });
    }),
  );
});

test('gives a forecast equal to a baseline the baseline’s score', () => {
  const score = scoreRecord(body, outcome, TABLE);

  // The log-HAR baseline is the normal walk too, except for sigmas rounded at each bar.
  expect(score.crps.model).toEqual(score.crps.ewma);
  score.crps.har.forEach((value, at) => {
    expect(Math.abs(value - (score.crps.ewma[at] ?? 0))).toBeLessThanOrEqual(50);
  });
});

test('scores corrected bands as shown, beside the uncorrected model', () => {
  const factors = (p80: number, p95: number): RecordBody['bands'] => [
    SCORED_BARS.map(() => p80),
    SCORED_BARS.map(() => p95),
  ];
  const wide = { ...body, bands: factors(1500, 2000) };
  const [plain, corrected] = [scoreRecord(body, outcome, TABLE), scoreRecord(wide, outcome, TABLE)];

  expect(plain.crps.shown).toEqual(plain.crps.model);
  expect(corrected.crps.model).toEqual(plain.crps.model);
  expect(corrected.crps.shown).not.toEqual(plain.crps.model);
  expect(corrected.inside).toMatchObject({ model80: plain.inside.model80, model95: plain.inside.model95 });
  expect(shownUpper(wide).at(-1)?.[8]).toBe(Math.round(1.5 * (body.upper.at(-1)?.[8] ?? 0)));
  expect(shownUpper(wide).at(-1)?.[10]).toBe(2 * (body.upper.at(-1)?.[10] ?? 0));
});

test('counts the edge of a band as inside on both sides, and one step beyond as outside', () => {
  const edge80 = body.upper.map((row) => row[8] ?? 0);
  const edge95 = body.upper.map((row) => row[10] ?? 0);
  for (const sign of [1, -1]) {
    const on = scoreFromActual(body, edge80.map((edge) => sign * edge), TABLE); // biome-ignore format: one line
    const beyond = scoreFromActual(body, edge95.map((edge) => sign * (edge + 1)), TABLE); // biome-ignore format: one line
    expect(on.inside.model80).toEqual(SCORED_BARS.map(() => true));
    expect(beyond.inside.shown95).toEqual(SCORED_BARS.map(() => false));
  }
});

test('recomputes the same score from a record and five closes, without the candles', () => {
  for (const record of records.bodies) {
    const { actual, rv: _rv, range: _range, ...rest } = scoreRecord(record, outcomeOf(records, record), TABLE);
    expect(scoreFromActual(record, actual, TABLE)).toEqual(rest);
  }
});

test('spreads ranks evenly for a forecaster that knows the distribution', () => {
  const long = makeRecords({ slots: 1200, syms: ['BTCUSDT.P'], models: ['lion'], seed: 'even' });
  const ranks = long.bodies.map((record) => scoreRecord(record, outcomeOf(long, record), TABLE).pit);
  const first = ranks.map((pit) => pit[0] ?? 0);
  const bins = Array.from({ length: 5 }, (_, i) => first.filter((rank) => Math.min(4, Math.floor(rank / 2000)) === i));

  expect(first.reduce((a, b) => a + b, 0) / first.length).toBeCloseTo(5000, -3);
  // 240 expected in each; four standard deviations of 14.
  for (const bin of bins) expect(Math.abs(bin.length - 240)).toBeLessThan(56);
});

test('counts a path within 0.05 bp of the last close as a copy', () => {
  const path = [0, 5, -5, 6, -6];

  expect(scoreRecord({ ...body, path }, outcome, TABLE).isCopy).toEqual([true, true, true, false, false]);
});

test('stays within four bytes even for absurd prices', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 50, maxLength: 50 }),
      (factors) => {
        const mad = outcome.map((c, i) => {
          const price = Number(body.close) * (factors[i] ?? 1);
          return { time: c.time, open: price, high: price, low: price, close: price };
        });
        const { actual, crps, rv, range } = scoreRecord(body, mad, TABLE);
        for (const value of [...actual, ...Object.values(crps).flat(), rv, range]) {
          expect(Number.isInteger(value) && Math.abs(value) < 2 ** 31).toBe(true);
        }
      },
    ),
  );
});

test.each([
  ['a minute short', () => outcome.slice(1)],
  ['of other minutes', () => outcomeOf(records, { ...body, slot: body.slot + 300 })],
  ['malformed', () => outcome.map((c, i) => (i === 7 ? { ...c, low: c.high * 2 } : c))],
])('refuses candles %s', (_what, candles) => {
  expect(() => scoreRecord(body, candles(), TABLE)).toThrow(RangeError);
});

test('refuses another baseline table than the record’s own', () => {
  expect(() => scoreRecord(body, outcome, aBaselineTable('har-0000000002'))).toThrow(RangeError);
});
