/** What programs and assistants call with a personal key: the read API and the MCP server, under one set of limits. */
import type { Hono } from 'hono';
import { apiKeyReader } from '../account/api-keys/api-key-reader.ts';
import { keyWatch } from '../account/api-keys/key-watch.ts';
import { openEntitlements } from '../billing/entitlements.ts';
import type { Core } from '../core.ts';
import type { PredictionStore } from '../forecast/predictions/prediction-store.ts';
import type { Market } from '../market/market.ts';
import type { OwnAddress } from '../own-address.ts';
import { addressBehind } from '../platform/http/guards/slow-refusals.ts';
import { openEventFeed } from '../programs/events/event-feed.ts';
import { eventStore } from '../programs/events/event-store.ts';
import { keyGate } from '../programs/key-gate.ts';
import { keyLimits } from '../programs/key-limits.ts';
import { getChances } from '../programs/mcp/chance-tool.ts';
import { explainBand } from '../programs/mcp/explain-tool.ts';
import { getLatestForecast, listMarkets } from '../programs/mcp/market-tools.ts';
import { mcpRoutes } from '../programs/mcp/mcp-routes.ts';
import { listMyPredictions, listMyWatchlist } from '../programs/mcp/own-tools.ts';
import { getForecast, getTrackRecord } from '../programs/mcp/record-tools.ts';
import { readApi } from '../programs/read-api/read-api.ts';
import { latestForecasts } from '../programs/readings/latest-forecasts.ts';
import { summaryStore } from '../record/figures/summary-store.ts';
import { openReveal } from '../record/reveal.ts';
import { type ServerOptions, VERSION } from '../server-options.ts';
import type { ChanceServices } from './chances.ts';
import type { Forecasting } from './forecasting.ts';

export interface ProgramParts {
  core: Core;
  own: Pick<OwnAddress, 'isOwnUrl' | 'allowedOrigins'>;
  market: Pick<Market, 'symbols' | 'catalogue' | 'history'>;
  forecasting: Pick<Forecasting, 'forecasts'>;
  predictions: PredictionStore;
  chances: ChanceServices;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
}

export function programRoutes(options: ServerOptions, parts: ProgramParts): Hono[] {
  const { config } = options;
  const { core, own, market, predictions } = parts;
  const { database, clock, log, limiterOf } = core;
  const { kind: marketKind, kindOf } = options.market;
  const gate = keyGate({ keyOf: apiKeyReader(core), limits: keyLimits(undefined, limiterOf) });
  const reveal = openReveal({ clock, marketClock: options.market.clock ?? clock, kindOf });
  const summaries = summaryStore(database, reveal);
  const { forecasts } = parts.forecasting;
  const latest = latestForecasts({ ...core, forecasts, predictions, symbols: market.symbols });
  const events = eventStore(database);
  const feed = openEventFeed({ store: events, log });
  const keys = keyWatch(core);
  const entitlements = openEntitlements(core);
  parts.stopping.addEventListener('abort', () => {
    feed.close();
    keys.close();
  });
  return [
    readApi({
      ...core,
      marketKind,
      reveal,
      gate,
      latest,
      events,
      feed,
      keys,
      ...parts.chances,
      hasPlan: async (userId) => (await entitlements.of(userId)).plan !== 'free',
      addressOf: addressBehind(config.trustedProxies),
      history: market.history,
      symbols: market.symbols,
      catalogue: market.catalogue,
      stopping: parts.stopping,
    }),
    mcpRoutes({
      gate,
      log,
      version: VERSION,
      tools: [
        listMarkets(market.catalogue),
        getLatestForecast(latest),
        getChances(parts.chances.chances),
        explainBand({ latest, summaries, marketKind }),
        getForecast({ database, reveal }),
        getTrackRecord({ summaries, clock, marketKind }),
        listMyPredictions(database),
        listMyWatchlist(database),
      ],
      isAllowedOrigin: (origin) => own.isOwnUrl(origin) || own.allowedOrigins.includes(origin),
    }),
  ];
}
