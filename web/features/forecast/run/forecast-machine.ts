/** Free of any framework; the page reads its state and feed. Events of a run whose signal is aborted are dropped. */
import type { StreamStart } from '#domain/forecast/stream-message.ts';
import { HISTORY_BARS, HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { type CandleFeed, EMPTY_SERIES } from '../../../charts/candles/candle-feed.ts';
import { CallError, isServerBusy } from '../../../platform/calls/call-error.ts';
import type { ForecastEvent } from './forecast-api.ts';
import { findWatched, forgetRun, saveRun } from './forecast-keeping.ts';
import type { Remembered } from './forecast-run.ts';
import {
  acceptCandle,
  acceptStart,
  type CloseReason,
  closingOf,
  type ForecastPorts,
  type ForecastRequest,
  type ForecastState,
  HISTORY_FAILED,
  historyUpTo,
  IDLE,
  isRunning,
  LOST,
  newRun,
  type Run,
  realCandlesOf,
  SERVER_BUSY,
  serverMessageOf,
  storedRun,
  type WholeForecast,
  wholeOfStored,
} from './forecast-run.ts';
import type { Patience } from './history-api.ts';
import { type ChartMarket, isSameMarket } from './market.ts';
import { reveal } from './reveal.ts';

/** How long a run waits for an overloaded server before it fails. */
const ROOM_WAIT_MS = 60_000;

export interface ForecastMachine {
  state(): ForecastState;
  subscribe(listener: () => void): () => void;
  /** Shows a market's history; closes any run in progress. */
  show(market: ChartMarket): Promise<void>;
  predict(request: ForecastRequest): Promise<void>;
  resume(): Promise<void>;
  restore(remembered: Remembered, request: ForecastRequest): Promise<void>;
  /** Draws a forecast that is already saved. */
  present(whole: WholeForecast, origin: 'returned' | 'opened'): void;
  /** Draws the public forecast candle by candle, as a stream arrives; requests and saves nothing. */
  play(whole: WholeForecast): void;
  close(reason: CloseReason): void;
}

export function createForecastMachine(ports: ForecastPorts, feed: CandleFeed): ForecastMachine {
  let state = IDLE;
  let abort = new AbortController();
  let run: Run | null = null;
  /** The market whose loaded history is on the chart; null for an empty chart or a stored forecast. */
  let loaded: ChartMarket | null = null;
  /** The last history failed to load. */
  let wasFailing = false;
  const listeners = new Set<() => void>();

  function set(change: Partial<ForecastState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  /** Resets everything but the facts about the candles, which stay on the chart. */
  function restart(change: Partial<ForecastState>): void {
    const { marketKind, isMarketOpen, source } = state;
    set({ ...IDLE, marketKind, isMarketOpen, source, ...change });
  }

  function renew(): AbortController {
    abort.abort();
    abort = new AbortController();
    run = null;
    return abort;
  }

  async function show(market: ChartMarket): Promise<void> {
    if (run !== null || state.activeRequest !== null) close('selection-changed');
    const { signal } = renew();
    // A refresh leaves the present candles until newer ones arrive.
    if (isSameMarket(market, loaded)) resetToHistory();
    else {
      feed.reset(EMPTY_SERIES);
      loaded = null;
      set({ marketKind: null, isMarketOpen: true, source: null });
    }
    restart({ phase: 'loading-history', closedBy: state.closedBy });
    if ((await loadHistory(market, signal)) !== null) set({ phase: 'idle' });
  }

  /** Draws the last 150 candles. Returns null after an abort or a failure, which is shown and not retried. */
  async function loadHistory(market: ChartMarket, signal: AbortSignal, patience?: Patience): Promise<Candle[] | null> {
    try {
      const { candles, ...metadata } = await ports.loadHistory(market, signal, patience);
      if (signal.aborted) return null;
      feed.reset({ candles: candles.slice(-HISTORY_BARS), joinS: null, band: null });
      loaded = market;
      wasFailing = false;
      set(metadata);
      return candles;
    } catch (error) {
      if (signal.aborted) return null;
      ports.report(error, { where: 'history', symbol: market.symbol.label });
      const isMarketBusy = isServerBusy(error);
      // A failure that is on the screen is not announced each time that it repeats.
      if (!isMarketBusy && !wasFailing) ports.notify(HISTORY_FAILED);
      resetToHistory();
      const whyFailed = serverMessageOf(error);
      const source = state.source && { ...state.source, isStale: true };
      wasFailing = true;
      const failed = { hasHistoryFailed: true, isMarketBusy, notice: HISTORY_FAILED, whyFailed } as const;
      restart({ source, ...failed, closedBy: 'history-failed' });
      return null;
    }
  }

  async function predict(request: ForecastRequest): Promise<void> {
    if (isRunning(state) && run !== null) return;
    if (request.userId === null) return close('no-user');
    const controller = renew();
    restart({ phase: 'loading-history', activeRequest: request });
    const patience = patienceFor(request);
    const history = await loadHistory(request, controller.signal, patience);
    if (history === null) return;
    // The request was withdrawn meanwhile: the candles may stay, but a stream would cost.
    if (state.activeRequest !== request) return set({ phase: 'idle' });
    run = newRun(request, history, controller);
    await follow(run, patience);
  }

  function patienceFor(request: ForecastRequest): Patience {
    const onWait = () => {
      if (state.activeRequest === request) set({ isServerBusy: true });
    };
    return { untilMs: performance.now() + ROOM_WAIT_MS, onWait };
  }

  async function resume(): Promise<void> {
    if (state.phase !== 'interrupted' || run === null) return;
    const current = run;
    current.abort = renew();
    run = current;
    await follow(current, patienceFor(current.request));
  }

  async function follow(current: Run, patience: Patience): Promise<void> {
    const { signal } = current.abort;
    set({ phase: 'streaming', notice: null, closedBy: null });
    try {
      for await (const event of ports.openStream(current.request, current.lastEventId, signal, patience)) {
        if (signal.aborted) return;
        if (state.isServerBusy) set({ isServerBusy: false });
        await take(current, event, signal);
        if (signal.aborted) return;
        if (current.forecast.length === HORIZON_BARS) break;
      }
      if (current.forecast.length < HORIZON_BARS) throw new CallError('stream/lost', LOST, 0);
    } catch (error) {
      if (!signal.aborted) breakOff(current, error);
      return;
    }
    await finish(current);
  }

  async function take(current: Run, event: ForecastEvent, signal: AbortSignal): Promise<void> {
    if (event.type === 'error') throw new CallError('stream/error-message', event.message, 0);
    if (event.type === 'start') await takeStart(current, event.start, signal);
    else if (acceptCandle(current, event.candle)) feed.append(event.candle);
    current.lastEventId = event.id ?? current.lastEventId;
  }

  async function takeStart(current: Run, start: StreamStart, signal: AbortSignal): Promise<void> {
    // A resumed stream may repeat its start, which the chart already has.
    if (current.start !== null) return;
    acceptStart(current, start, ports.memory);
    current.history = await historyUpTo(start, current, ports.loadHistory, signal);
    if (signal.aborted) return;
    feed.reset({ candles: current.history, joinS: start.t0, band: start.band, ampPercent: start.ampPercent });
    set({ start, origin: 'run', marketKind: start.marketKind });
  }

  async function finish(current: Run): Promise<void> {
    if (current.request.isAdmin) {
      set({ phase: 'done', closedBy: 'finished', activeRequest: null });
      return ports.onEnded(null);
    }
    set({ phase: 'saving', closedBy: 'finished', activeRequest: null });
    const { isSaved, row } = await saveRun(current, ports);
    if (run === current) set({ phase: 'done', isSaved });
    ports.onEnded(row);
  }

  function breakOff(current: Run, error: unknown): void {
    const closing = closingOf(error);
    if (closing.isReported) ports.report(error, { where: 'stream', code: closing.code });
    const isCutOff = closing.reason === 'connection-lost' || closing.code === SERVER_BUSY;
    const canResume = isCutOff && current.lastEventId !== null && !current.request.isAdmin;
    if (canResume) {
      set({ phase: 'interrupted', isServerBusy: false, closedBy: closing.reason, notice: closing.notice });
    } else {
      run = null;
      if (closing.isDecided) forgetRun(current, ports);
      feed.reset({ candles: realCandlesOf(current), joinS: null, band: null });
      restart({ closedBy: closing.reason, notice: closing.notice });
      if (closing.reason === 'refused' || closing.reason === 'history-failed') ports.notify(closing.notice);
    }
    ports.onEnded(null);
  }

  async function restore(remembered: Remembered, request: ForecastRequest): Promise<void> {
    const controller = renew();
    set({ ...IDLE, phase: 'loading-history' });
    const stored = await findWatched(remembered, ports, controller.signal);
    if (controller.signal.aborted) return;
    if (stored === null) return show(request);
    if (stored.state === 'spent') return present(wholeOfStored(stored), 'returned');
    loaded = null;
    feed.reset(wholeOfStored(stored).series);
    run = storedRun(request, stored, controller);
    set({ start: stored.start, origin: 'returned', marketKind: stored.start.marketKind });
    await finish(run);
  }

  function present({ series, shown, marketKind }: WholeForecast, origin: 'returned' | 'opened'): void {
    if (isRunning(state)) close('selection-changed');
    renew();
    loaded = null;
    feed.reset(series);
    restart({
      ...(marketKind !== null && { marketKind }),
      // An opened one may be of any day, and of a market that was open then.
      ...(origin === 'opened' && { source: null, isMarketOpen: true }),
      phase: 'done',
      start: shown,
      origin,
      closedBy: 'finished',
      isSaved: true,
    });
  }

  function play({ series, shown, marketKind }: WholeForecast): void {
    const { signal } = renew();
    loaded = null;
    signal.addEventListener('abort', reveal(feed, series));
    restart({ marketKind: marketKind ?? state.marketKind, source: null, start: shown, origin: 'shared' });
  }

  function close(reason: CloseReason): void {
    const { phase, isServerBusy } = state;
    // A reload must not bring back a run the user dropped. Recovery later saves what the server still stores.
    if (reason === 'selection-changed' || reason === 'cancelled') ports.memory.forget();
    // The loading candles are still wanted; only the stream after them is not.
    if (phase === 'loading-history' && reason === 'selection-changed' && !isServerBusy) {
      set({ activeRequest: null, closedBy: reason });
      return;
    }
    abort.abort();
    run = null;
    // Saving continues in the background, because the user watched the forecast to its end.
    if (isRunning(state) || phase === 'interrupted') {
      if (phase !== 'saving') resetToHistory();
      restart({ closedBy: reason });
    } else set({ closedBy: reason });
    if (phase === 'streaming') ports.onEnded(null);
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
