/** The forecast machine of one signed-in user, bound to the page: shows history on mount, closes on unmount. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { reportError } from '../../../platform/error-log.ts';
import { knownSymbol } from '../../../site/markets/known-markets.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { fetchNewest, fetchStoredForecast, fetchUnsaved, openForecastStream, savePrediction } from './forecast-api.ts';
import { sessionMemory } from './forecast-keeping.ts';
import { createForecastMachine, type ForecastMachine } from './forecast-machine.ts';
import { type ForecastRequest, type ForecastState, type WholeForecast, wholeOfStored } from './forecast-run.ts';
import { fetchHistory } from './history-api.ts';
import { type ChartMarket, isSameMarket } from './market.ts';
import { plainRequest, recoverLast, useRecovery } from './recovery.ts';
import { stillRunning, wholeOfRow } from './saved-forecast.ts';

export interface UseForecastOptions extends ChartMarket {
  userId: string;
  model: ModelName | null;
  /** A run ended; `row` is the saved prediction. */
  onEnded: (row: PredictionRow | null) => void;
  /** The user chose the market in this tab: a recovered forecast of another one is saved, but not drawn. */
  isPicked: boolean;
  /** False for admins, whose streams are never saved, and while the plan loads. */
  mayHaveUnsaved: boolean;
  /** The forecast of this request was restored to the chart. */
  onRestored: (request: ForecastRequest) => void;
  /** The user opened a saved prediction, which the chart shows instead. */
  isOpened: boolean;
}

export interface UseForecast {
  machine: ForecastMachine;
  state: ForecastState;
  /** Resolves when the market is on the chart, and its running forecast if there is one. */
  settled(): Promise<void>;
  /** Shows a market, and the user's forecast of it while its 50 candles run. */
  showMarket(market: ChartMarket): void;
  /** The market only, also if a forecast of it was still on its way. */
  refresh(): void;
  /** The chart shows this market now. */
  shows(market: ChartMarket): void;
}

export function useForecast(feed: CandleFeed, options: UseForecastOptions): UseForecast {
  const latest = useRef(options);
  latest.current = options;
  const [machine] = useState(() => createMachine(feed, (row) => latest.current.onEnded(row)));
  const state = useSyncExternalStore(machine.subscribe, machine.state);
  const { symbol, timeframe, model, userId } = options;

  const [interrupted] = useState(() => interruptedRun(options));
  const shown = useRef<ChartMarket | null>(null);
  const settled = useRef<Promise<void>>(Promise.resolve());
  const returning = useRef(new AbortController());

  function showMarket(next: ChartMarket): void {
    const isFirst = shown.current === null;
    shown.current = next;
    returning.current.abort();
    returning.current = new AbortController();
    settled.current = showWithForecast(next, isFirst, returning.current.signal);
  }

  async function showWithForecast(next: ChartMarket, isFirst: boolean, signal: AbortSignal): Promise<void> {
    const finding = findReturning(next, isFirst, signal);
    await machine.show(next);
    const whole = await finding;
    if (whole === null || signal.aborted || !isBare(machine.state())) return;
    const running = stillRunning(whole, feed.series().candles);
    if (running !== null) machine.present(running, 'returned');
  }

  /** @param isFirst  the panel opens: useRecovery looks for a stream that was not saved */
  async function findReturning(
    next: ChartMarket,
    isFirst: boolean,
    signal: AbortSignal,
  ): Promise<WholeForecast | null> {
    const { isOpened, mayHaveUnsaved, onEnded } = latest.current;
    if (isOpened) return null;
    const recovered = !isFirst && mayHaveUnsaved ? await recoverLast(userId, PORTS, signal, next) : null;
    if (recovered !== null) {
      onEnded(recovered.row);
      return wholeOfStored(recovered.stored);
    }
    const row = await fetchNewest(userId, next, signal).catch((error: unknown) => {
      if (!signal.aborted) reportError(error, { where: 'returning forecast' });
      return null;
    });
    return row === null ? null : wholeOfRow(row);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: showMarket reads the latest options
  useEffect(() => {
    const market = { symbol, timeframe };
    if (isSameMarket(market, shown.current)) return;
    if (shown.current !== null || interrupted === null) return showMarket(market);
    const { remembered, request } = interrupted;
    shown.current = request;
    latest.current.onRestored(request);
    settled.current = machine.restore(remembered, request);
  }, [machine, symbol, timeframe, userId]);

  useRecovery({
    userId,
    isEnabled: options.mayHaveUnsaved && interrupted === null,
    ports: PORTS,
    onRecovered: async ({ request, stored, row }) => {
      toast.success('Your last forecast was finished and saved.');
      latest.current.onEnded(row);
      await settled.current;
      // The recovered forecast is saved either way, but drawn only if the user has not picked or run anything else.
      const { isPicked, isOpened } = latest.current;
      const isElsewhere = isOpened || (isPicked && !isSameMarket(request, shown.current));
      if (shown.current === null || isElsewhere || !isUntouched(machine.state())) return;
      shown.current = request;
      latest.current.onRestored(request);
      machine.present(wholeOfStored(stored), 'returned');
    },
  });

  useEffect(() => {
    const { activeRequest } = machine.state();
    if (activeRequest !== null && activeRequest.model !== model) machine.close('selection-changed');
  }, [machine, model]);

  useEffect(
    () => () => {
      shown.current = null;
      returning.current.abort();
      machine.close('left');
    },
    [machine],
  );

  return {
    machine,
    state,
    settled: () => settled.current,
    showMarket,
    refresh: () => {
      returning.current.abort();
      settled.current = machine.show({ symbol, timeframe });
    },
    shows: (next) => {
      shown.current = next;
    },
  };
}

/** Nothing has run since the panel opened. `left` remains when React mounts the page twice. */
function isUntouched({ phase, closedBy, origin }: ForecastState): boolean {
  return origin === 'returned' || (phase === 'idle' && (closedBy === null || closedBy === 'left'));
}

/** Only the market is on the chart. */
function isBare({ phase, start, hasHistoryFailed }: ForecastState): boolean {
  return phase === 'idle' && start === null && !hasHistoryFailed;
}

const PORTS = {
  loadHistory: fetchHistory,
  openStream: openForecastStream,
  save: ({ model, ...market }: ForecastRequest, candles: Candle[]) => savePrediction(MODELS[model], market, candles),
  loadStored: fetchStoredForecast,
  loadUnsaved: fetchUnsaved,
  memory: sessionMemory(),
  notify: (message: string) => void toast.error(message),
  report: reportError,
};

function createMachine(feed: CandleFeed, onEnded: (row: PredictionRow | null) => void): ForecastMachine {
  return createForecastMachine({ ...PORTS, onEnded }, feed);
}

/** The run that a reload interrupted, unless the address names another market. */
function interruptedRun({ userId, isPicked, ...chosen }: UseForecastOptions) {
  const remembered = PORTS.memory.recall(userId);
  const symbol = remembered === null ? null : knownSymbol(remembered.symbolLabel);
  if (remembered === null || symbol === null) return null;
  const request = plainRequest(userId, { symbol, timeframe: remembered.timeframe }, remembered.model);
  return isPicked && !isSameMarket(request, chosen) ? null : { remembered, request };
}
