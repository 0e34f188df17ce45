/** The one place that changes the state. Events of a run whose signal is aborted are dropped. */
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { HISTORY_BARS, HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { type CandleFeed, EMPTY_SERIES } from '../../../charts/candles/candle-feed.ts';
import { CallError, isServerBusy } from '../../../platform/calls/call-error.ts';
import { reportError } from '../../../platform/error-log.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { type ChartMarket, isSameMarket } from './chart-market.ts';
import { fetchHistory } from './fetch-history.ts';
import { type ForecastEvent, openForecastStream } from './forecast-api.ts';
import {
  acceptEvent,
  closingOf,
  dropFromTab,
  HISTORY_FAILED,
  newRun,
  realCandlesOf,
  SERVER_BUSY,
  saveRun,
  storedRun,
} from './forecast-run.ts';
import {
  activeRequest,
  type CloseReason,
  chartFacts,
  EMPTY_CHART,
  type ForecastRequest,
  type ForecastRun,
  type ForecastState,
  IDLE,
  isRunning,
  NO_CANDLES,
  NO_FORECAST,
} from './forecast-state.ts';
import { reveal } from './reveal.ts';
import { type WholeForecast, wholeOfStored } from './saved-forecast.ts';
import { findWatched, forgetRun, type WatchedRun } from './watched-run.ts';

/** How long a run waits for an overloaded server before it fails. */
const ROOM_WAIT_MS = 60_000;

/** Its history and its stream share one wait. */
type Patience = NonNullable<Parameters<typeof fetchHistory>[2]>;

export interface ForecastMachine {
  state(): ForecastState;
  subscribe(listener: () => void): () => void;
  /** Shows a market's history; closes any run in progress. */
  show(market: ChartMarket): Promise<void>;
  predict(request: ForecastRequest): Promise<void>;
  resume(): Promise<void>;
  /** Finishes and saves the forecast that a reload interrupted. */
  restore(watched: WatchedRun, request: ForecastRequest): Promise<void>;
  /** Draws a forecast that is already saved. */
  present(market: ChartMarket, whole: WholeForecast, origin: 'returned' | 'opened'): void;
  /** Draws the public forecast candle by candle, as a stream arrives; requests and saves nothing. */
  play(whole: WholeForecast): void;
  close(reason: CloseReason): void;
}

/** @param onEnded  a stream ended for any reason: the quota may have changed, and `row` may be new */
export function createForecastMachine(feed: CandleFeed, onEnded: (row: PredictionRow | null) => void): ForecastMachine {
  let state: ForecastState = EMPTY_CHART;
  let abort = new AbortController();
  const listeners = new Set<() => void>();

  function become(next: ForecastState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  /** The facts about the candles, which stay on the chart. */
  function candleFacts() {
    return { ...chartFacts(state), ...NO_FORECAST };
  }

  function renew(): AbortSignal {
    abort.abort();
    abort = new AbortController();
    return abort.signal;
  }

  async function show(market: ChartMarket): Promise<void> {
    if (activeRequest(state) !== null || ('run' in state && state.run !== null)) close('selection-changed');
    const signal = renew();
    // A refresh leaves the present candles until newer ones arrive.
    const isRefresh = state.hasHistory && isSameMarket(market, state.market);
    if (isRefresh) resetToHistory();
    else feed.reset(EMPTY_SERIES);
    const { closedBy } = state;
    const loading = { phase: 'loading-history', request: null, isServerBusy: false } as const;
    become({ ...candleFacts(), ...(!isRefresh && NO_CANDLES), market, closedBy, ...loading });
    if ((await loadHistory(market, signal)) !== null) rest();
  }

  /** The history has loaded, and no stream follows. */
  function rest(): void {
    become({ ...chartFacts(state), ...IDLE });
  }

  /** Draws the last 150 candles. Returns null after an abort or a failure, which is shown and not retried. */
  async function loadHistory(market: ChartMarket, signal: AbortSignal, patience?: Patience): Promise<Candle[] | null> {
    try {
      const { candles, ...metadata } = await fetchHistory(market, signal, patience);
      if (signal.aborted) return null;
      feed.reset({ candles: candles.slice(-HISTORY_BARS), joinS: null, band: null });
      become({ ...state, ...metadata, market, hasHistory: true, isHistoryFailing: false });
      return candles;
    } catch (error) {
      if (signal.aborted) return null;
      failHistory(market, error);
      return null;
    }
  }

  function failHistory({ symbol }: ChartMarket, error: unknown): void {
    reportError(error, { where: 'history', symbol: symbol.label });
    const isBusy = isServerBusy(error);
    // A failure that is on the screen is not announced each time that it repeats.
    if (!isBusy && !state.isHistoryFailing) toast.error(HISTORY_FAILED);
    resetToHistory();
    const message = error instanceof CallError && error.status > 0 ? error.message : null;
    become({
      ...candleFacts(),
      source: state.source && { ...state.source, isStale: true },
      isHistoryFailing: true,
      closedBy: 'history-failed',
      phase: 'idle',
      notice: HISTORY_FAILED,
      historyFailure: { isServerBusy: isBusy, message },
    });
  }

  async function predict(request: ForecastRequest): Promise<void> {
    if (state.phase === 'streaming' || state.phase === 'saving') return;
    if (request.userId === null) return close('no-user');
    const signal = renew();
    become({ ...candleFacts(), phase: 'loading-history', request, isServerBusy: false });
    const patience = patienceFor(request);
    const history = await loadHistory(request, signal, patience);
    if (history === null) return;
    // The request was withdrawn meanwhile: the candles may stay, but a stream would cost.
    if (activeRequest(state) !== request) return rest();
    await follow(newRun(request, history), signal, patience);
  }

  function patienceFor(request: ForecastRequest): Patience {
    const onWait = () => {
      if (state.phase !== 'loading-history' && state.phase !== 'streaming') return;
      if (activeRequest(state) === request) become({ ...state, isServerBusy: true });
    };
    return { untilMs: performance.now() + ROOM_WAIT_MS, onWait };
  }

  async function resume(): Promise<void> {
    if (state.phase !== 'interrupted') return;
    const { run } = state;
    await follow(run, renew(), patienceFor(run.request));
  }

  async function follow(run: ForecastRun, signal: AbortSignal, patience: Patience): Promise<void> {
    const isServerBusy = state.phase === 'loading-history' && state.isServerBusy;
    become({ ...chartFacts(state), closedBy: null, phase: 'streaming', run, isServerBusy });
    try {
      for await (const event of openForecastStream(run.request, run.lastEventId, signal, patience)) {
        if (signal.aborted) return;
        if (state.phase === 'streaming' && state.isServerBusy) become({ ...state, isServerBusy: false });
        if (await acceptEvent(run, event, signal)) draw(run, event);
        if (signal.aborted) return;
        if (run.forecast.length === HORIZON_BARS) break;
      }
      if (run.forecast.length < HORIZON_BARS) throw new CallError('stream/lost', 'The connection was lost.', 0);
    } catch (error) {
      if (!signal.aborted) breakOff(run, error);
      return;
    }
    await finish(run);
  }

  function draw(run: ForecastRun, event: ForecastEvent): void {
    if (event.type === 'candle') feed.append(event.candle);
    if (event.type !== 'start') return;
    const { start } = event;
    const { t0, band, ampPercent, releases } = start;
    feed.reset({ candles: run.history, joinS: t0, band, ampPercent, releases });
    become({ ...state, start, origin: 'run', marketKind: start.marketKind });
  }

  async function finish(run: ForecastRun): Promise<void> {
    const facts = { ...chartFacts(state), closedBy: 'finished' } as const;
    if (run.request.isAdmin) {
      become({ ...facts, phase: 'done', run, isSaved: false });
      return onEnded(null);
    }
    become({ ...facts, phase: 'saving', run });
    const { isSaved, row } = await saveRun(run);
    if (state.phase === 'saving' && state.run === run) become({ ...chartFacts(state), phase: 'done', run, isSaved });
    onEnded(row);
  }

  function breakOff(run: ForecastRun, error: unknown): void {
    const { code, reason, notice, isReported, isDecided } = closingOf(error);
    if (isReported) reportError(error, { where: 'stream', code });
    const isCutOff = reason === 'connection-lost' || code === SERVER_BUSY;
    if (isCutOff && run.lastEventId !== null && !run.request.isAdmin) {
      become({ ...chartFacts(state), closedBy: reason, phase: 'interrupted', run, notice });
    } else {
      if (isDecided) dropFromTab(run);
      feed.reset({ candles: realCandlesOf(run), joinS: null, band: null });
      become({ ...candleFacts(), ...IDLE, closedBy: reason, notice });
      if (reason === 'refused' || reason === 'history-failed') toast.error(notice);
    }
    onEnded(null);
  }

  async function restore(watched: WatchedRun, request: ForecastRequest): Promise<void> {
    const signal = renew();
    become({
      ...chartFacts(EMPTY_CHART),
      market: request,
      phase: 'loading-history',
      request: null,
      isServerBusy: false,
    });
    const stored = await findWatched(watched, signal);
    if (signal.aborted) return;
    if (stored === null) return show(request);
    const whole = wholeOfStored(stored);
    if (stored.state === 'spent') return present(request, whole, 'returned');
    feed.reset(whole.series);
    become({ ...state, start: stored.start, origin: 'returned', marketKind: stored.start.marketKind });
    await finish(storedRun(request, stored));
  }

  function present(market: ChartMarket, whole: WholeForecast, origin: 'returned' | 'opened'): void {
    if (isRunning(state)) close('selection-changed');
    renew();
    feed.reset(whole.series);
    become({
      ...candleFacts(),
      ...(whole.marketKind !== null && { marketKind: whole.marketKind }),
      // An opened one may be of any day, and of a market that was open then.
      ...(origin === 'opened' && { source: null, isMarketOpen: true }),
      market,
      hasHistory: false,
      start: whole.shown,
      origin,
      closedBy: 'finished',
      phase: 'done',
      run: null,
      isSaved: true,
    });
  }

  function play({ series, shown, marketKind }: WholeForecast): void {
    renew().addEventListener('abort', reveal(feed, series));
    become({
      ...candleFacts(),
      hasHistory: false,
      marketKind: marketKind ?? state.marketKind,
      source: null,
      start: shown,
      origin: 'shared',
      ...IDLE,
    });
  }

  function close(reason: CloseReason): void {
    // A reload must not bring back a run the user dropped. Recovery later saves what the server still stores.
    if (reason === 'selection-changed' || reason === 'cancelled') forgetRun();
    // The loading candles are still wanted; only the stream after them is not.
    if (state.phase === 'loading-history' && reason === 'selection-changed' && !state.isServerBusy) {
      become({ ...state, request: null, closedBy: reason });
      return;
    }
    abort.abort();
    const { phase } = state;
    // A page that is mounted again starts with its market.
    const market = reason === 'left' ? null : state.market;
    if (state.phase === 'idle') become({ ...state, market, closedBy: reason });
    else if (state.phase === 'done') become({ ...state, market, closedBy: reason, run: null });
    else {
      // Saving continues in the background, because the user watched the forecast to its end.
      if (state.phase !== 'saving') resetToHistory();
      become({ ...candleFacts(), ...IDLE, market, closedBy: reason });
    }
    if (phase === 'streaming') onEnded(null);
  }

  function resetToHistory(): void {
    const { candles, joinS } = feed.series();
    if (joinS !== null) feed.reset({ candles: candles.filter((c) => c.time <= joinS), joinS: null, band: null });
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show,
    predict,
    resume,
    restore,
    present,
    play,
    close,
  };
}
