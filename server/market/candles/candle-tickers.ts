/**
 * The price of the open minute's candle, or else of the last closed one, and both of these candles. A symbol is fetched only while someone reads it, because
 * some feeds charge per call. A price is current for two minutes of its market's own time. The day's figures begin at a
 * replay's last restart, because earlier prices are of another time.
 */
import type { TickerEvent, TickerOrigin } from '#domain/market/book/coinbase-messages.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { TickerSource } from '../books/book-source.ts';
import type { SymbolLookup } from '../catalogue/symbol-lookup.ts';
import type { MarketSource } from '../market-source.ts';
import { type HistorySlice, MAX_LAG_S } from './candle-history.ts';
import type { FailoverHistory } from './failover-history.ts';
import { NewestMinutes } from './newest-minutes.ts';
import { venueSilence } from './venue-silence.ts';

interface CandleTickersOptions {
  history: Pick<FailoverHistory, 'latest' | 'watch'>;
  symbols: readonly MarketSymbol[];
  /** Products besides, by their code; absent: none. */
  knownSymbol?: SymbolLookup['knownSymbol'] | undefined;
  signal: AbortSignal;
  log: Logger;
  recordedAtS?: MarketSource['recordedAtS'];
  /** Minimum time between two fetches, milliseconds. */
  periodMs?: number;
}

const PERIOD_MS = 2000;
const DAY_BARS = 1440;
const UNREAD_MS = 600_000;

interface SymbolTicker {
  symbol: MarketSymbol;
  /** From closed candles only. */
  day: TickerEvent | null;
  /** The published ticker: the day including the open candle. */
  event: TickerEvent | null;
  /** From the stream; counts from the day's end on. */
  newest: Candle | null;
  readonly minutes: NewestMinutes;
  /** The history's last answer, and when; null before the first or after a failure. */
  cut: Cut | null;
  triedAtMs: number;
  isPending: boolean;
}

interface Cut extends Pick<HistorySlice, 'attribution' | 'delayS' | 'isOpen' | 'isStale' | 'nowMs'> {
  /** Monotonic. */
  takenAtMs: number;
}

export function openCandleTickers(options: CandleTickersOptions): TickerSource {
  const { history, symbols, signal, log, knownSymbol, recordedAtS = () => null, periodMs = PERIOD_MS } = options;
  const silence = venueSilence();
  const tickers = new Map(symbols.map((symbol): [string, SymbolTicker] => [symbol.sym, unreadTicker(symbol)]));
  /** Of the tickers, those of the catalogue's products: they are forgotten when they are no longer read. */
  const products = new Set<string>();

  function productTicker(productId: string): SymbolTicker | null {
    const symbol = knownSymbol?.(productId) ?? null;
    if (symbol === null) return null;
    for (const id of products) {
      if (performance.now() - (tickers.get(id)?.triedAtMs ?? 0) < UNREAD_MS) continue;
      tickers.delete(id);
      products.delete(id);
    }
    const one = unreadTicker(symbol);
    tickers.set(productId, one);
    products.add(productId);
    return one;
  }

  const isRestart = (symbol: MarketSymbol, fromS: number, toS: number): boolean => {
    const [before, after] = [recordedAtS(symbol, fromS), recordedAtS(symbol, toS)];
    return before !== null && after !== null && after < before;
  };

  /** Each read starts a refresh for the next reader. */
  function read(productId: string): SymbolTicker | null {
    const one = tickers.get(productId) ?? productTicker(productId);
    const isDue = one !== null && !one.isPending && performance.now() - one.triedAtMs >= periodMs && !signal.aborted;
    if (isDue) void refresh(one);
    return one;
  }

  async function refresh(one: SymbolTicker): Promise<void> {
    one.isPending = true;
    one.triedAtMs = performance.now();
    try {
      const { candles, ...cut } = await history.latest(one.symbol, DAY_BARS, signal);
      one.cut = { ...cut, takenAtMs: performance.now() };
      one.minutes.takeHistory(candles.at(-1), cut.isOpen);
      const isFirst = ({ time }: Candle, i: number): boolean =>
        i > 0 && isRestart(one.symbol, candles[i - 1]?.time ?? time, time);
      const day = tickerOf(one.symbol.sym, candles.slice(Math.max(0, candles.findLastIndex(isFirst))));
      if (day !== null) one.day = day;
      publish(one);
    } catch (error) {
      // The history logs its own faults; here the price only stops being fresh.
      one.cut = null;
      log.debug({ err: error, sym: one.symbol.sym }, 'no last price');
    } finally {
      one.isPending = false;
    }
  }

  const unwatch = history.watch((update) => {
    const { symbol, candle } = update;
    silence.take(update);
    const one = tickers.get(symbol.sym);
    if (one === undefined) return;
    one.newest = candle;
    one.minutes.takeUpdate(update);
    // The figures of the run before say nothing about this one.
    if (one.day !== null && isRestart(symbol, one.day.sequence - MINUTE_S, candle.time))
      one.day = tickerOf(symbol.sym, [{ ...candle, volume: 0, time: candle.time - MINUTE_S }]);
    publish(one);
  });
  signal.addEventListener('abort', unwatch, { once: true });

  return {
    productIds: symbols.map(({ sym }) => sym),
    latest: (productId) => read(productId)?.event ?? null,
    candles: (productId) => read(productId)?.minutes.event ?? null,
    idleMs: (productId) => (tickers.get(productId)?.cut?.isOpen === false ? 0 : silence.idleMs(productId)),
    marketMs(productId) {
      const cut = tickers.get(productId)?.cut ?? null;
      return cut && cut.nowMs + performance.now() - cut.takenAtMs;
    },
    isFresh: (productId) => isFresh(read(productId), performance.now()),
  };
}

function unreadTicker(symbol: MarketSymbol): SymbolTicker {
  const nothing = { day: null, event: null, newest: null, cut: null };
  return {
    symbol,
    ...nothing,
    minutes: new NewestMinutes(symbol.sym),
    triedAtMs: Number.NEGATIVE_INFINITY,
    isPending: false,
  };
}

function isFresh(one: SymbolTicker | null, nowMs: number): boolean {
  const { cut, event } = one ?? {};
  if (cut == null || event == null || cut.isStale) return false;
  const ageMs = cut.nowMs + (nowMs - cut.takenAtMs) - Date.parse(event.time);
  return !cut.isOpen || ageMs <= MAX_LAG_S * 1000;
}

/** Creates another object only when the price, its minute or its origin changed. */
function publish(one: SymbolTicker): void {
  const { day, newest, event, cut } = one;
  if (day === null) return;
  const next = newest !== null && newest.time >= day.sequence ? withCandle(day, newest) : day;
  // A failed history says nothing new about where the price came from.
  const origin = cut === null ? event?.origin : { source: cut.attribution, delayS: cut.delayS, isOpen: cut.isOpen };
  const isSame = next.price === event?.price && next.time === event.time && isSameOrigin(origin, event.origin);
  if (!isSame) one.event = { ...next, origin };
}

function isSameOrigin(a: TickerOrigin | undefined, b: TickerOrigin | undefined): boolean {
  return a?.source === b?.source && a?.delayS === b?.delayS && a?.isOpen === b?.isOpen;
}

function withCandle(day: TickerEvent, candle: Candle): TickerEvent {
  const { high24h, low24h, volume24h } = day;
  return {
    ...day,
    price: candle.close,
    high24h: Math.max(high24h ?? candle.high, candle.high),
    low24h: Math.min(low24h ?? candle.low, candle.low),
    volume24h: (volume24h ?? 0) + (candle.volume ?? 0),
    time: new Date(candle.time * 1000).toISOString(),
  };
}

/** `sequence` is the second at which its last candle ended. */
function tickerOf(productId: string, candles: readonly Candle[]): TickerEvent | null {
  const last = candles.at(-1);
  if (last === undefined) return null;
  const endS = last.time + MINUTE_S;
  const day = candles.filter((candle) => candle.time >= endS - DAY_BARS * MINUTE_S);
  return {
    kind: 'ticker',
    productId,
    price: last.close,
    open24h: day[0]?.open ?? null,
    high24h: Math.max(...day.map((candle) => candle.high)),
    low24h: Math.min(...day.map((candle) => candle.low)),
    volume24h: day.reduce((sum, candle) => sum + (candle.volume ?? 0), 0),
    bestBid: null,
    bestBidSize: null,
    bestAsk: null,
    bestAskSize: null,
    lastSize: null,
    side: null,
    sequence: endS,
    tradeId: 0,
    time: new Date(endS * 1000).toISOString(),
  };
}
