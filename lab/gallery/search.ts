/**
 * The first forecast with the required accuracy, for each of five places. Examples chosen by their outcome prove
 * nothing, so the mean of all searched forecasts is stored beside them.
 */
import { MODEL_NAMES, type ModelName } from '../../domain/forecast/models.ts';
import type { ForecastBand } from '../../domain/forecast/quantiles.ts';
import { HISTORY_BARS } from '../../domain/forecast/window.ts';
import { galleryAccuracy, type PathAndOutcome } from '../../domain/gallery/gallery-accuracy.ts';
import type { GallerySearch } from '../../domain/gallery/gallery-example.ts';
import { type Candle, MINUTE_S } from '../../domain/market/candle.ts';
import { type MarketSymbol, SYMBOLS } from '../../domain/market/symbols.ts';
import { bandCoverage } from '../../domain/record/scoring/band-coverage.ts';
import type { ModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { windowReader } from './windows.ts';

/** The search looks back from here: 1 November 2026, 00:00 UTC. */
const END_S = 1_793_491_200;
/** Not a divisor of hour or day, so that every time of day occurs. */
const STEP_MIN = 787;
const TIMES = 100;

/** The five places in order, with the required accuracies. */
export const PLACES = [
  { accuracy: 90, symbol: 'BTC', model: 'lion' },
  { accuracy: 90, symbol: 'ETH', model: 'bobcat' },
  { accuracy: 30, symbol: 'SOL', model: 'lion' },
  { accuracy: 80, symbol: 'Gold', model: 'panther' },
  { accuracy: 90, symbol: 'DOGE', model: 'panther' },
] as const satisfies readonly { accuracy: number; symbol: string; model: ModelName }[];

export interface FoundForecast {
  symbol: MarketSymbol;
  model: ModelName;
  modelVersion: string;
  t0: number;
  history: Candle[];
  path: Candle[];
  band: ForecastBand;
  outcome: Candle[];
  accuracy: number;
}

export interface Found {
  examples: FoundForecast[];
  search: GallerySearch;
}

/** @throws Error if a place stays empty: then the models have changed and the search needs more times */
export async function findExamples(registry: ModelRegistry): Promise<Found> {
  const searched: FoundForecast[] = [];
  for (const label of new Set(PLACES.map((place) => place.symbol))) {
    for (const t0 of times()) {
      for (const model of MODEL_NAMES) {
        const found = await forecastAt(registry, model, label, t0);
        if (found !== null) searched.push(found);
      }
    }
  }
  const taken = new Set<number>();
  const examples = PLACES.map((place) => {
    const isFit = (found: FoundForecast): boolean =>
      found.symbol.label === place.symbol && found.model === place.model && found.accuracy === place.accuracy;
    const example = searched.find((found) => isFit(found) && !taken.has(found.t0));
    if (example === undefined) throw new Error(`No ${place.model} forecast of ${place.symbol} at ${place.accuracy}%.`);
    taken.add(example.t0);
    return example;
  });
  const covered = searched.map((found) => bandCoverage(found.band, closesOf(found).outcome));
  const percentInside = (within: 'within80' | 'within95') =>
    tenth(mean(covered.map((one) => (100 * one[within]) / one.bars)));
  return {
    examples,
    search: {
      forecasts: searched.length,
      meanAccuracy: tenth(mean(searched.map(({ accuracy }) => accuracy))),
      inside80: percentInside('within80'),
      inside95: percentInside('within95'),
    },
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const tenth = (value: number): number => Math.round(10 * value) / 10;

/** One forecast as it would have been made at `t0`, and what followed; null if trading was closed. */
export async function forecastAt(
  registry: ModelRegistry,
  model: ModelName,
  label: string,
  t0: number,
): Promise<FoundForecast | null> {
  const symbol = SYMBOLS.find((known) => known.label === label);
  if (symbol === undefined) throw new Error(`There is no symbol ${label}.`);
  const window = readerOf(symbol)(t0);
  if (window === null) return null;
  const ready = registry.ready(model);
  const { path, band } = await ready.forecast(symbol, window.lookback);
  const { outcome } = window;
  const accuracy = galleryAccuracy(closesOf({ history: window.lookback, path, outcome }));
  const history = window.lookback.slice(-HISTORY_BARS);
  return { symbol, model, modelVersion: ready.modelVersion, t0, history, path, band, outcome, accuracy };
}

export function closesOf({
  history,
  path,
  outcome,
}: Pick<FoundForecast, 'history' | 'path' | 'outcome'>): PathAndOutcome {
  const closes = (candles: readonly Candle[]): number[] => candles.map(({ close }) => close);
  return { lastClose: history.at(-1)?.close ?? Number.NaN, forecast: closes(path), outcome: closes(outcome) };
}

const readers = new Map<string, ReturnType<typeof windowReader>>();

function readerOf(symbol: MarketSymbol): ReturnType<typeof windowReader> {
  const known = readers.get(symbol.sym) ?? windowReader(symbol);
  readers.set(symbol.sym, known);
  return known;
}

function times(): number[] {
  return Array.from({ length: TIMES }, (_, i) => END_S - (i + 1) * STEP_MIN * MINUTE_S);
}
