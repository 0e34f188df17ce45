/** How fast one forecast is, against the cheapest thing that could pass for one; and what ten thousand askers of one minute cost. */
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { systemClock } from '#domain/time/clock.ts';
import { openForecasts } from '../server/forecast/forecast-cache.ts';
import { generatedCandles } from '../server/forecast/generated-candles.ts';
import type { ModelRegistry } from '../server/forecast/model-registry.ts';
import { PATH_COUNT } from '../server/forecast/paths.ts';
import { normalDraw, seededRandom } from '../server/forecast/random.ts';
import { createLogger } from '../server/platform/log.ts';

const RUNS = 2000;
const WARM_UP_RUNS = 200;
const CALLERS = 10_000;
const LOOKBACKS = 16;

export interface Timing {
  p50Ms: number;
  p99Ms: number;
}

/** One whole forecast (features, model, 64 paths, candles, bands) beside a plain random walk of 64 x 50 normal draws. */
export function measureSpeed(registry: ModelRegistry): { forecast: Timing; randomWalk: Timing; ratioP50: number } {
  const model = registry.ready('bobcat');
  const lookbacks = Array.from({ length: LOOKBACKS }, (_, i) =>
    generatedCandles({ seed: `speed-${i}`, count: 450, firstOpen: 60_000, tickSize: DEFAULT_SYMBOL.tickSize }),
  );
  const forecast = timed((run) => model.forecast(DEFAULT_SYMBOL, lookbacks[run % LOOKBACKS] ?? []).path.length);
  const randomWalk = timed((run) => plainWalk(run));
  return { forecast, randomWalk, ratioP50: round(forecast.p50Ms / randomWalk.p50Ms) };
}

/** Everyone asks at once for the same symbol, model and minute. */
export async function measureSharing(registry: ModelRegistry): Promise<{
  callers: number;
  computations: number;
  microsecondsPerCaller: number;
}> {
  const candles = generatedCandles({
    seed: 'sharing',
    count: 450,
    firstOpen: 60_000,
    tickSize: DEFAULT_SYMBOL.tickSize,
  });
  const history = {
    latest: async () => ({ candles, marketKind: 'simulated' as const, venueId: 'bench', isOpen: true }),
    close: async () => undefined,
  };
  const forecasts = openForecasts({ history, registry, clock: systemClock, log: createLogger('silent') });
  const { signal } = new AbortController();
  const startedMs = performance.now();
  // In waves, as viewers come: some while the first is still being computed, most after it.
  for (let wave = 0; wave < 10; wave++) {
    await Promise.all(
      Array.from({ length: CALLERS / 10 }, () => forecasts.current('BINANCE', DEFAULT_SYMBOL, 'bobcat', signal)),
    );
  }
  const elapsedMs = performance.now() - startedMs;
  return {
    callers: CALLERS,
    computations: forecasts.computations,
    microsecondsPerCaller: round((1000 * elapsedMs) / CALLERS),
  };
}

function plainWalk(run: number): number {
  const random = seededRandom('walk', run);
  let level = 0;
  for (let i = 0; i < PATH_COUNT * HORIZON_BARS; i++) level += 8e-4 * normalDraw(random);
  return level;
}

function timed(work: (run: number) => number): Timing {
  let kept = 0;
  const elapsedMs: number[] = [];
  for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
    const startedMs = performance.now();
    kept += work(Math.abs(run));
    if (run >= 0) elapsedMs.push(performance.now() - startedMs);
  }
  if (Number.isNaN(kept)) throw new Error('the work gave no number');
  elapsedMs.sort((a, b) => a - b);
  return {
    p50Ms: round(elapsedMs[Math.floor(0.5 * RUNS)] ?? 0),
    p99Ms: round(elapsedMs[Math.floor(0.99 * RUNS)] ?? 0),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
