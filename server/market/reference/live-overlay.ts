/** Between two updates of the coin list, the two largest coins show the last price from our own candle venue. */
import type { Coin } from '#domain/market/reference/global-metrics.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { CandleHistory } from '../candles/candle-history.ts';

export interface OverlayPrice {
  /** US dollars. */
  price: number;
  /** Source of the price as shown on screen. */
  attribution: string;
}

/** By the list's lower-case symbol: `btc`, `eth`. Empty while no price is known. */
export type LivePrices = ReadonlyMap<string, OverlayPrice>;

export interface OverlaidCoins {
  coins: Coin[];
  /** Sources of the replaced prices, each once; empty when no price was replaced. */
  attributions: string[];
}

/** A price further off means something else (a split, a wrong product): the list's own price stays. */
const MAX_RATIO = 1.25;

/** Bitcoin and Ether, the two prices that the market panel shows large. */
const LED: readonly MarketSymbol[] = SYMBOLS.filter(({ label }) => label === 'BTC' || label === 'ETH');
/** An answer must not wait for a slow venue. */
const PATIENCE_MS = 300;
const MAX_AGE_MS = 180_000;

/** The close of the last candle, by the list's symbol; leaves out prices that are unavailable now. Never rejects. */
export async function livePricesOf(history: Pick<CandleHistory, 'latest'>, asker: AbortSignal): Promise<LivePrices> {
  const signal = AbortSignal.any([asker, AbortSignal.timeout(PATIENCE_MS)]);
  const prices = await Promise.all(
    LED.map(async (symbol): Promise<[string, OverlayPrice][]> => {
      // Without it the list shows its own price, which is minutes old at most.
      const slice = await history.latest(symbol, 1, signal).catch(() => null);
      const last = slice?.candles.at(-1);
      if (slice === null || last === undefined) return [];
      // Otherwise the slice is old, or stored before the start and not confirmed by its venue yet.
      const isRecent = !slice.isStale && slice.nowMs - last.time * 1000 < MAX_AGE_MS;
      if (!isRecent) return [];
      return [[symbol.label.toLowerCase(), { price: last.close, attribution: slice.attribution }]];
    }),
  );
  return new Map(prices.flat());
}

/** @param coins  the largest first: of coins that share a symbol, the first gets the price */
export function withLivePrices(coins: readonly Coin[], prices: LivePrices): OverlaidCoins {
  const met = new Set<string>();
  const attributions = new Set<string>();
  const overlaid = coins.map((coin) => {
    const live = met.has(coin.symbol) ? undefined : prices.get(coin.symbol);
    met.add(coin.symbol);
    if (live === undefined || !isPlausible(coin.current_price, live.price)) return coin;
    attributions.add(live.attribution);
    return movedTo(coin, live.price);
  });
  return { coins: overlaid, attributions: [...attributions] };
}

function isPlausible(listed: number | null, live: number): boolean {
  return listed !== null && listed > 0 && live < listed * MAX_RATIO && live > listed / MAX_RATIO;
}

/** Price-dependent figures move with it; volume and rank stay. */
function movedTo(coin: Coin, price: number): Coin {
  const listed = coin.current_price ?? price;
  const before = coin.price_change_24h === null ? null : listed - coin.price_change_24h;
  const change = before === null ? null : price - before;
  const percent = change === null || before === null || before <= 0 ? null : (100 * change) / before;
  return {
    ...coin,
    current_price: price,
    market_cap: coin.market_cap === null ? null : Math.round((coin.market_cap * price) / listed),
    high_24h: coin.high_24h === null ? null : Math.max(coin.high_24h, price),
    low_24h: coin.low_24h === null ? null : Math.min(coin.low_24h, price),
    price_change_24h: change,
    price_change_percentage_24h: percent,
    price_change_percentage_24h_in_currency: percent,
  };
}
