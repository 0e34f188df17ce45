/** Draws the market's own candles over a forecast as its minutes pass, so that one can watch how it turns out. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { useShownSeries } from '../panel/use-shown-series.ts';
import type { History } from './history-api.ts';

const MINUTE_MS = MINUTE_S * 1000;
/** The venue's minute may turn slightly after the clock's. */
const AFTER_MS = 1000;
/** The minute turns for all pages at the same time; this spreads their requests. */
const SPREAD_MS = 2000;
const LEAST_MS = 5000;
/** The 450 candles of an answer reach back this far; an older forecast is over. */
const REACH_S = 450 * MINUTE_S;

/**
 * Nothing for an amplified forecast, whose moves are not the model's.
 * @param loadHistory  null for samples, which have no outcome
 */
export function useOutcome(feed: CandleFeed, symbol: MarketSymbol, loadHistory: LoadHistory | null): void {
  const series = useShownSeries(feed);
  const joinS = series.joinS ?? 0;
  const isPlain = (series.ampPercent ?? DEFAULT_AMPLIFY_PERCENT) === DEFAULT_AMPLIFY_PERCENT;
  const isRecent = Math.abs(Date.now() / 1000 - joinS) < REACH_S;
  const known = series.outcome?.length ?? 0;
  const { data } = useQuery({
    queryKey: ['outcome so far', symbol.sym, joinS],
    queryFn: ({ signal }) => loadSoFar(loadHistory, symbol, joinS, signal),
    enabled: loadHistory !== null && isPlain && isRecent && known < HORIZON_BARS,
    // What is on the chart is current until the minute turns.
    initialData: () => ({
      candles: series.outcome ?? [],
      isOver: false,
      nextMs: untilNextMs(joinS, known, Date.now()),
    }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data: last, status } }) => {
      if (last?.isOver) return false;
      return status === 'error' ? LEAST_MS * 3 : (last?.nextMs ?? LEAST_MS);
    },
  });
  useEffect(() => {
    const { outcome = [], joinS: shownS } = feed.series();
    if (shownS === joinS && data.candles.length > outcome.length) feed.setOutcome(data.candles);
  }, [feed, joinS, data]);
}

/** The real candles of the forecast's minutes, and whether they are all known. */
export function outcomeSoFar(joinS: number, real: readonly Candle[]): { candles: Candle[]; isOver: boolean } {
  const endS = joinS + HORIZON_BARS * MINUTE_S;
  const isOfThisMarket = real.some(({ time }) => time === joinS);
  const candles = isOfThisMarket ? real.filter(({ time }) => time > joinS && time <= endS) : [];
  return { candles, isOver: !isOfThisMarket || (real.at(-1)?.time ?? endS) >= endS };
}

type LoadHistory = (symbol: MarketSymbol, signal: AbortSignal) => Promise<History>;

interface SoFar {
  candles: readonly Candle[];
  isOver: boolean;
  nextMs: number;
}

async function loadSoFar(
  loadHistory: LoadHistory | null,
  symbol: MarketSymbol,
  joinS: number,
  signal: AbortSignal,
): Promise<SoFar> {
  if (loadHistory === null) throw new Error('Samples have no outcome.');
  const { candles: real, source } = await loadHistory(symbol, signal);
  const soFar = outcomeSoFar(joinS, real);
  return { ...soFar, nextMs: untilNextMs(joinS, soFar.candles.length, source.answeredAtMs) };
}

/** Until the next minute's candle has closed; at least five seconds, at most a little over a minute. */
function untilNextMs(joinS: number, known: number, nowMs: number): number {
  const closesMs = (joinS + (known + 2) * MINUTE_S) * 1000;
  return Math.min(MINUTE_MS, Math.max(LEAST_MS, closesMs - nowMs)) + AFTER_MS + Math.random() * SPREAD_MS;
}
