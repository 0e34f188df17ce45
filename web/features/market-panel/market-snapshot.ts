import { DEFAULT_FEAR_GREED } from '#domain/market/reference/fear-greed.ts';
import type { Coin, GlobalMetrics } from '#domain/market/reference/global-metrics.ts';

export interface MarketSnapshot {
  /** US dollars. */
  totalMarketCap: number;
  /** US dollars over 24 hours. */
  totalVolume24h: number;
  /** Per cent. */
  btcDominance: number;
  /** 0 to 100. */
  fearGreedIndex: number;
  /** US dollars; null when the list lacks the coin. */
  btcPrice: number | null;
  ethPrice: number | null;
  /** Largest first, at most 20. */
  topCoins: readonly TopCoin[];
}

/** Fields are null when the source lacks them. */
export interface TopCoin {
  id: string;
  /** Upper case. */
  symbol: string;
  name: string;
  current_price: number | null;
  /** Per cent. */
  price_change_percentage_24h: number | null;
  market_cap: number | null;
  total_volume: number | null;
}

export const COINS_FETCHED = 50;
export const MAX_COINS = 20;

/** Shown when the market data is unavailable. The page states that these figures are not live. */
export const FALLBACK_SNAPSHOT: MarketSnapshot = {
  totalMarketCap: 3.43e12,
  totalVolume24h: 5.38e10,
  btcDominance: 62.5,
  fearGreedIndex: 68,
  btcPrice: 107_632,
  ethPrice: 2441,
  topCoins: [],
};

export interface SnapshotParts {
  global: GlobalMetrics | null;
  coins: readonly Coin[] | null;
  fearGreed: number | null;
}

/** Part by part: live where loaded, else the fixed figure (R-MARKET-17). */
export function toSnapshot({ global, coins, fearGreed }: SnapshotParts): MarketSnapshot {
  return { ...globalFigures(global), ...coinFigures(coins), fearGreedIndex: fearGreed ?? indexFor(global, coins) };
}

function globalFigures(global: GlobalMetrics | null) {
  const { totalMarketCap, totalVolume24h, btcDominance } = FALLBACK_SNAPSHOT;
  if (global === null) return { totalMarketCap, totalVolume24h, btcDominance };
  const { total_market_cap, total_volume, market_cap_percentage } = global.data;
  return {
    totalMarketCap: total_market_cap.usd,
    totalVolume24h: total_volume.usd,
    btcDominance: market_cap_percentage.btc,
  };
}

function coinFigures(coins: readonly Coin[] | null) {
  const { btcPrice, ethPrice, topCoins } = FALLBACK_SNAPSHOT;
  if (coins === null) return { btcPrice, ethPrice, topCoins };
  const priceOf = (id: string) => coins.find((coin) => coin.id === id)?.current_price ?? null;
  return {
    btcPrice: priceOf('bitcoin'),
    ethPrice: priceOf('ethereum'),
    topCoins: coins.slice(0, MAX_COINS).map(toTopCoin),
  };
}

/** Beside live figures, the index has a different default. */
function indexFor(global: GlobalMetrics | null, coins: readonly Coin[] | null): number {
  return global === null && coins === null ? FALLBACK_SNAPSHOT.fearGreedIndex : DEFAULT_FEAR_GREED;
}

function toTopCoin({ symbol, ...coin }: Coin): TopCoin {
  const { id, name, current_price, price_change_percentage_24h, market_cap, total_volume } = coin;
  return {
    id,
    symbol: symbol.toUpperCase(),
    name,
    current_price,
    price_change_percentage_24h,
    market_cap,
    total_volume,
  };
}
