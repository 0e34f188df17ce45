/**
 * The live price of one product, and the last 60 seconds of it. Between two trades the price follows the middle of
 * bid and ask; how far trades lie from that middle is smoothed, so that the price does not jump from side to side with
 * each. Specification 2, sections 4.4 (60 seconds) and 4.6 (smoothing 0.35).
 *
 * A price counts only while it is confirmed as one of now: by a trade, or by a heartbeat that knows of no newer trade.
 * One that was taken from candles is confirmed by heartbeats alone, which the server sends while it is recent; in a
 * closed market nothing confirms it.
 */
import type { FeedEvent, TickerOrigin } from '#domain/market/book/coinbase-messages.ts';

/** Weight of the newest offset of a trade from the middle. */
export const OFFSET_SMOOTHING = 0.35;
export const HISTORY_MS = 60_000;
/** A price that was not confirmed for longer is no live price. */
export const FRESH_MS = 5000;

export interface PricePoint {
  /** Monotonic. */
  atMs: number;
  price: number;
}

/** What was told last, whether it is a price of now or not. */
export interface PriceQuote {
  price: number;
  /** When it was traded, ISO, in the market's own time. */
  time: string;
  /** Null: the venue's own ticker. */
  origin: TickerOrigin | null;
}

export interface LivePrice {
  /** Trades and heartbeats of the product; anything else says nothing of its price. */
  take(event: FeedEvent, nowMs: number): void;
  /** The connection was lost: the next trade starts a new offset. */
  break(): void;
  /** What the price was at a moment of the last 60 seconds; null when no sign of life lies close enough before it. */
  priceAt(atMs: number): number | null;
  /** Oldest first, not older than 60 seconds before the newest. */
  points(): readonly PricePoint[];
  /** Outlives a lost connection; null before the first. */
  quote(): PriceQuote | null;
  /** When the quotes of this connection began, monotonic; null before the first. */
  quotedSinceMs(): number | null;
  /** Change over 24 hours as a share; null while it is not known. */
  change24h(): number | null;
}

export function createLivePrice(): LivePrice {
  let points: PricePoint[] = [];
  let offset: number | null = null;
  let price: number | null = null;
  let open24h: number | null = null;
  let quote: PriceQuote | null = null;
  let quotedSinceMs: number | null = null;
  let tradeId = 0;
  let beatAtMs = Number.NEGATIVE_INFINITY;

  function add(atMs: number): void {
    if (price === null || quote?.origin?.isOpen === false) return;
    const last = points.at(-1);
    // One point a moment; the newest of it counts.
    if (last?.atMs === atMs) last.price = price;
    else points.push({ atMs, price });
    const first = points.findIndex((point) => point.atMs >= atMs - HISTORY_MS);
    if (first > 0) points = points.slice(first);
  }

  return {
    take(event, nowMs) {
      if (event.kind === 'ticker') {
        const { price: traded, bestBid, bestAsk, time, origin = null } = event;
        open24h = event.open24h;
        tradeId = event.tradeId;
        const hasMiddle = bestBid !== null && bestAsk !== null && bestBid > 0 && bestAsk >= bestBid;
        if (hasMiddle) {
          const middle = (bestBid + bestAsk) / 2;
          const now = traded - middle;
          offset = offset === null ? now : offset + OFFSET_SMOOTHING * (now - offset);
          price = middle + offset;
        } else {
          offset = null;
          price = traded;
        }
        quote = { price, time, origin };
        quotedSinceMs ??= nowMs;
        if (origin === null || nowMs - beatAtMs <= FRESH_MS) add(nowMs);
      } else if (event.kind === 'heartbeat') {
        // The venue's own sign of life is what counts, not that of who passes it on.
        beatAtMs = nowMs - (event.silentMs ?? 0);
        const isNews = beatAtMs > (points.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY);
        // There was a trade that we have not been told of: what we know is no longer the price.
        if (isNews && event.lastTradeId <= tradeId) add(beatAtMs);
      }
    },
    break() {
      offset = null;
      // A heartbeat of the next connection confirms nothing that was said on this one.
      price = null;
      quotedSinceMs = null;
      beatAtMs = Number.NEGATIVE_INFINITY;
    },
    priceAt(atMs) {
      const point = points.findLast((candidate) => candidate.atMs <= atMs);
      return point === undefined || atMs - point.atMs > FRESH_MS ? null : point.price;
    },
    points: () => points,
    quote: () => quote,
    quotedSinceMs: () => quotedSinceMs,
    change24h: () => (price === null || open24h === null || open24h <= 0 ? null : price / open24h - 1),
  };
}
