/** GET /history: the market's closed candles, for everyone. */
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { type Candle, candleColumnsSchema, fromColumns, isWellFormed } from '#domain/market/candle.ts';
import { MARKET_KINDS, type MarketKind, type MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { CallError, readRefusal } from '../platform/calls/call-error.ts';
import { routeUrl } from '../platform/calls/route-url.ts';
import { type Patience, retryingFetch } from '../platform/calls/shed-retry.ts';
import { type CandleSource, readCandleSource } from './candle-source.ts';

export type { Patience };

export interface HistoryMarket {
  symbol: MarketSymbol;
  timeframe: Timeframe;
}

export interface History {
  candles: Candle[];
  /** Null when the answer lacks it. */
  marketKind: MarketKind | null;
  /** False only when the answer states it. */
  isMarketOpen: boolean;
  source: CandleSource;
}

/**
 * Each candle is well-formed and later than the one before; the chart shows the last 150.
 * @param bearer  the user's token as a header; empty for a visitor
 * @throws CallError with the server's message; Error when the answer cannot be read
 */
export async function fetchCandles(
  market: HistoryMarket,
  bearer: Record<string, string>,
  signal: AbortSignal,
  patience?: Patience,
): Promise<History> {
  const headers = { accept: 'application/json', ...bearer };
  const url = routeUrl('/history', queryOf(market, DEFAULT_AMPLIFY_PERCENT));
  const response = await retryingFetch(url, { headers, signal, cache: 'no-store' }, patience);
  if (!response.ok) throw await historyRefusal(response);
  const candles = fromColumns(candleColumnsSchema.parse(await response.json()));
  const isSound = candles.every((c, i) => isWellFormed(c) && c.time > (candles[i - 1]?.time ?? -1));
  if (!isSound || candles.length === 0) throw new Error('GET /history returned invalid candles.');
  const kind = response.headers.get('x-market-kind');
  return {
    candles,
    marketKind: MARKET_KINDS.find((known) => known === kind) ?? null,
    isMarketOpen: response.headers.get('x-market-open') !== 'false',
    source: readCandleSource(response.headers, Date.now(), barSecondsOf(market.timeframe)),
  };
}

async function historyRefusal(response: Response): Promise<Error> {
  const { code, message } = readRefusal(await response.json().catch(() => null));
  if (message === undefined || code === undefined) return new Error(`GET /history answered ${response.status}.`);
  return new CallError(code, message, response.status);
}

export function queryOf({ symbol, timeframe }: HistoryMarket, ampPercent: number) {
  return {
    exc: symbol.exc,
    sym: symbol.sym,
    fbars: HORIZON_BARS,
    lkbk: LOOKBACK_BARS,
    amp: String(ampPercent),
    ...(timeframe !== DEFAULT_TIMEFRAME && { tf: timeframe }),
  };
}
