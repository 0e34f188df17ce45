/** The forecast machine of one signed-in user, bound to the page: opened with history, closed when the page is left. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { DEFAULT_AMPLIFY_PERCENT } from '#domain/forecast/window.ts';
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import type { CandleFeed } from '../../charts/candle-feed.ts';
import { reportError } from '../../platform/error-log.ts';
import { toast } from '../../ui/toast.ts';
import { fetchHistory, fetchStoredForecast, openForecastStream, savePrediction } from './forecast-api.ts';
import { createForecastMachine, type ForecastMachine } from './forecast-machine.ts';
import type { ForecastRequest, ForecastState } from './forecast-state.ts';
import { sessionMemory } from './reservation-memory.ts';

export interface UseForecastOptions {
  userId: string;
  symbol: MarketSymbol;
  model: ModelName | null;
  /** A run ended; `row` is what was saved. */
  onEnded: (row: PredictionRow | null) => void;
  /** A reload found an unfinished forecast of this symbol and model. */
  onRestored: (symbol: MarketSymbol, model: ModelName) => void;
}

export interface UseForecast {
  machine: ForecastMachine;
  state: ForecastState;
}

export function useForecast(feed: CandleFeed, options: UseForecastOptions): UseForecast {
  const latest = useRef(options);
  latest.current = options;
  const [machine] = useState(() => createMachine(feed, (row) => latest.current.onEnded(row)));
  const state = useSyncExternalStore(machine.subscribe, machine.state);
  const { symbol, model, userId } = options;

  const shown = useRef<MarketSymbol | null>(null);
  useEffect(() => {
    if (shown.current === symbol) return;
    const isFirst = shown.current === null;
    shown.current = symbol;
    const restored = isFirst ? restoredRequest(userId) : null;
    if (restored === null) {
      void machine.show(symbol);
      return;
    }
    shown.current = restored.request.symbol;
    latest.current.onRestored(restored.request.symbol, restored.request.model);
    void machine.restore(restored.remembered, restored.request);
  }, [machine, symbol, userId]);

  const streamed = useRef(model);
  useEffect(() => {
    const isChange = streamed.current !== null && streamed.current !== model;
    streamed.current = model;
    const { phase } = machine.state();
    if (isChange && (phase === 'streaming' || phase === 'interrupted')) machine.close('selection-changed');
  }, [machine, model]);

  useEffect(
    () => () => {
      shown.current = null;
      machine.close('left');
    },
    [machine],
  );

  return { machine, state };
}

function createMachine(feed: CandleFeed, onEnded: (row: PredictionRow | null) => void): ForecastMachine {
  return createForecastMachine(
    {
      loadHistory: fetchHistory,
      openStream: openForecastStream,
      save: ({ model, symbol }, candles) => savePrediction(MODELS[model], symbol.label, candles),
      loadStored: fetchStoredForecast,
      memory: sessionMemory(),
      tell: (message) => toast.error(message),
      report: reportError,
      onEnded,
    },
    feed,
  );
}

function restoredRequest(userId: string) {
  const remembered = sessionMemory().recall(userId);
  const symbol = remembered === null ? null : symbolOfLabel(remembered.symbolLabel);
  if (remembered === null || symbol === null) return null;
  const request: ForecastRequest = {
    userId,
    symbol,
    model: remembered.model,
    ampPercent: DEFAULT_AMPLIFY_PERCENT,
    isAdmin: false,
  };
  return { remembered, request };
}
