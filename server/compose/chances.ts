/** Opens the chances of all markets, from the shared forecasts and live prices. */
import type { ChanceRouteDeps } from '../forecast/chances/chance-routes.ts';
import { type Chances, openChances } from '../forecast/chances/chances.ts';
import { type LiveChanceRooms, openLiveChances } from '../forecast/chances/live-chances.ts';
import { pathTablesReader } from '../forecast/chances/path-tables.ts';
import type { PredictionStore } from '../forecast/predictions/prediction-store.ts';
import type { Market } from '../market/market.ts';
import type { Database } from '../platform/database/database.ts';
import { similarChances } from '../record/chances/similar-chances.ts';
import { MODELS_DIR, type ServerOptions, type Undo } from '../server-options.ts';
import type { Forecasting } from './forecasting.ts';

export interface ChanceServices {
  chances: Chances;
  live: LiveChanceRooms;
}

export interface ChancePartsDeps {
  database: Database;
  market: Market;
  forecasting: Pick<Forecasting, 'forecasts' | 'registry'>;
  predictions: PredictionStore;
  limiterOf: ChanceRouteDeps['limiterOf'];
}

export function openChanceParts(
  options: ServerOptions,
  { database, market, forecasting, predictions, limiterOf }: ChancePartsDeps,
  undo: Undo,
): ChanceServices {
  const { config, log, clock } = options;
  const modelsDir = options.modelsDir ?? config.modelsDir ?? MODELS_DIR;
  const marketClock = options.market.clock ?? clock;
  const { forecasts, registry } = forecasting;
  const { history, symbols } = market;
  const tablesOf = pathTablesReader({ modelsDir, registry, log });
  const similarOf = similarChances({ database, market: options.market.kind, nowMs: () => marketClock.nowMs(), log });
  const chances = openChances({ forecasts, tablesOf, history, symbols, predictions, limiterOf, similarOf });
  undo.push(async () => chances.close());
  const live = openLiveChances({ chances, log });
  undo.push(async () => live.close());
  return { chances, live };
}
