/** One JSON line per window and forecaster, so that an outsider can rebuild every figure. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { QUANTILE_LEVELS } from '../../../domain/forecast/quantiles.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import type { Timeframe } from '../../../domain/market/timeframes.ts';
import type { WindowRelease } from '../../measure/releases/releases.ts';
import type { BaselineForecast, ModelForecast } from '../../measure/windows/score-windows.ts';
import { LEVEL_COUNT, type WindowForecast } from '../../measure/windows/window-forecast.ts';
import type { Window } from '../../measure/windows/windows.ts';

/** Significant digits: an error of 1e-8 of a quantile. */
const DIGITS = 8;

export interface LineFile {
  write(line: unknown): void;
  close(): void;
}

export function openLineFile(file: string): LineFile {
  const handle = openSync(file, 'w');
  return {
    write: (line) => void writeSync(handle, `${JSON.stringify(line)}\n`),
    close: () => closeSync(handle),
  };
}

/** Quantiles are of ln(C[t+h] / C[t]); `rv50` and `range50` are in log return; `ms` is the whole forecast. */
export function modelLine(
  window: Window,
  { model, forecast, path, ms }: ModelForecast,
  release: WindowRelease | null = null,
): unknown {
  return {
    ...subjectOf(window),
    model: model.name,
    t0: window.t0,
    levels: QUANTILE_LEVELS,
    close_q: rowsOf(forecast),
    candles: path.map(({ open, high, low, close }) => ({ open, high, low, close })),
    rv50: short(forecast.rv50),
    range50: short(forecast.range50),
    ms: Math.round(ms * 1000) / 1000,
    ...(release !== null && { release }),
  };
}

/** The same for a baseline, which draws no candles. */
export function baselineLine(
  window: Window,
  { name, forecast }: BaselineForecast,
  release: WindowRelease | null = null,
): unknown {
  return {
    ...subjectOf(window),
    model: name,
    t0: window.t0,
    levels: QUANTILE_LEVELS,
    close_q: rowsOf(forecast),
    rv50: short(forecast.rv50),
    range50: short(forecast.range50),
    ...(release !== null && { release }),
  };
}

/** `t0` is the opening second of the last bar seen; a line without a timeframe is of one-minute bars. */
function subjectOf({ file: { name, timeframe } }: Window): { symbol: string; timeframe?: Timeframe } {
  return timeframe === '1min' ? { symbol: name } : { symbol: name, timeframe };
}

function rowsOf({ quantiles }: WindowForecast): number[][] {
  return Array.from({ length: HORIZON_BARS }, (_, i) =>
    Array.from(quantiles.subarray(i * LEVEL_COUNT, (i + 1) * LEVEL_COUNT), short),
  );
}

function short(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
