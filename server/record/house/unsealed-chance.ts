/** The chance of a clock window, from a finished forecast, as a public record. */
import { hash, randomBytes } from 'node:crypto';
import { CALIBRATION } from '#domain/chances/calibration.ts';
import { chanceOf } from '#domain/chances/chance.ts';
import { chanceForecast } from '#domain/chances/chance-forecast.ts';
import { clockWindow } from '#domain/chances/clock-window.ts';
import { isRefusal } from '#domain/chances/refusals.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import type { RecordedWindow } from '#domain/record/chances/chance-moments.ts';
import { CHANCE_UNITS, type UnsealedChance } from '#domain/record/ledger/chance-text.ts';
import { type RecordRole, SIGMA_UNITS } from '#domain/record/ledger/ledger.ts';
import { inputText } from '#domain/record/ledger/record-texts.ts';
import { mirrored } from '../../forecast/chances/chance-input.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import { buildFeatures } from '../../forecast/network/features.ts';

const SALT_BYTES = 16;

/**
 * The chance at the moment that the forecast's last candle closed: its price is that close, so anyone with the candles
 * can check price and baseline.
 * @returns null when the candle that opened the window is missing
 */
export function unsealedChance(
  forecast: Forecast,
  window: RecordedWindow,
  at: { issuedMs: number; role: RecordRole },
): UnsealedChance | null {
  const { symbol, timeframe, t0, lastClose, lookback, volatility, modelVersion } = forecast;
  const barS = barSecondsOf(timeframe);
  const slot = t0 + barS;
  const features = buildFeatures(lookback, symbol.assetClass, timeframe);
  // Rounded first, so that the baseline follows from the text.
  const ewma = Math.round(features.scale * SIGMA_UNITS);
  const input = chanceForecast({
    key: '',
    t0,
    barS,
    lastClose,
    ewma: ewma / SIGMA_UNITS,
    paths: null,
    variance: volatility.minuteVariance,
    quantiles: volatility.upperQuantiles.map(mirrored),
  });
  const running = clockWindow(lookback, window, slot * 1000);
  if (isRefusal(input) || isRefusal(running)) return null;
  const now = { nowMs: slot * 1000, price: lastClose, priceAtMs: slot * 1000 };
  const found = chanceOf({ kind: 'window', window: running }, input, now);
  if (!found.ok) return null;
  return {
    slot,
    window,
    issued: at.issuedMs,
    sym: symbol.sym,
    model: forecast.model,
    version: modelVersion,
    weights: forecast.weightsSha256,
    role: at.role,
    market: forecast.marketKind,
    venue: forecast.venueId,
    input: hash('sha256', inputText(lookback)),
    open: decimalText(running.open),
    close: decimalText(lastClose),
    chance: inUnits(found.chance),
    baseline: inUnits(found.baseline),
    ewma,
    calibration: CALIBRATION.version,
    salt: randomBytes(SALT_BYTES).toString('base64url'),
  };
}

function inUnits(chance: number): number {
  return Math.max(1, Math.min(CHANCE_UNITS - 1, Math.round(chance * CHANCE_UNITS)));
}
