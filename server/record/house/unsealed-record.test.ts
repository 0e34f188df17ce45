import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { NO_HASH, readRecordText, recordText } from '#domain/record/ledger/ledger.ts';
import { inputText } from '#domain/record/ledger/record-texts.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { makeForecast } from '../../forecast/testing/fake-forecasts.ts';
import { openBaselines } from './baselines.ts';
import { recordOf } from './unsealed-record.ts';

const baseline = (await openBaselines()).currentOf('1min');
const AT = { issuedMs: 1_790_000_101_234, role: 'serving', baseline } as const;
const T0 = 1_790_000_040;
const BTC = symbolNamed('BTC');
const aForecast = (): ReturnType<typeof makeForecast> => makeForecast('BINANCE', BTC, 'bobcat', T0);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const textOf = (forecast: ReturnType<typeof makeForecast>): string =>
  recordText({ v: 1, seq: 1, prev: NO_HASH, ...recordOf(forecast, AT).record });

test('states the forecast in whole numbers', () => {
  const forecast = aForecast();

  const { record } = recordOf(forecast, AT);

  expect(record).toMatchObject({
    slot: T0 + 60,
    issued: AT.issuedMs,
    sym: 'BTCUSDT.P',
    model: 'bobcat',
    version: 'fake-1',
    role: 'serving',
    market: 'simulated',
    close: String(forecast.lastClose),
    bands: [
      [1000, 1000, 1000, 1000, 1000],
      [1000, 1000, 1000, 1000, 1000],
    ],
    rv: 7000,
    range: 10_000,
    baseline: baseline.version,
  });
  for (const [at, bar] of SCORED_BARS.entries()) {
    expect(record.upper[at]).toEqual(forecast.volatility.upperQuantiles[bar - 1]?.map((q) => Math.round(1e6 * q)));
    expect(record.path[at]).toBe(Math.round(1e6 * Math.log((forecast.path[bar - 1]?.close ?? 0) / forecast.lastClose)));
  }
  expect(record.har.every((sigma, at) => sigma > (record.har[at - 1] ?? 0))).toBe(true);
});

test('gives log-HAR the same calendar as the models', () => {
  const plain = recordOf(aForecast(), AT).record;
  const varianceFactors = Array.from({ length: 50 }, (_, bar) => (bar < 10 ? 1 : 4));

  const { record } = recordOf({ ...aForecast(), varianceFactors }, AT);

  expect(record.har.slice(0, 2)).toEqual(plain.har.slice(0, 2));
  expect((record.har[4] ?? 0) / (plain.har[4] ?? 1)).toBeGreaterThan(1.5);
});

test('reads back to the byte, and is the same for the same forecast', () => {
  const text = textOf(aForecast());

  expect(readRecordText(text)).not.toBeNull();
  expect(textOf(aForecast())).toBe(text);
});

test('hashes the candles’ lines as input, which anyone can reproduce', () => {
  const forecast = aForecast();
  const candle = { time: 60, open: 1, high: 2.5, low: 0.00001, close: 2, volume: 0.5 };
  const text = inputText([candle, { ...candle, time: 120, low: 1e-7, volume: undefined }]);

  expect(text).toBe('60,1,2.5,0.00001,2,0.5\n120,1,2.5,1e-7,2,');
  expect(recordOf(forecast, AT).record.input).toBe(sha256(inputText(forecast.lookback)));
});

test('stores the hash of a document with the whole forecast', () => {
  const forecast = aForecast();

  const { record, documentText } = recordOf(forecast, AT);

  expect(record.document).toBe(sha256(documentText));
  const document: unknown = JSON.parse(documentText);
  expect(document).toMatchObject({ v: 1, sym: 'BTCUSDT.P', t0: T0, venue: 'fake', bands: record.bands });
  expect(document).toHaveProperty('upper.49', record.upper[4]);
  const last = forecast.path[49];
  expect(document).toHaveProperty('path.49', [last?.open, last?.high, last?.low, last?.close]);
  expect(Buffer.byteLength(documentText)).toBeLessThan(8192);
});

test('changes the input’s hash with any candle that the model saw', () => {
  const before = recordOf(aForecast(), AT).record.input;

  fc.assert(
    fc.property(fc.nat({ max: 148 }), fc.constantFrom('open', 'high', 'low', 'close', 'volume'), (place, field) => {
      const forecast = aForecast();
      const lookback = forecast.lookback.map((c, i) =>
        i === place ? { ...c, [field]: (c[field] ?? 0) * 1.000001 + 1e-9 } : c,
      );
      // Only if the candle is still one that a market could print.
      const changed = lookback[place];
      if (changed === undefined || changed.low > Math.min(changed.open, changed.close)) return;
      if (changed.high < Math.max(changed.open, changed.close)) return;
      expect(recordOf({ ...forecast, lookback }, AT).record.input).not.toBe(before);
    }),
  );
});

test('writes low prices without an exponent, and never rounds a factor to zero', () => {
  const forecast = {
    ...aForecast(),
    lastClose: 0.0000001,
    correction: { p80: Array(5).fill(0.0001), p95: Array(5).fill(1.2345678) },
  };

  const { record } = recordOf(forecast, AT);

  expect(record.close).toBe('0.0000001');
  expect(record.bands).toEqual([
    [1, 1, 1, 1, 1],
    [1235, 1235, 1235, 1235, 1235],
  ]);
});

test('refuses values that are not finite before writing them', () => {
  const forecast = aForecast();

  expect(() => recordOf({ ...forecast, volatility: { ...forecast.volatility, rv50: Number.NaN } }, AT)).toThrow(
    RangeError,
  );
  expect(() => recordOf({ ...forecast, path: forecast.path.slice(0, 49) }, AT)).toThrow(RangeError);
});
