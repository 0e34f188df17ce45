/**
 * The shipped models' widths every five minutes of recorded candles, with the outcomes. Computed once and stored in a
 * folder if one is named: correction rules can then be tried in seconds.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HORIZON_BARS, LOOKBACK_BARS } from '../../../domain/forecast/window.ts';
import { barSecondsOf } from '../../../domain/market/timeframes.ts';
import { slotSecondsOf, UPPER_LEVELS } from '../../../domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '../../../domain/record/scoring/scoring.ts';
import { buildModelInputs, type ModelInputs } from '../../../server/forecast/network/model-inputs.ts';
import { volatilityOf } from '../../../server/forecast/network/network-forecast.ts';
import { type CandleFile, sha256Of } from '../candle-files.ts';
import type { MeasuredModel } from '../windows/score-windows.ts';
import { lookbackOf } from '../windows/windows.ts';

/** Values per slot and model: upper quantiles of ln(C[t+h] / C[t]) by scored bar, then by level. */
export const SLOT_WIDTH = SCORED_BARS.length * UPPER_LEVELS.length;

export interface BandForecasts {
  /** Epoch seconds, rising; the forecast's last candle opens a bar earlier. */
  slots: Float64Array;
  /** [slot][scored bar], ln(C[t+h] / C[t]). */
  actual: Float32Array;
  /** By model: [slot][SLOT_WIDTH]. */
  upper: Float32Array[];
}

const BATCH = 64;

/** Slots of a file without a gap in the 450 bars before and 50 bars after. */
function wholeSlots({ candles, timeframe }: CandleFile): { slot: number; index: number }[] {
  const found: { slot: number; index: number }[] = [];
  const [barS, slotS] = [barSecondsOf(timeframe), slotSecondsOf(timeframe)];
  let soundFrom = 0;
  for (const [i, candle] of candles.entries()) {
    if (i > 0 && candle.time - (candles[i - 1]?.time ?? 0) !== barS) soundFrom = i;
    const index = i - HORIZON_BARS;
    if (index - soundFrom + 1 < LOOKBACK_BARS) continue;
    const slot = candle.time - (HORIZON_BARS - 1) * barS;
    if (slot % slotS === 0) found.push({ slot, index });
  }
  return found;
}

/** @param cacheDir  cache folder of earlier results, named by candles and model versions; null: no cache */
export async function bandForecasts(
  file: CandleFile,
  models: readonly MeasuredModel[],
  cacheDir: string | null,
): Promise<BandForecasts> {
  const places = wholeSlots(file);
  const [count, bars] = [places.length, SCORED_BARS.length];
  const name = sha256Of(
    [file.sha256, file.timeframe, ...models.map(({ modelVersion }) => modelVersion)].join(' '),
  ).slice(0, 16);
  const path = cacheDir === null ? null : join(cacheDir, `${file.name}-${name}.f32`);
  const result: BandForecasts = {
    slots: Float64Array.from(places, ({ slot }) => slot),
    actual: new Float32Array(count * bars),
    upper: models.map(() => new Float32Array(count * SLOT_WIDTH)),
  };
  const parts = [result.actual, ...result.upper];
  if (path !== null && existsSync(path)) {
    const bytes = readFileSync(path);
    let at = 0;
    for (const part of parts) {
      part.set(new Float32Array(bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + part.byteLength)));
      at += part.byteLength;
    }
    return result;
  }
  for (let start = 0; start < count; start += BATCH) {
    const batch = places.slice(start, start + BATCH);
    const inputs = batch.map(({ index }) => buildModelInputs(lookbackOf(file, index), file.assetClass, file.timeframe));
    for (const [i, { index }] of batch.entries()) {
      const last = file.candles[index]?.close ?? Number.NaN;
      const changes = SCORED_BARS.map((bar) => Math.log((file.candles[index + bar]?.close ?? Number.NaN) / last));
      result.actual.set(changes, (start + i) * bars);
    }
    for (const [m, model] of models.entries()) await fillUpper(result.upper[m], model, inputs, start);
  }
  if (path !== null && cacheDir !== null) {
    mkdirSync(cacheDir, { recursive: true });
    writeFileSync(`${path}.part`, Buffer.concat(parts.map((part) => new Uint8Array(part.buffer))));
    renameSync(`${path}.part`, path);
  }
  return result;
}

async function fillUpper(
  into: Float32Array | undefined,
  model: MeasuredModel,
  inputs: readonly ModelInputs[],
  start: number,
): Promise<void> {
  const outputs = await model.network.run(inputs);
  for (const [i, output] of outputs.entries()) {
    const input = inputs[i];
    if (input === undefined) continue;
    const { upperQuantiles } = volatilityOf(output, input.features);
    for (const [b, bar] of SCORED_BARS.entries()) {
      into?.set(upperQuantiles[bar - 1] ?? [], (start + i) * SLOT_WIDTH + b * UPPER_LEVELS.length);
    }
  }
}
