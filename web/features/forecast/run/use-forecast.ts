/** The forecast machine of one signed-in user, bound to the page: shows history on mount, closes on unmount. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { Candle } from '#domain/market/candle.ts';
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { reportError } from '../../../platform/error-log.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { fetchHistory, fetchStoredForecast, fetchUnsaved, openForecastStream, savePrediction } from './forecast-api.ts';
import { sessionMemory } from './forecast-keeping.ts';
import { createForecastMachine, type ForecastMachine } from './forecast-machine.ts';
import type { ForecastRequest, ForecastState } from './forecast-run.ts';
import { plainRequest, useRecovery } from './recovery.ts';

export interface UseForecastOptions {
  userId: string;
  symbol: MarketSymbol;
  model: ModelName | null;
  /** A run ended; `row` is the saved prediction. */
  onEnded: (row: PredictionRow | null) => void;
  /** The user chose the symbol in this tab: a forecast recovered meanwhile is saved, but not drawn. */
  isPicked: boolean;
  /** False for admins, whose streams are never saved, and while the plan loads. */
  mayHaveUnsaved: boolean;
  /** A forecast of this symbol and model was restored to the chart. */
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

  const [hasOwn] = useState(() => restoredRequest(userId) !== null);
  const shown = useRef<MarketSymbol | null>(null);
  const opened = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => {
    if (shown.current === symbol) return;
    const isFirst = shown.current === null;
    shown.current = symbol;
    const restored = isFirst ? restoredRequest(userId) : null;
    if (restored === null) {
      opened.current = machine.show(symbol);
      return;
    }
    shown.current = restored.request.symbol;
    latest.current.onRestored(restored.request.symbol, restored.request.model);
    opened.current = machine.restore(restored.remembered, restored.request);
  }, [machine, symbol, userId]);

  useRecovery({
    userId,
    isEnabled: options.mayHaveUnsaved && !hasOwn,
    ports: PORTS,
    onRecovered: async ({ request, stored, row }) => {
      toast.success('Your last forecast was finished and saved.');
      latest.current.onEnded(row);
      await opened.current;
      // The recovered forecast is saved either way, but drawn only if the user has not picked or run anything.
      if (shown.current === null || latest.current.isPicked || !isUntouched(machine.state())) return;
      shown.current = request.symbol;
      latest.current.onRestored(request.symbol, request.model);
      machine.present(stored);
    },
  });

  useEffect(() => {
    const { activeRequest } = machine.state();
    if (activeRequest !== null && activeRequest.model !== model) machine.close('selection-changed');
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

/** Nothing has run since the panel opened. `left` remains when React mounts the page twice. */
function isUntouched({ phase, closedBy }: ForecastState): boolean {
  return phase === 'idle' && (closedBy === null || closedBy === 'left');
}

const PORTS = {
  loadHistory: fetchHistory,
  openStream: openForecastStream,
  save: ({ model, symbol }: ForecastRequest, candles: Candle[]) => savePrediction(MODELS[model], symbol.label, candles),
  loadStored: fetchStoredForecast,
  loadUnsaved: fetchUnsaved,
  memory: sessionMemory(),
  notify: (message: string) => void toast.error(message),
  report: reportError,
};

function createMachine(feed: CandleFeed, onEnded: (row: PredictionRow | null) => void): ForecastMachine {
  return createForecastMachine({ ...PORTS, onEnded }, feed);
}

function restoredRequest(userId: string) {
  const remembered = PORTS.memory.recall(userId);
  const symbol = remembered === null ? null : symbolOfLabel(remembered.symbolLabel);
  if (remembered === null || symbol === null) return null;
  return { remembered, request: plainRequest(userId, symbol, remembered.model) };
}
