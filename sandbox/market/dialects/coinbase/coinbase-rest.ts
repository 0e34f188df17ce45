import type { Candle } from '#domain/market/candle.ts';
import { toCoinbaseProduct } from '#domain/market/catalogue/coinbase-products.ts';
import {
  COINBASE_REFUSALS,
  type CoinbaseGranularity,
  coinbaseGranularityOf,
  MAX_COINBASE_CANDLES,
  readCoinbaseTimeS,
  toCoinbaseRow,
} from '#domain/market/codecs/coinbase-candles.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import { bookAt, bookRecipe, bookShapeOf } from '../../book/book.ts';
import type { DialectAnswer, DialectParts, DialectRequest } from '../../dialect.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { lastTradeAt } from '../../market-time.ts';
import { venueListing } from '../../products/venue-listing.ts';
import { dayFiguresAt } from '../../simulation/day-figures.ts';
import { type LongRange, longRange } from '../../simulation/long-range.ts';

export function answerCoinbaseRest({ path, query }: DialectRequest, parts: DialectParts): DialectAnswer {
  const listing = venueListing({ ...parts, venue: 'coinbase', kind: 'spot', idOf: (symbol) => symbol.bookProductId });
  if (path === '/products') return ok(listing.markets().map(toCoinbaseProduct));
  const [, products, productId = '', what, ...more] = path.split('/');
  const listed = listing.find(productId);
  if (products !== 'products' || listed === undefined || more.length > 0) return refuse(404, COINBASE_REFUSALS.product);
  const nowMs = parts.clock.nowMs();
  if (what === 'candles') return answerCandles(query, rangeOf(listed, parts.seed), nowMs);
  if (what === 'ticker') return answerTicker(productId, listed, parts.seed, nowMs);
  return refuse(404, COINBASE_REFUSALS.product);
}

const ok = (body: unknown): DialectAnswer => ({ status: 200, body });
const refuse = (status: number, message: string): DialectAnswer => ({ status, body: { message } });

/** Cached bars live as long as their market. */
const ranges = new WeakMap<ListedSymbol, LongRange>();

function rangeOf(listed: ListedSymbol, seed: string): LongRange {
  const known = ranges.get(listed);
  if (known !== undefined) return known;
  const created = longRange(listed, seed);
  ranges.set(listed, created);
  return created;
}

function answerCandles(query: URLSearchParams, range: LongRange, nowMs: number): DialectAnswer {
  const granularity = coinbaseGranularityOf(query.get('granularity') ?? '60');
  if (granularity === null) return refuse(400, COINBASE_REFUSALS.granularity);
  const [start, end] = [query.get('start'), query.get('end')];
  // One without the other is ignored.
  if (start === null || end === null) return ok(toRows(range.bars(granularity, MAX_COINBASE_CANDLES, nowMs)));
  const [startS, endS] = [readCoinbaseTimeS(start), readCoinbaseTimeS(end)];
  if (startS === null || endS === null) return refuse(400, COINBASE_REFUSALS.time);
  if (startS > endS) return refuse(400, COINBASE_REFUSALS.order);
  if ((endS - startS) / granularity > MAX_COINBASE_CANDLES) return refuse(400, COINBASE_REFUSALS.points);
  return ok(toRows(barsWithin(range, granularity, { startS, endS }, nowMs)));
}

interface Span {
  startS: number;
  endS: number;
}

/** There are no trades further back than this. */
const MAX_BARS_BACK = 20_000;

function barsWithin(range: LongRange, seconds: CoinbaseGranularity, { startS, endS }: Span, nowMs: number): Candle[] {
  const count = Math.ceil((nowMs / 1000 - startS) / seconds) + 1;
  if (count < 1 || count > MAX_BARS_BACK) return [];
  return range.bars(seconds, count, nowMs).filter(({ time }) => time >= startS && time <= endS);
}

/** Newest first; intervals without trades are missing. */
function toRows(bars: readonly Candle[]): readonly (readonly number[])[] {
  return bars
    .filter(({ volume = 0 }) => volume > 0)
    .map(toCoinbaseRow)
    .reverse();
}

function bookOf(productId: string, listed: ListedSymbol, seed: string, nowMs: number) {
  const shape = bookShapeOf(listed.symbol);
  const last = lastTradeAt(listed, nowMs);
  return last === null ? null : bookAt(bookRecipe(productId, shape, seed), nowMs, last);
}

function answerTicker(productId: string, listed: ListedSymbol, seed: string, nowMs: number): DialectAnswer {
  const last = lastTradeAt(listed, nowMs);
  const day = dayFiguresAt(listed, nowMs);
  const book = bookOf(productId, listed, seed, nowMs);
  if (last === null || day === null || book === null) return refuse(404, COINBASE_REFUSALS.product);
  return ok({
    trade_id: last.id,
    price: decimalText(last.price),
    size: decimalText(last.size),
    time: new Date(last.timeMs).toISOString(),
    bid: decimalText(book.bids[0]?.price ?? 0),
    ask: decimalText(book.asks[0]?.price ?? 0),
    volume: decimalText(day.volume),
  });
}
