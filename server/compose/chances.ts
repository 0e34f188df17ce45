/** Opens the chances of all markets, from the shared forecasts and live prices. */
import type { Core } from '../core.ts';
import { type Chances, openChances } from '../forecast/chances/chances.ts';
import { type LiveChanceRooms, openLiveChances } from '../forecast/chances/live-chances.ts';
import { pathTablesReader } from '../forecast/chances/path-tables.ts';
import type { PredictionStore } from '../forecast/predictions/prediction-store.ts';
import type { Market } from '../market/market.ts';
import { similarChances } from '../record/chances/similar-chances.ts';
import { MODELS_DIR, type ServerOptions, type Undo } from '../server-options.ts';
import type { Forecasting } from './forecasting.ts';

export interface ChanceServices {
  chances: Chances;
  live: LiveChanceRooms;
}

export interface ChancePartsDeps {
  core: Core;
  market: Market;
  forecasting: Pick<Forecasting, 'forecasts' | 'registry'>;
  predictions: PredictionStore;
}

export function openChanceParts(
  options: ServerOptions,
  { core, market, forecasting, predictions }: ChancePartsDeps,
  undo: Undo,
): ChanceServices {
  const { config } = options;
  const { clock, log, limiterOf } = core;
  const modelsDir = options.modelsDir ?? config.modelsDir ?? MODELS_DIR;
  const marketClock = options.market.clock ?? clock;
  const { forecasts, registry } = forecasting;
  const { history, symbols } = market;
  const tablesOf = pathTablesReader({ modelsDir, registry, log });
  const similarOf = similarChances({ ...core, market: options.market.kind, nowMs: () => marketClock.nowMs() });
  const chances = openChances({ forecasts, tablesOf, history, symbols, predictions, limiterOf, similarOf });
  undo.push(async () => chances.close());
  const live = openLiveChances({ chances, log });
  undo.push(async () => live.close());
  return { chances, live };
}
