/** Draws the market's own candles over a forecast as they close, so that one can watch how it turns out. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { useShownSeries } from '../panel/use-shown-series.ts';
import type { History } from './history-api.ts';
import type { Market } from './market.ts';

const MINUTE_MS = MINUTE_S * 1000;
/** The venue's minute may turn slightly after the clock's. */
const AFTER_MS = 1000;
/** The minute turns for all pages at the same time; this spreads their requests. */
const SPREAD_MS = 2000;
const LEAST_MS = 5000;
/** The candles of an answer: an older forecast is over. */
const REACH_BARS = 450;

/**
 * Nothing for an amplified forecast, whose moves are not the model's.
 * @param loadHistory  null for samples, which have no outcome
 */
export function useOutcome(feed: CandleFeed, market: Market, loadHistory: LoadHistory | null): void {
  const series = useShownSeries(feed);
  const joinS = series.joinS ?? 0;
  const isPlain = (series.ampPercent ?? DEFAULT_AMPLIFY_PERCENT) === DEFAULT_AMPLIFY_PERCENT;
  const barS = barSecondsOf(market.timeframe);
  const isRecent = Math.abs(Date.now() / 1000 - joinS) < REACH_BARS * barS;
  const known = series.outcome?.length ?? 0;
  const { data } = useQuery({
    queryKey: ['outcome so far', market.symbol.sym, barS, joinS],
    queryFn: ({ signal }) => loadSoFar(loadHistory, market, joinS, signal),
    enabled: loadHistory !== null && isPlain && isRecent && known < HORIZON_BARS,
    // What is on the chart is current until the minute turns.
    initialData: (): SoFar => ({
      candles: series.outcome ?? [],
      forming: null,
      isOver: false,
      nextMs: untilNextMs(joinS + (known + 2) * barS, Date.now()),
    }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data: last, status } }) => {
      if (last?.isOver) return false;
      return status === 'error' ? LEAST_MS * 3 : (last?.nextMs ?? LEAST_MS);
    },
  });
  useEffect(() => {
    const { outcome = [], joinS: shownS } = feed.series();
    const { candles, forming } = data;
    const isNewer = candles.length > outcome.length || (forming !== null && candles.length === outcome.length);
    if (shownS === joinS && isNewer) feed.setOutcome(candles, forming);
  }, [feed, joinS, data]);
}

/** The real candles that were forecast, and whether they are all known. @param barS  length of a candle in seconds */
export function outcomeSoFar(
  joinS: number,
  real: readonly Candle[],
  barS: number,
): { candles: Candle[]; isOver: boolean } {
  const endS = joinS + HORIZON_BARS * barS;
  const isOfThisMarket = real.some(({ time }) => time === joinS);
  const candles = isOfThisMarket ? real.filter(({ time }) => time > joinS && time <= endS) : [];
  return { candles, isOver: !isOfThisMarket || (real.at(-1)?.time ?? endS) >= endS };
}

type LoadHistory = (market: Market, signal: AbortSignal) => Promise<History>;

interface SoFar {
  candles: readonly Candle[];
  /** The next one so far, of longer candles than a minute. */
  forming: Candle | null;
  isOver: boolean;
  nextMs: number;
}

async function loadSoFar(
  loadHistory: LoadHistory | null,
  market: Market,
  joinS: number,
  signal: AbortSignal,
): Promise<SoFar> {
  if (loadHistory === null) throw new Error('Samples have no outcome.');
  const barS = barSecondsOf(market.timeframe);
  const { candles: real, source } = await loadHistory(market, signal);
  const soFar = outcomeSoFar(joinS, real, barS);
  const nextS = joinS + (soFar.candles.length + 1) * barS;
  const forming = soFar.isOver ? null : await loadForming(market, nextS, signal);
  return { ...soFar, forming, nextMs: untilNextMs(nextS + barS, source.answeredAtMs) };
}

/** Without it, or its code, the candle appears once it has closed. */
async function loadForming(market: Market, startS: number, signal: AbortSignal): Promise<Candle | null> {
  if (market.timeframe === DEFAULT_TIMEFRAME) return null;
  const code = import('./forming-candle.ts');
  return code.then((forming) => forming.loadForming(market, startS, signal)).catch(() => null);
}

/** Until the next candle has closed; at least five seconds, at most a little over a minute. */
function untilNextMs(closesS: number, nowMs: number): number {
  return Math.min(MINUTE_MS, Math.max(LEAST_MS, closesS * 1000 - nowMs)) + AFTER_MS + Math.random() * SPREAD_MS;
}
