/** One JSON line per measured window, so that an outsider can rebuild every figure. Forecasting facts, section 6. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { QUANTILE_LEVELS } from '#domain/forecast/quantiles.ts';
import { lookbackOf, type Window } from '../scripts/measure/windows.ts';
import { tableClassOf } from '../server/forecast/har-model.ts';
import type { HarModel } from '../server/forecast/model-file.ts';
import type { ReadyModel } from '../server/forecast/model-registry.ts';
import { closeQuantiles } from '../server/forecast/quantile-bands.ts';

const DIGITS = 7;

/** Quantiles are of ln(C[t+h] / C[t]); `rv50` and `range50` are in log return; `ms` is the whole forecast. */
export function writeForecastLines(file: string, ready: ReadyModel, har: HarModel, windows: readonly Window[]): void {
  const handle = openSync(file, 'w');
  try {
    for (const w of windows) writeSync(handle, `${JSON.stringify(lineOf(w, ready, har))}\n`);
  } finally {
    closeSync(handle);
  }
}

function lineOf(w: Window, ready: ReadyModel, har: HarModel): unknown {
  const { name, assetClass, tickSize } = w.file;
  const lookback = lookbackOf(w.file, w.index);
  const startedMs = performance.now();
  const { path, volatility } = ready.forecast({ sym: name, assetClass, tickSize }, lookback);
  const ms = performance.now() - startedMs;
  const quantiles = closeQuantiles(har, tableClassOf(assetClass), volatility.sigma);
  return {
    symbol: name,
    model: 'bobcat',
    t0: w.t0,
    levels: QUANTILE_LEVELS,
    close_q: quantiles.map((row) => row.map((value) => Number(value.toPrecision(DIGITS)))),
    candles: path.map(({ open, high, low, close }) => ({ open, high, low, close })),
    rv50: Number(volatility.rv50.toPrecision(DIGITS)),
    range50: Number(volatility.range50.toPrecision(DIGITS)),
    ms: Math.round(ms * 1000) / 1000,
  };
}
