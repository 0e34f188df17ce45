/**
 * The order book of ccxt's Coinbase Exchange class, fed frame by frame as its own socket client would. ccxt is no part
 * of the product: it lies with its lockfile in bench/peers and is installed there when the bench runs.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PEERS = join(import.meta.dirname, '../peers');
/** The package exports no sub-path: the file is taken by its place. */
const CLASS_FILE = join(PEERS, 'node_modules/ccxt/js/src/pro/coinbaseexchange.js');

export interface CcxtBook {
  /** Parses a frame and applies it. */
  take(frame: string): void;
  best(): { bid: number; ask: number };
}

export async function openCcxtBook(): Promise<CcxtBook> {
  if (!existsSync(CLASS_FILE))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: PEERS, stdio: 'inherit' });
  const module: { default: new () => CoinbaseExchange } = await import(pathToFileURL(CLASS_FILE).href);
  const exchange = new module.default();
  // What it asks the exchange for first; nothing here goes over a network.
  const market = { id: 'BTC-USD', symbol: 'BTC/USD', base: 'BTC', quote: 'USD', type: 'spot', spot: true };
  exchange.setMarkets([{ ...market, precision: {}, limits: {}, info: {} }]);
  const client = { subscriptions: {}, resolve: () => undefined, url: '' };
  return {
    take: (frame) => exchange.handleOrderBook(client, JSON.parse(frame)),
    best() {
      const book = exchange.orderbooks['BTC/USD'];
      return { bid: book?.bids[0]?.[0] ?? Number.NaN, ask: book?.asks[0]?.[0] ?? Number.NaN };
    },
  };
}

interface CoinbaseExchange {
  setMarkets(markets: readonly object[]): void;
  handleOrderBook(client: object, message: unknown): void;
  orderbooks: Readonly<Record<string, { bids: readonly (readonly number[])[]; asks: readonly (readonly number[])[] }>>;
}
