/**
 * Keeps a chart at its market: the forming candle moves with the price, closed bars roll on, and grow over a forecast
 * and past it.
 */
import { DEFAULT_AMPLIFY_PERCENT, HISTORY_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { pause } from '#domain/time/deadline.ts';
import { type CandleFeed, type LiveMoment, realCandles } from '../../../charts/candles/candle-feed.ts';
import type { History } from '../../../site/history-api.ts';
import type { ChartMarket } from '../run/chart-market.ts';
import { LiveBars, type NewestBars } from './live-bars.ts';
import { liveNowMs, watchCandles } from './live-candles-api.ts';

/** Between two moves of the forming candle. */
const MOVE_MS = 250;
/** The history is requested when a bar is missing for this long, then with growing pauses. */
const LATE_BAR_MS = 5000;
const MAX_PAUSE_MS = 60_000;
/** The minute turns for all pages at the same time; this spreads their requests. */
const SPREAD_MS = 1500;

type LoadHistory = (market: ChartMarket, signal: AbortSignal) => Promise<History>;

/** @returns a function that stops */
export function followLive(feed: CandleFeed, market: ChartMarket, loadHistory: LoadHistory): () => void {
  const barS = barSecondsOf(market.timeframe);
  const abort = new AbortController();
  let bars: LiveBars | null = null;
  let newest: NewestBars | null = null;
  let clock: { marketMs: number; atMs: number } | null = null;
  let aliveAtMs: number | null = null;
  let isMarketOpen = true;
  let isLoading = false;
  let pauseMs = LATE_BAR_MS;
  /** No bar counts as missing before this: what is on the chart was just loaded. */
  let overdueFromMs = 0;
  let mayLoadAtMs = 0;
  let shown = '';

  const marketNowMs = (): number | null => clock && clock.marketMs + liveNowMs() - clock.atMs;

  function begin(): void {
    if (abort.signal.aborted) return;
    bars = barsOf(feed, market);
    overdueFromMs = liveNowMs() + LATE_BAR_MS;
    shown = '';
    take();
    move();
    if (bars !== null && market.timeframe !== DEFAULT_TIMEFRAME) void load(false);
  }

  function take(): void {
    if (bars === null || newest === null) return;
    const change = bars.take(newest);
    if (change === 'gap') void load();
    else if (change === 'closed') showClosed();
  }

  function showClosed(): void {
    if (bars === null) return;
    pauseMs = LATE_BAR_MS;
    const { joinS } = feed.series();
    const real = joinS === null ? bars.closed.slice(-HISTORY_BARS) : bars.closed.filter(({ time }) => time > joinS);
    feed.close(real, bars.forming);
  }

  /** @param isWhole  false: the bars are current, and only the minutes of the one that forms are missing */
  async function load(isWhole = true): Promise<void> {
    if (isLoading || liveNowMs() < mayLoadAtMs || abort.signal.aborted) return;
    isLoading = true;
    const known = newest;
    try {
      // Ends with the chart, so that nothing is requested for one that was left.
      await pause(Math.random() * SPREAD_MS, abort.signal);
      const isLonger = market.timeframe !== DEFAULT_TIMEFRAME;
      const [history, minutes] = await Promise.all([
        isWhole ? loadHistory(market, abort.signal) : null,
        isLonger ? loadHistory({ ...market, timeframe: DEFAULT_TIMEFRAME }, abort.signal) : null,
      ]);
      const answer = history ?? minutes;
      if (answer === null || abort.signal.aborted) return;
      isMarketOpen = answer.isMarketOpen;
      clock ??= { marketMs: answer.source.answeredAtMs - answer.source.delayS * 1000, atMs: liveNowMs() };
      merge(history?.candles ?? null, (minutes ?? answer).candles, known);
    } catch {
      // The next turn tries again; the chart says that its price is old.
    } finally {
      isLoading = false;
      mayLoadAtMs = liveNowMs() + pauseMs;
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
    }
  }

  function merge(history: readonly Candle[] | null, minutes: readonly Candle[], known: NewestBars | null): void {
    const { joinS } = feed.series();
    // A forecast of long ago, or of another market of this name: its candles stay as they are.
    if (history !== null && joinS !== null && !history.some(({ time }) => time === joinS)) bars = null;
    if (bars === null) return;
    const lastS = bars.closed.at(-1)?.time;
    if (!bars.merge(history ?? bars.closed, minutes, known)) return;
    if (newest !== null) bars.take(newest);
    if (bars.closed.at(-1)?.time !== lastS) showClosed();
    move();
  }

  function move(): void {
    // Before anything forms, the chart is as it was loaded.
    if (bars === null || (bars.forming === null && shown === '')) return;
    const { forming } = bars;
    const live = momentOf(bars);
    const next = JSON.stringify([forming, live]);
    if (next === shown) return;
    shown = next;
    feed.move(forming, live);
  }

  function momentOf({ nextS }: LiveBars): LiveMoment | null {
    if (newest === null || !isMarketOpen) return null;
    const atMs = marketNowMs();
    const leftS = atMs === null ? null : Math.ceil(nextS + barS - atMs / 1000);
    return {
      closesInS: leftS === null || leftS > barS || leftS < -barS ? null : Math.max(0, leftS),
      lateS: aliveAtMs === null ? null : Math.floor((liveNowMs() - aliveAtMs) / 1000),
    };
  }

  /** Also without the live connection a closed bar arrives, somewhat late. */
  function checkBar(): void {
    const atMs = marketNowMs() ?? Date.now();
    if (bars === null) return;
    const overdueMs = atMs - (bars.nextS + barS) * 1000;
    if (liveNowMs() < overdueFromMs) return;
    if (overdueMs > LATE_BAR_MS && overdueMs < LOOKBACK_BARS * barS * 1000) void load();
  }

  const stopWatching = watchCandles(market.symbol.sym, {
    onCandles(event) {
      newest = event;
      take();
    },
    onTime(marketMs) {
      clock = { marketMs, atMs: liveNowMs() };
    },
    onLate(atMs) {
      aliveAtMs = atMs;
    },
  });
  const timer = setInterval(() => {
    move();
    checkBar();
  }, MOVE_MS);
  const stopListening = feed.listen({
    // Later, as the chart may not have drawn the new series yet.
    onReset: () => queueMicrotask(begin),
    onAppend: () => undefined,
  });
  begin();

  return () => {
    abort.abort();
    clearInterval(timer);
    stopWatching();
    stopListening();
  };
}

/** Null for an empty chart, and an amplified forecast, whose moves are not the model's. */
function barsOf(feed: CandleFeed, { timeframe }: ChartMarket): LiveBars | null {
  const series = feed.series();
  const real = [...realCandles(series), ...(series.outcome ?? [])];
  const isPlain = (series.ampPercent ?? DEFAULT_AMPLIFY_PERCENT) === DEFAULT_AMPLIFY_PERCENT;
  return real.length === 0 || !isPlain ? null : new LiveBars(timeframe, real);
}
