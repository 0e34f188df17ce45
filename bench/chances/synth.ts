/**
 * Scores a thousand simulated paths of an hour by the rule of mode-network/synth-subnet: `npm run bench -- synth --data
 * DIR [--from ISO --to ISO] [--stride 29]`. Prints the model's score against an EWMA and a log-HAR simulator.
 */
import { MINUTE_S } from '#domain/market/candle.ts';
import { BadInput } from '../../scripts/measure/bad-input.ts';
import { BlockSums } from '../../scripts/measure/block-bootstrap.ts';
import { forecastOf } from '../../scripts/measure/chances/answered-questions.ts';
import type { MeasuredSymbol } from '../../scripts/measure/measured-symbols.ts';
import { type MeasuredModel, runBatch } from '../../scripts/measure/windows/score-windows.ts';
import { type Window, windowsOf } from '../../scripts/measure/windows/windows.ts';
import { readable } from '../forecasts/readable.ts';
import { openChancesRun } from './chances-run.ts';
import { hourVariance, modelPaths, walkPaths } from './simulators.ts';
import { SYNTH_STEPS, synthTerms } from './synth-score.ts';

const BATCH_WINDOWS = 64;
const DAY_S = 86_400;
const SIMULATORS = ['model', 'ewma', 'har'] as const;

/** Sums of every simulator's terms, by day. */
class SynthSums {
  readonly #days = new Map<string, BlockSums>();
  readonly #drawMs: number[] = [];
  #hours = 0;

  add(t0: number, simulator: number, terms: ReadonlyMap<string, number>): void {
    const whole = [...terms.values()].reduce((sum, term) => sum + term, 0);
    for (const [term, value] of [['all', whole] as const, ...terms]) {
      const sums = this.#days.get(term) ?? new BlockSums(SIMULATORS.length, DAY_S);
      this.#days.set(term, sums);
      sums.add(t0, simulator, value);
    }
  }

  addTime(ms: number): void {
    this.#hours++;
    this.#drawMs.push(ms);
  }

  figures(): Record<string, unknown> {
    const sorted = Float64Array.from(this.#drawMs).sort();
    const timeAt = (share: number): number => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    return {
      hours: this.#hours,
      drawMs: { p50: timeAt(0.5), p99: timeAt(0.99) },
      terms: [...this.#days].map(([term, sums]) => {
        const estimate = sums.estimator();
        const mean = (column: number): number => round(estimate((all) => all[column] ?? 0).value / this.#hours);
        const lead = (rival: number): number[] => {
          const { value, low, high } = estimate((all) => 100 * (1 - (all[0] ?? 0) / (all[rival] ?? 1)));
          return [value, low, high].map(round);
        };
        return {
          term,
          score: Object.fromEntries(SIMULATORS.map((name, i) => [name, mean(i)])),
          leadPercent: { ewma: lead(1), har: lead(2) },
        };
      }),
    };
  }
}

try {
  const { options, models, symbols, warnings, log, close } = await openChancesRun(process.argv.slice(2), windowsOf);
  const before = process.cpuUsage();
  const figures: unknown[] = [];
  for (const model of models) {
    const sums = new SynthSums();
    for (const symbol of symbols) {
      await addHours(symbol, model, sums);
      log(`${model.name}, ${symbol.file.name}: ${symbol.windows.length} hours`);
    }
    figures.push({ model: model.name, ...sums.figures() });
  }
  await close();
  const { user, system } = process.cpuUsage(before);
  const { strideMinutes } = options;
  console.log(readable({ strideMinutes, warnings, processorS: round((user + system) / 1e6), models: figures }));
} catch (error) {
  if (!(error instanceof BadInput)) throw error;
  console.error(`bench:synth: ${error.message}`);
  process.exitCode = 2;
}

async function addHours(symbol: MeasuredSymbol, model: MeasuredModel, sums: SynthSums): Promise<void> {
  const har = symbol.harOfClass();
  if (har === null) throw new BadInput(`${symbol.file.name}: too few earlier windows of its class to fit log-HAR`);
  for (let start = 0; start < symbol.windows.length; start += BATCH_WINDOWS) {
    const batch = symbol.windows.slice(start, start + BATCH_WINDOWS);
    const [run] = await runBatch([model], batch);
    for (const [i, window] of batch.entries()) {
      const real = pricesOf(window);
      const forecast = forecastOf(model, window, run?.outputs[i]);
      if (real === null || forecast === null) continue;
      const startedMs = performance.now();
      const own = modelPaths(forecast);
      sums.addTime(performance.now() - startedMs);
      const { lastClose, scale } = window.features;
      const ewma = new Float64Array(SYNTH_STEPS).fill(scale ** 2);
      const harVariance = hourVariance(har.har.of(window).sigma);
      const walks = [ewma, harVariance].map((variance) => walkPaths(lastClose, variance, forecast.key));
      for (const [at, paths] of [own, ...walks].entries()) sums.add(window.t0, at, synthTerms(paths, real));
    }
  }
}

/** The last close and the sixty after it; null if one is missing. */
function pricesOf({ file, index, t0 }: Window): number[] | null {
  const hour = file.candles.slice(index, index + SYNTH_STEPS + 1);
  const isWhole = hour.length === SYNTH_STEPS + 1 && hour.at(-1)?.time === t0 + SYNTH_STEPS * MINUTE_S;
  return isWhole ? hour.map(({ close }) => close) : null;
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
