/**
 * Checks that a record has at most 1 KB in any plausible market, and one of longer candles 1,152 bytes, because the
 * database accepts no longer text.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { MARKET_KINDS, SYMBOLS } from '#domain/market/symbols.ts';
import { barMinutesOf, TIMEFRAMES } from '#domain/market/timeframes.ts';
import {
  FACTOR_UNITS,
  LN_UNITS,
  RECORD_ROLES,
  type RecordBody,
  readRecordText,
  recordText,
  SIGMA_UNITS,
  textVersionOf,
  timeframeField,
  UPPER_LEVELS,
} from '#domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { sampleSize } from '../../../tests/support/run/test-size.ts';

const MINUTES_A_YEAR = 365 * 24 * 60;
/** Fat tails at the last level, in standard deviations. */
const FARTHEST = 6;
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));

const close = fc.oneof(
  // DOGE with every digit that its venue gives, and prices of fifteen digits.
  fc.integer({ min: 1, max: 99_999_999 }).map((n) => (n / 1e8).toFixed(8)),
  fc
    .integer({ min: 1, max: 999_999_999_999_999 })
    .map((n) => `${String(n).slice(0, -3) || '0'}.${String(n).slice(-3)}`),
);

const record = fc
  .record({
    seq: fc.integer({ min: 1, max: 99_999_999 }),
    timeframe: fc.constantFrom(...TIMEFRAMES),
    hour: fc.integer({ min: 500_000, max: 2_777_777 }),
    sym: fc.constantFrom(...SYMBOLS.map(({ sym }) => sym)),
    model: fc.constantFrom(...MODEL_NAMES),
    role: fc.constantFrom(...RECORD_ROLES),
    market: fc.constantFrom(...MARKET_KINDS),
    hashes: fc.tuple(hash, hash, hash, hash),
    close,
    /** Annualized: 200% is a falling coin, 700% the minutes of a crash. */
    volatility: fc.double({ min: 0.01, max: 7, noNaN: true }),
    drift: fc.double({ min: -3, max: 3, noNaN: true }),
    factors: fc.array(fc.integer({ min: 1, max: 3 * FACTOR_UNITS }), { minLength: 10, maxLength: 10 }),
  })
  .map(({ seq, timeframe, hour, sym, model, role, market, hashes, close, volatility, drift, factors }): RecordBody => {
    const sigma = (volatility * Math.sqrt(barMinutesOf(timeframe))) / Math.sqrt(MINUTES_A_YEAR);
    const tf = timeframeField(timeframe);
    const slot = hour * 3600;
    const at = (units: number, factor: number) =>
      SCORED_BARS.map((bar) => Math.round(units * factor * sigma * Math.sqrt(bar)) + 0);
    const [weights, input, document, prev] = hashes;
    const rows = UPPER_LEVELS.map((_, i) => at(LN_UNITS, (FARTHEST * (i + 1)) / UPPER_LEVELS.length));
    return {
      v: textVersionOf(tf),
      seq,
      slot,
      ...tf,
      issued: slot * 1000 + 59_999,
      sym,
      model,
      version: `${model}-0123456789`,
      weights,
      role,
      market,
      input,
      close,
      upper: SCORED_BARS.map((_, bar) => rows.map((row) => row[bar] ?? 0)),
      bands: [factors.slice(0, 5), factors.slice(5)],
      path: at(LN_UNITS, drift),
      document,
      rv: at(LN_UNITS, 2)[4] ?? 0,
      range: at(LN_UNITS, 4)[4] ?? 0,
      ewma: at(SIGMA_UNITS, 1)[0] ?? 0,
      har: at(SIGMA_UNITS, 1),
      baseline: 'har-0123456789',
      prev,
    };
  });

test('writes a record in at most 1,024 bytes, or 1,152 of longer candles, and reads it back unchanged', () => {
  fc.assert(
    fc.property(record, (body) => {
      const text = recordText(body);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(body.v === 1 ? 1024 : 1152);
      expect(readRecordText(text)).toEqual(body);
    }),
    { numRuns: sampleSize(400, 2000) },
  );
});
