/**
 * The run of a prediction: history, stream, 50 candles, save. Free of any framework; the page reads its state and its
 * feed. Specification 2, section 4.2. A run is identified by its abort signal: whatever belongs to an older one is dropped.
 */
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { StoredForecast, StreamStart } from '#domain/forecast/stream-message.ts';
import { HISTORY_BARS, HORIZON_BARS, joinPrediction } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { type CandleFeed, EMPTY_SERIES } from '../../charts/candle-feed.ts';
import type { ForecastEvent, StreamRequest } from './forecast-api.ts';
import { badMessage, closingOf, StreamProblem } from './forecast-closing.ts';
import { type CloseReason, type ForecastRequest, type ForecastState, IDLE, isRunning } from './forecast-state.ts';
import type { Remembered, ReservationMemory } from './reservation-memory.ts';

export interface ForecastPorts {
  loadHistory(symbol: MarketSymbol, signal: AbortSignal): Promise<Candle[]>;
  openStream(request: StreamRequest, lastEventId: string | null, signal: AbortSignal): AsyncIterable<ForecastEvent>;
  save(request: ForecastRequest, candles: Candle[]): Promise<PredictionRow | null>;
  loadStored(reservationId: string, signal: AbortSignal): Promise<StoredForecast | null>;
  memory: ReservationMemory;
  /** A short message to the user. */
  tell(message: string): void;
  report(error: unknown, context: Record<string, unknown>): void;
  /** A run came to its end: the quota may have changed, and `row` may be new. */
  onEnded(row: PredictionRow | null): void;
}

export interface ForecastMachine {
  state(): ForecastState;
  /** @returns the undo */
  subscribe(listener: () => void): () => void;
  /** Shows a symbol's history; closes whatever ran. */
  show(symbol: MarketSymbol): Promise<void>;
  predict(request: ForecastRequest): Promise<void>;
  /** Goes on after a lost connection, behind the last candle seen. */
  resume(): Promise<void>;
  /** Finishes what a reload cut off. */
  restore(remembered: Remembered, request: ForecastRequest): Promise<void>;
  /** Draws a forecast that is saved already. */
  present(stored: StoredForecast): void;
  close(reason: CloseReason): void;
}

interface Run {
  request: ForecastRequest;
  history: Candle[];
  forecast: Candle[];
  start: StreamStart | null;
  lastEventId: string | null;
  abort: AbortController;
}

export function createForecastMachine(ports: ForecastPorts, feed: CandleFeed): ForecastMachine {
  let state = IDLE;
  let abort = new AbortController();
  let run: Run | null = null;
  const listeners = new Set<() => void>();

  function set(change: Partial<ForecastState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  /** Ends what ran before and gives the next work its own signal. */
  function renew(): AbortController {
    abort.abort();
    abort = new AbortController();
    return abort;
  }

  async function show(symbol: MarketSymbol): Promise<void> {
    if (run !== null) close('selection-changed');
    const { signal } = renew();
    run = null;
    feed.reset(EMPTY_SERIES);
    set({ ...IDLE, phase: 'loading-history', closedBy: state.closedBy });
    if ((await loadHistory(symbol, signal)) !== null) set({ phase: 'idle' });
  }

  /** Draws the last 150 candles. Null when it failed, which is told and not tried again, or when it is too late. */
  async function loadHistory(symbol: MarketSymbol, signal: AbortSignal): Promise<Candle[] | null> {
    try {
      const history = await ports.loadHistory(symbol, signal);
      if (signal.aborted) return null;
      feed.reset({ candles: history.slice(-HISTORY_BARS), joinS: null, band: null });
      return history;
    } catch (error) {
      if (signal.aborted) return null;
      ports.report(error, { where: 'history', symbol: symbol.label });
      ports.tell(HISTORY_FAILED);
      set({ phase: 'idle', hasHistoryFailed: true, notice: HISTORY_FAILED, closedBy: 'history-failed' });
      return null;
    }
  }

  async function predict(request: ForecastRequest): Promise<void> {
    if (isRunning(state) && run !== null) return;
    if (request.userId === null) return close('no-user');
    const controller = renew();
    run = null;
    set({ ...IDLE, phase: 'loading-history' });
    const history = await loadHistory(request.symbol, controller.signal);
    if (history === null) return;
    run = { request, history, forecast: [], start: null, lastEventId: null, abort: controller };
    await follow(run);
  }

  async function resume(): Promise<void> {
    if (state.phase !== 'interrupted' || run === null) return;
    run.abort = renew();
    await follow(run);
  }

  async function follow(current: Run): Promise<void> {
    const { signal } = current.abort;
    set({ phase: 'streaming', notice: null, closedBy: null });
    try {
      for await (const event of ports.openStream(current.request, current.lastEventId, signal)) {
        if (signal.aborted) return;
        await take(current, event, signal);
        if (signal.aborted) return;
        if (current.forecast.length === HORIZON_BARS) break;
      }
      if (current.forecast.length < HORIZON_BARS) throw new StreamProblem('stream/lost', LOST);
    } catch (error) {
      if (!signal.aborted) breakOff(current, error);
      return;
    }
    await finish(current);
  }

  async function take(current: Run, event: ForecastEvent, signal: AbortSignal): Promise<void> {
    if (event.type === 'error') throw new StreamProblem('stream/error-message', event.message);
    if (event.type === 'start') await takeStart(current, event.start, signal);
    else takeCandle(current, event.candle);
    current.lastEventId = event.id ?? current.lastEventId;
  }

  async function takeStart(current: Run, start: StreamStart, signal: AbortSignal): Promise<void> {
    // A resumed stream may tell its start again; the picture already has it.
    if (current.start !== null) return;
    const { request } = current;
    if (start.sym !== request.symbol.sym || start.model !== request.model) throw badMessage();
    current.start = start;
    if (start.reservationId !== null && request.userId !== null) {
      const { reservationId } = start;
      ports.memory.remember({
        reservationId,
        userId: request.userId,
        symbolLabel: request.symbol.label,
        model: request.model,
      });
    }
    current.history = await historyUpTo(start, current, signal);
    if (signal.aborted) return;
    feed.reset({ candles: current.history, joinS: start.t0, band: start.band });
    set({ start });
  }

  /** The 150 candles that end where the model stopped reading; a minute may have turned since they were loaded. */
  async function historyUpTo(start: StreamStart, current: Run, signal: AbortSignal): Promise<Candle[]> {
    const known = endingAt(current.history, start.t0);
    if (known !== null) return known;
    const reloaded = endingAt(await ports.loadHistory(current.request.symbol, signal), start.t0);
    if (reloaded !== null) return reloaded;
    throw new StreamProblem('stream/other-history', HISTORY_FAILED);
  }

  function takeCandle(current: Run, candle: Candle): void {
    if (current.start === null) throw badMessage();
    const expectedS = current.start.t0 + MINUTE_S * (current.forecast.length + 1);
    // Sent again after a resume.
    if (candle.time < expectedS) return;
    if (candle.time > expectedS) throw badMessage();
    current.forecast.push(candle);
    feed.append(candle);
  }

  async function finish(current: Run): Promise<void> {
    if (current.request.isAdmin) {
      set({ phase: 'done', closedBy: 'finished' });
      return ports.onEnded(null);
    }
    set({ phase: 'saving', closedBy: 'finished' });
    const row = await save(current);
    if (run === current) set({ phase: 'done' });
    ports.onEnded(row);
  }

  /** A failure to save is silent: it is reported, not shown. Specification 2, section 4.2. */
  async function save(current: Run): Promise<PredictionRow | null> {
    try {
      const row = await ports.save(current.request, joinPrediction(current.history, current.forecast));
      forget(current);
      if (run === current) set({ isSaved: true });
      return row;
    } catch (error) {
      // Only a server that answered has decided; after a lost connection a reload may still save.
      if (closingOf(error).isDecided) forget(current);
      ports.report(error, { where: 'create-prediction' });
      return null;
    }
  }

  /** Not what a later run of this tab remembers. */
  function forget({ start }: Run): void {
    ports.memory.forget(start?.reservationId ?? null);
  }

  function breakOff(current: Run, error: unknown): void {
    const closing = closingOf(error);
    if (closing.isReported) ports.report(error, { where: 'stream', code: closing.code });
    const canResume = closing.reason === 'connection-lost' && current.lastEventId !== null && !current.request.isAdmin;
    if (canResume) {
      set({ phase: 'interrupted', closedBy: closing.reason, notice: closing.notice });
      return;
    }
    run = null;
    if (closing.isDecided) forget(current);
    const candles = endingAt(current.history, current.start?.t0 ?? null) ?? current.history.slice(-HISTORY_BARS);
    feed.reset({ candles, joinS: null, band: null });
    set({ ...IDLE, closedBy: closing.reason, notice: closing.notice });
    if (closing.reason === 'refused' || closing.reason === 'history-failed') ports.tell(closing.notice);
    ports.onEnded(null);
  }

  async function restore(remembered: Remembered, request: ForecastRequest): Promise<void> {
    const { signal } = renew();
    run = null;
    set({ ...IDLE, phase: 'loading-history' });
    const stored = await ports.loadStored(remembered.reservationId, signal).catch((error: unknown) => {
      if (!signal.aborted) ports.report(error, { where: 'stored forecast' });
      return null;
    });
    if (signal.aborted) return;
    if (stored === null || stored.forecast.length < HORIZON_BARS || stored.history.length < HISTORY_BARS) {
      ports.memory.forget(remembered.reservationId);
      return show(request.symbol);
    }
    if (stored.state === 'spent') {
      ports.memory.forget(remembered.reservationId);
      return present(stored);
    }
    const { start, history, forecast } = stored;
    draw(stored);
    run = { request, history, forecast, start, lastEventId: null, abort };
    set({ start });
    await finish(run);
  }

  function present(stored: StoredForecast): void {
    renew();
    run = null;
    draw(stored);
    set({ ...IDLE, phase: 'done', start: stored.start, closedBy: 'finished', isSaved: true });
  }

  function draw({ start, history, forecast }: StoredForecast): void {
    feed.reset({ candles: joinPrediction(history, forecast), joinS: start.t0, band: start.band });
  }

  function close(reason: CloseReason): void {
    const wasSaving = state.phase === 'saving';
    // Dropped for something else: a reload must not bring it back. What the server keeps of it is saved later.
    if (reason === 'selection-changed') ports.memory.forget();
    abort.abort();
    run = null;
    // Saving goes on by itself: the forecast was watched to its end.
    if (isRunning(state) || state.phase === 'interrupted') {
      if (!wasSaving) resetToHistory();
      set({ ...IDLE, closedBy: reason });
    } else set({ closedBy: reason });
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
    close,
  };
}

const HISTORY_FAILED = 'Failed to load';
const LOST = 'The connection was lost.';

/** The last 150 candles up to and with `t0`; null when `t0` or enough candles are missing. */
function endingAt(history: readonly Candle[], t0: number | null): Candle[] | null {
  const end = history.findLastIndex((candle) => candle.time === t0);
  return end + 1 < HISTORY_BARS ? null : history.slice(end + 1 - HISTORY_BARS, end + 1);
}
