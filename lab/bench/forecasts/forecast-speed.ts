/**
 * The speed of a forecast, compared with the cheapest possible one; its process's memory; ten thousand requests a
 * minute.
 */
import { readFileSync } from 'node:fs';
import { MODEL_NAMES, type ModelName } from '../../../domain/forecast/models.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { DEFAULT_SYMBOL } from '../../../domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '../../../domain/market/timeframes.ts';
import { systemClock } from '../../../domain/time/clock.ts';
import { openForecasts } from '../../../server/forecast/forecast-cache.ts';
import { openInference } from '../../../server/forecast/inference/inference-client.ts';
import { generatedCandles } from '../../../server/forecast/models/generated-candles.ts';
import {
  type ModelRegistry,
  openModelRegistry,
  type ReadyModel,
} from '../../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../../server/forecast/models/opened-model.ts';
import { PATH_COUNT } from '../../../server/forecast/paths/paths.ts';
import { normalDraw, seededRandom } from '../../../server/forecast/paths/random.ts';
import { createLogger } from '../../../server/platform/telemetry/log.ts';

const RUNS = 1000;
const WARM_UP_RUNS = 100;
const CALLERS = 10_000;
const LOOKBACKS = 16;
const TIMEOUT_MS = 10_000;
const WATCHED_SYMBOLS = 300;
const WATCHED_S = 300;

export interface Timing {
  p50Ms: number;
  p99Ms: number;
}

/** Processor time does not depend on what else the machine does, as elapsed time does. */
export interface OwnTiming extends Timing {
  processorMs: number;
}

export interface SpeedFigures {
  /** One whole forecast: features, network, 64 paths, candles, bands. */
  models: Partial<Record<ModelName, { inThisProcess: OwnTiming; throughInferenceProcess: Timing }>>;
  /** Per cent of a core for WATCHED_SYMBOLS symbols and every ready model, each once in WATCHED_S. */
  watchingPercentOfACore: number;
  /** A plain random walk of 64 x 50 normal draws. */
  randomWalk: Timing;
  /**
   * With every ready model open and warm: resident now, the peak, and resident before the models of a longer timeframe
   * opened, when those of one minute were. Null if the system does not report it.
   */
  inferenceProcessMb: { resident: number; highest: number; residentBefore: number } | null;
  sharing: { callers: number; computations: number; microsecondsPerCaller: number } | null;
}

/**
 * Run on one core (`taskset -c 0`) to compare with lab/figures/forecasts.md.
 * @param modelsDir  folder of the one-minute models, and of the folders of the others
 */
export async function measureSpeed(modelsDir: string, timeframe: Timeframe = '1min'): Promise<SpeedFigures> {
  const here = inProcessRunner();
  const apart = openInference({ log: createLogger('warn'), timeoutMs: TIMEOUT_MS });
  try {
    const registries = {
      here: await openModelRegistry(modelsDir, here),
      apart: await openModelRegistry(modelsDir, apart),
    };
    const residentBefore = apart.pid === null ? Number.NaN : (residentMb(apart.pid)?.resident ?? Number.NaN);
    const models: SpeedFigures['models'] = {};
    const ready: ModelName[] = [];
    for (const name of MODEL_NAMES) {
      const opened = await Promise.all(Object.values(registries).map((one) => one.open(name, timeframe).catch(asNone)));
      const [ours, theirs] = opened;
      if (ours == null || theirs == null) continue;
      ready.push(name);
      const before = process.cpuUsage();
      const timing = await timedForecasts(ours, timeframe);
      const { user, system } = process.cpuUsage(before);
      models[name] = {
        inThisProcess: { ...timing, processorMs: round((user + system) / 1000 / (WARM_UP_RUNS + RUNS)) },
        throughInferenceProcess: await timedForecasts(theirs, timeframe),
      };
    }
    const [first] = ready;
    const processorMs = ready.reduce((sum, name) => sum + (models[name]?.inThisProcess.processorMs ?? 0), 0);
    return {
      models,
      watchingPercentOfACore: round((100 * WATCHED_SYMBOLS * processorMs) / (1000 * WATCHED_S)),
      randomWalk: await timed(plainWalk),
      inferenceProcessMb: withBefore(apart.pid === null ? null : residentMb(apart.pid), residentBefore),
      sharing: first === undefined ? null : await measureSharing(registries.apart, first, timeframe),
    };
  } finally {
    await here.close();
    await apart.close();
  }
}

/** A model that is not trained, or disabled, is left out. */
const asNone = (): null => null;

function timedForecasts(model: ReadyModel, timeframe: Timeframe): Promise<Timing> {
  const lookbacks = Array.from({ length: LOOKBACKS }, (_, i) => lookback(`speed-${i}`, timeframe));
  return timed(async (run) => {
    const { path } = await model.forecast(DEFAULT_SYMBOL, lookbacks[run % LOOKBACKS] ?? []);
    return path.length;
  });
}

function lookback(seed: string, timeframe: Timeframe) {
  const barS = barSecondsOf(timeframe);
  return generatedCandles({ seed, count: 450, firstOpen: 60_000, tickSize: DEFAULT_SYMBOL.tickSize, barS });
}

/** All requests at the same time, for the same symbol, model and candle. */
async function measureSharing(
  registry: ModelRegistry,
  model: ModelName,
  timeframe: Timeframe,
): Promise<SpeedFigures['sharing']> {
  const candles = lookback('sharing', timeframe);
  const history = {
    latest: async () => ({
      candles,
      marketKind: 'simulated' as const,
      venueId: 'bench',
      attribution: 'Bench',
      delayS: 0,
      asOfS: candles.at(-1)?.time ?? null,
      isStale: false,
      isOpen: true,
      nowMs: Date.now(),
    }),
    close: async () => undefined,
  };
  const forecasts = openForecasts({ history, registry, clock: systemClock, log: createLogger('silent') });
  const { signal } = new AbortController();
  const startedMs = performance.now();
  // In waves, as viewers come: some while the first is still being computed, most after it.
  for (let wave = 0; wave < 10; wave++) {
    await Promise.all(
      Array.from({ length: CALLERS / 10 }, () =>
        forecasts.current('BINANCE', DEFAULT_SYMBOL, model, signal, timeframe),
      ),
    );
  }
  const elapsedMs = performance.now() - startedMs;
  return {
    callers: CALLERS,
    computations: forecasts.computations,
    microsecondsPerCaller: round((1000 * elapsedMs) / CALLERS),
  };
}

async function plainWalk(run: number): Promise<number> {
  const random = seededRandom('walk', run);
  let level = 0;
  for (let i = 0; i < PATH_COUNT * HORIZON_BARS; i++) level += 8e-4 * normalDraw(random);
  return level;
}

async function timed(work: (run: number) => Promise<number>): Promise<Timing> {
  let total = 0;
  const elapsedMs: number[] = [];
  for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
    const startedMs = performance.now();
    total += await work(Math.abs(run));
    if (run >= 0) elapsedMs.push(performance.now() - startedMs);
  }
  if (Number.isNaN(total)) throw new Error('the work gave no number');
  elapsedMs.sort((a, b) => a - b);
  return {
    p50Ms: round(elapsedMs[Math.floor(0.5 * RUNS)] ?? 0),
    p99Ms: round(elapsedMs[Math.floor(0.99 * RUNS)] ?? 0),
  };
}

type Memory = NonNullable<SpeedFigures['inferenceProcessMb']>;

function withBefore(memory: Omit<Memory, 'residentBefore'> | null, residentBefore: number): Memory | null {
  return memory === null ? null : { ...memory, residentBefore };
}

function residentMb(pid: number): Omit<Memory, 'residentBefore'> | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mb = (field: string): number => round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
    return { resident: mb('VmRSS'), highest: mb('VmHWM') };
  } catch {
    // Only Linux has it.
    return null;
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
