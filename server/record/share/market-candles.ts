/** Real candles around a forecast: before it, and since. Only of the market and the venue that it was made on. */
import { HISTORY_BARS, HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { CandlePast, PastSeries } from '../../market/candles/past-candles.ts';

export interface SharedMarket {
  symbol: MarketSymbol;
  timeframe: Timeframe;
  market: MarketKind;
  /** Null: any venue whose candle of `joinS` closed at `lastClose`. */
  venueId: string | null;
  joinS: number;
  lastClose: number;
}

export interface CandlesAround {
  history: Candle[];
  /** May have gaps. */
  after: Candle[];
}

/** A page must not wait for a hanging venue: it shows what is stored instead. */
const PATIENCE_MS = 1500;

/** Empty where no stored series agrees with the forecast's last close. */
export async function candlesAround(past: CandlePast, place: SharedMarket): Promise<CandlesAround> {
  const { symbol, timeframe, joinS } = place;
  const barS = barSecondsOf(timeframe);
  const [fromS, toS] = [joinS - (HISTORY_BARS - 1) * barS, joinS + HORIZON_BARS * barS];
  const own = [await recentOf(past, place), ...(await storedOf(past, place, fromS, toS + barS))].filter(
    (series): series is PastSeries => series !== null && isOwn(series, place),
  );
  // Two series of one venue complete each other; the recent one comes first.
  const byTime = new Map<number, Candle>();
  for (const { candles } of own)
    for (const candle of candles)
      if (candle.time >= fromS && candle.time <= toS && !byTime.has(candle.time)) byTime.set(candle.time, candle);
  const candles = [...byTime.values()].toSorted((a, b) => a.time - b.time);
  return {
    history: candles.filter(({ time }) => time <= joinS),
    after: candles.filter(({ time }) => time > joinS),
  };

  function isOwn({ marketKind, venueId, candles: all }: PastSeries, { market, lastClose }: SharedMarket): boolean {
    const isVenue = place.venueId === null || place.venueId === venueId;
    return isVenue && marketKind === market && all.some(({ time, close }) => time === joinS && close === lastClose);
  }

  async function recentOf(source: CandlePast, { market }: SharedMarket): Promise<PastSeries | null> {
    const recent = await source.recent(symbol, AbortSignal.timeout(PATIENCE_MS), timeframe).catch(() => null);
    return recent?.marketKind === market ? recent : null;
  }

  /** Only live candles are stored. */
  function storedOf(source: CandlePast, { market }: SharedMarket, first: number, end: number): Promise<PastSeries[]> {
    return market === 'live' ? source.stored(symbol, first, end, timeframe) : Promise.resolve([]);
  }
}
