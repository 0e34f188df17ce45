/** The forecasts of one signed-in user, bound to the page: shows history on mount, closes on unmount. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ModelName } from '#domain/forecast/models.ts';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { reportError } from '../../../platform/error-log.ts';
import { knownSymbol } from '../../../site/markets/known-markets.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { type ChartMarket, isSameMarket } from './chart-market.ts';
import { fetchNewest } from './forecast-api.ts';
import { createForecastMachine, type ForecastMachine } from './forecast-machine.ts';
import { activeRequest, type ForecastRequest, type ForecastState, isBare, isUntouched } from './forecast-state.ts';
import { plainRequest, recoverLast, useRecovery } from './recovery.ts';
import { stillRunning, type WholeForecast, wholeOfRow, wholeOfStored } from './saved-forecast.ts';
import { recallRun } from './watched-run.ts';

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
}

export function useForecast(feed: CandleFeed, options: UseForecastOptions): UseForecast {
  const latest = useRef(options);
  latest.current = options;
  const [machine] = useState(() => createForecastMachine(feed, (row) => latest.current.onEnded(row)));
  const state = useSyncExternalStore(machine.subscribe, machine.state);
  const { symbol, timeframe, model, userId } = options;

  const [interrupted] = useState(() => interruptedRun(options));
  const settled = useRef<Promise<void>>(Promise.resolve());
  const returning = useRef(new AbortController());

  function showMarket(next: ChartMarket): void {
    const isFirst = machine.state().market === null;
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
    if (running !== null) machine.present(next, running, 'returned');
  }

  /** @param isFirst  the panel opens: useRecovery looks for a stream that was not saved */
  async function findReturning(
    next: ChartMarket,
    isFirst: boolean,
    signal: AbortSignal,
  ): Promise<WholeForecast | null> {
    const { isOpened, mayHaveUnsaved, onEnded } = latest.current;
    if (isOpened) return null;
    const recovered = !isFirst && mayHaveUnsaved ? await recoverLast(userId, signal, next) : null;
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
    const shown = machine.state().market;
    if (isSameMarket(market, shown)) return;
    if (shown !== null || interrupted === null) return showMarket(market);
    const { watched, request } = interrupted;
    latest.current.onRestored(request);
    settled.current = machine.restore(watched, request);
  }, [machine, symbol, timeframe, userId]);

  useRecovery({
    userId,
    isEnabled: options.mayHaveUnsaved && interrupted === null,
    onRecovered: async ({ request, stored, row }) => {
      toast.success('Your last forecast was finished and saved.');
      latest.current.onEnded(row);
      await settled.current;
      // The recovered forecast is saved either way, but drawn only if the user has not picked or run anything else.
      const { isPicked, isOpened } = latest.current;
      const { market } = machine.state();
      const isElsewhere = isOpened || (isPicked && !isSameMarket(request, market));
      if (market === null || isElsewhere || !isUntouched(machine.state())) return;
      latest.current.onRestored(request);
      machine.present(request, wholeOfStored(stored), 'returned');
    },
  });

  useEffect(() => {
    const active = activeRequest(machine.state());
    if (active !== null && active.model !== model) machine.close('selection-changed');
  }, [machine, model]);

  useEffect(
    () => () => {
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
  };
}

/** The run that a reload interrupted, unless the address names another market. */
function interruptedRun({ userId, isPicked, ...chosen }: UseForecastOptions) {
  const watched = recallRun(userId);
  const symbol = watched === null ? null : knownSymbol(watched.symbolLabel);
  if (watched === null || symbol === null) return null;
  const request = plainRequest(userId, { symbol, timeframe: watched.timeframe }, watched.model);
  return isPicked && !isSameMarket(request, chosen) ? null : { watched, request };
}
