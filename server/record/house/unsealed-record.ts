/** A finished forecast as a public record: whole numbers, and the hashes of its input and its full output. */
import { hash } from 'node:crypto';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import {
  FACTOR_UNITS,
  LN_UNITS,
  type RecordRole,
  SIGMA_UNITS,
  textVersionOf,
  timeframeField,
  type UnsealedRecord,
} from '#domain/record/ledger/ledger.ts';
import { documentText, inputText } from '#domain/record/ledger/record-texts.ts';
import { type BaselineTable, baselineNumbersOf } from '#domain/record/scoring/baseline-table.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import { buildFeatures } from '../../forecast/network/features.ts';
import { harForecast } from './har-forecast.ts';

export interface RecordOfForecast {
  record: UnsealedRecord;
  /** The text whose SHA-256 is record.document. */
  documentText: string;
}

/**
 * Pure. @param at.issuedMs our clock's time. @throws AppError as buildFeatures, for candles that every model would
 * refuse
 */
export function recordOf(
  forecast: Forecast,
  at: { issuedMs: number; role: RecordRole; baseline: BaselineTable },
): RecordOfForecast {
  const { symbol, timeframe, volatility, correction, lookback, lastClose, path } = forecast;
  const tf = timeframeField(timeframe);
  const features = buildFeatures(lookback, symbol.assetClass, timeframe);
  const har = harForecast(baselineNumbersOf(at.baseline, symbol.assetClass), features, forecast.varianceFactors);
  const upper = volatility.upperQuantiles.map((row) => row.map((quantile) => inUnits(quantile, LN_UNITS)));
  const bands: UnsealedRecord['bands'] = [correction.p80.map(factor), correction.p95.map(factor)];
  const close = decimalText(lastClose);
  const rv = inUnits(volatility.rv50, LN_UNITS);
  const range = inUnits(volatility.range50, LN_UNITS);
  const document = documentText({
    v: textVersionOf(tf),
    sym: symbol.sym,
    version: forecast.modelVersion,
    ...tf,
    t0: forecast.t0,
    venue: forecast.venueId,
    close,
    upper,
    path: path.map((candle) => [candle.open, candle.high, candle.low, candle.close]),
    rv,
    range,
    bands,
  });
  const record: UnsealedRecord = {
    slot: forecast.t0 + barSecondsOf(timeframe),
    ...tf,
    issued: at.issuedMs,
    sym: symbol.sym,
    model: forecast.model,
    version: forecast.modelVersion,
    weights: forecast.weightsSha256,
    role: at.role,
    market: forecast.marketKind,
    input: hash('sha256', inputText(lookback)),
    close,
    upper: SCORED_BARS.map((bar) => upper[bar - 1] ?? []),
    bands,
    path: SCORED_BARS.map((bar) => inUnits(Math.log((path[bar - 1]?.close ?? Number.NaN) / lastClose), LN_UNITS)),
    document: hash('sha256', document),
    rv,
    range,
    ewma: inUnits(features.scale, SIGMA_UNITS),
    har: SCORED_BARS.map((bar) => inUnits(har.sigma[bar - 1] ?? Number.NaN, SIGMA_UNITS)),
    baseline: at.baseline.version,
  };
  return { record, documentText: document };
}

/** @throws RangeError for a value that is not a number: a record never holds null */
function inUnits(value: number, units: number): number {
  const scaled = Math.round(value * units);
  if (!Number.isSafeInteger(scaled)) throw new RangeError("A forecast contains a value that isn't a number.");
  // JSON writes -0 as 0, and the parsed record must be equal.
  return scaled === 0 ? 0 : scaled;
}

/** Rounding must not turn a factor into 0. */
function factor(value: number): number {
  return Math.max(1, inUnits(value, FACTOR_UNITS));
}
