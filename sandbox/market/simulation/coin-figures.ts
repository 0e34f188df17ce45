/**
 * Figures of the listed coins: a pure function of seed, time and the sandbox market's own candles. A coin with candles
 * shows their last price. As on the real list, some values are missing. A change is also missing if its two prices
 * don't belong together: a replayed and a simulated one, or two on either side of a replay's restart.
 */
import { MINUTE_S } from '#domain/market/candle.ts';
import { BTC_SUPPLY } from '#domain/market/reference/bitcoin-supply.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { candleSeenAt, runningMinuteS } from '../market-time.ts';
import { COINS, isStable, type ListedCoin } from './coin-list.ts';
import { smoothGaussianAt, streamOf } from './noise.ts';

/** As in CoinGecko's list; numbers in US dollars. */
export interface CoinFigures {
  id: string;
  symbol: string;
  name: string;
  image: string;
  current_price: number | null;
  market_cap: number | null;
  market_cap_rank: number | null;
  fully_diluted_valuation: number | null;
  total_volume: number | null;
  high_24h: number | null;
  low_24h: number | null;
  price_change_24h: number | null;
  price_change_percentage_24h: number | null;
  price_change_percentage_24h_in_currency: number | null;
  market_cap_change_24h: number | null;
  circulating_supply: number | null;
  last_updated: string;
}

export interface FiguresParts {
  listing: readonly ListedSymbol[];
  seed: string;
}

const HOUR_MS = 3_600_000;
/** A market without trades for longer has no price. */
const MAX_PRICE_AGE_MIN = 180;
/** Supplies of the four coins with candles, about those of 2025; Bitcoin's is the product pages' own value. */
const SUPPLIES: Readonly<Record<string, number>> = {
  bitcoin: BTC_SUPPLY,
  ethereum: 120_700_000,
  solana: 555_000_000,
  dogecoin: 152_000_000_000,
};
/** The n-th largest coin's value falls about like this; the four above are larger. */
const FIRST_CAP = 4e11;
const CAP_SLOPE = 1.4;
const MEAN_TURNOVER = 0.05;
const TURNOVER_SPREAD = 0.35;

/** All 250, the largest first; those without a size last. */
export function coinFigures(parts: FiguresParts, nowMs: number): CoinFigures[] {
  const rows = COINS.map((coin, i) => figuresOf(parts, coin, i, nowMs));
  rows.sort((a, b) => (b.market_cap ?? -1) - (a.market_cap ?? -1));
  return rows.map((row, i) => (row.market_cap === null ? row : { ...row, market_cap_rank: i + 1 }));
}

function figuresOf(parts: FiguresParts, coin: ListedCoin, place: number, nowMs: number): CoinFigures {
  const stream = streamOf(parts.seed, 'coin', coin.id);
  const now = seenAt(parts, coin, nowMs);
  const earlier = (hours: number): number | null => {
    const then = seenAt(parts, coin, nowMs - hours * HOUR_MS);
    return isOfOneRun(then, now) ? (then?.price ?? null) : null;
  };
  const price = now?.price ?? null;
  const before = earlier(24);
  const seen = [price, before, ...[4, 8, 12, 16, 20].map(earlier)].filter((one) => one !== null);
  const supply = SUPPLIES[coin.id] ?? Math.round((FIRST_CAP * (place + 1) ** -CAP_SLOPE) / coin.basePrice);
  const cap = price === null ? null : price * supply;
  const change = price === null || before === null ? null : price - before;
  const pct = change === null || before === null ? null : figure((change / before) * 100);
  const row: CoinFigures = {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    image: `https://coins.invalid/${coin.id}.png`,
    current_price: price,
    market_cap: cap === null ? null : Math.round(cap),
    market_cap_rank: null,
    fully_diluted_valuation: cap === null ? null : Math.round(cap),
    total_volume: cap === null ? null : Math.round(cap * turnoverAt(stream, nowMs)),
    high_24h: price === null ? null : Math.max(...seen),
    low_24h: price === null ? null : Math.min(...seen),
    price_change_24h: change === null ? null : figure(change),
    price_change_percentage_24h: pct,
    price_change_percentage_24h_in_currency: pct,
    market_cap_change_24h: change === null ? null : figure(change * supply),
    circulating_supply: supply,
    last_updated: new Date(nowMs).toISOString(),
  };
  return { ...row, ...missingOf(place) };
}

/** Share of a coin's value traded in 24 hours; smooth over a day, so that it never jumps. */
function turnoverAt(stream: number, atMs: number): number {
  return MEAN_TURNOVER * Math.exp(TURNOVER_SPREAD * smoothGaussianAt(stream, atMs, 24 * HOUR_MS));
}

/** Every kind of missing value in the real list, always for the same coins. */
function missingOf(place: number): Partial<CoinFigures> {
  if (place % 37 === 36)
    return {
      price_change_24h: null,
      price_change_percentage_24h: null,
      price_change_percentage_24h_in_currency: null,
      market_cap_change_24h: null,
    };
  if (place === 97) return { market_cap: null, circulating_supply: null, fully_diluted_valuation: null };
  if (place === 143) return { current_price: null, total_volume: null, market_cap: null };
  return place === 61 ? { high_24h: null, low_24h: null, total_volume: null } : {};
}

interface SeenPrice {
  price: number;
  /** When it was recorded, epoch seconds; null for a simulated one. */
  recordedS: number | null;
}

/** False across a replay's restart, where the recording's end precedes its start. */
function isOfOneRun(then: SeenPrice | null, now: SeenPrice | null): boolean {
  if (then === null || now === null) return false;
  return then.recordedS === null || now.recordedS === null || then.recordedS <= now.recordedS;
}

function seenAt(parts: FiguresParts, coin: ListedCoin, atMs: number): SeenPrice | null {
  const { listing, seed } = parts;
  if (isStable(coin)) {
    const stray = 0.0004 * smoothGaussianAt(streamOf(seed, 'coin', coin.id), atMs, HOUR_MS);
    return { price: figure(1 + stray), recordedS: null };
  }
  const leader = COINS.find((one) => one.id === coin.follows);
  if (leader !== undefined) return seenAt(parts, leader, atMs);
  const listed = listing.find(
    ({ symbol }) => symbol.assetClass === 'crypto' && symbol.label.toLowerCase() === coin.symbol,
  );
  return listed === undefined ? { price: simulatedPrice(seed, coin, atMs), recordedS: null } : lastPrice(listed, atMs);
}

function lastPrice(listed: ListedSymbol, atMs: number): SeenPrice | null {
  const minuteS = runningMinuteS(atMs);
  for (let back = 0; back < MAX_PRICE_AGE_MIN; back++) {
    const timeS = minuteS - back * MINUTE_S;
    const candle = candleSeenAt(listed, timeS, atMs);
    if (candle !== null) return { price: candle.close, recordedS: listed.source.sourceTimeOf(timeS) };
  }
  return null;
}

function simulatedPrice(seed: string, coin: ListedCoin, atMs: number): number {
  const slow = smoothGaussianAt(streamOf(seed, 'coin weeks', coin.id), atMs, 240 * HOUR_MS);
  const quick = smoothGaussianAt(streamOf(seed, 'coin hours', coin.id), atMs, 3 * HOUR_MS);
  return figure(coin.basePrice * Math.exp(0.12 * slow + 0.02 * quick));
}

function figure(value: number): number {
  return Number(value.toPrecision(8));
}
