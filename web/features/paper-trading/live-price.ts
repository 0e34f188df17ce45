/**
 * The live price of one product, and its last 60 seconds. Between trades the price follows the mid of bid and ask; the
 * offset of trades from that mid is smoothed (weight 0.35, R-BOOK-11), so that the price does not jump from side to
 * side.
 * It counts only while confirmed as current: by a trade, or by a heartbeat that reports no newer one. A price from
 * candles is confirmed only by heartbeats, which the server sends while it is recent; in a closed market nothing
 * confirms it.
 */
import type { FeedEvent, TickerOrigin } from '#domain/market/book/coinbase-messages.ts';

export const OFFSET_SMOOTHING = 0.35;
export const HISTORY_MS = 60_000;
/** A price that was not confirmed for longer is not live. */
export const FRESH_MS = 5000;

export interface PricePoint {
  /** Monotonic. */
  atMs: number;
  price: number;
}

/** The last reported price, current or not. */
export interface PriceQuote {
  price: number;
  /** When it was traded, ISO, by the market's clock. */
  time: string;
  /** Null for the venue's own ticker. */
  origin: TickerOrigin | null;
}

export interface LivePrice {
  /** Handles the product's trades and heartbeats; ignores other events. */
  take(event: FeedEvent, nowMs: number): void;
  /** The connection was lost: the next trade starts a new offset. */
  break(): void;
  /** The price at a moment of the last 60 seconds; null without a confirmation shortly before it. */
  priceAt(atMs: number): number | null;
  /** Oldest first, at most 60 seconds older than the newest. */
  points(): readonly PricePoint[];
  /** Survives a lost connection; null before the first. */
  quote(): PriceQuote | null;
  /** When this connection's quotes started, monotonic; null before the first. */
  quotedSinceMs(): number | null;
  /** Change over 24 hours as a share; null until known. */
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
        // The venue's own sign of life counts, not the relaying server's.
        beatAtMs = nowMs - (event.idleMs ?? 0);
        const isNewer = beatAtMs > (points.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY);
        // If the heartbeat reports a trade that has not arrived, the known price is outdated.
        if (isNewer && event.lastTradeId <= tradeId) add(beatAtMs);
      }
    },
    break() {
      offset = null;
      // A heartbeat of the next connection does not confirm a price from this one.
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
