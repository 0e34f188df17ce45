/**
 * The peer of bench/streams/order-book.ts. ccxt is no part of the product: it is installed in bench/peers for the
 * bench.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PEERS = join(import.meta.dirname, '../peers');
/** The package exports no sub-path, so the file is imported by its path. */
const CLASS_FILE = join(PEERS, 'node_modules/ccxt/js/src/pro/coinbaseexchange.js');

export interface CcxtBook {
  take(frame: string): void;
  best(): { bid: number; ask: number };
}

export async function openCcxtBook(): Promise<CcxtBook> {
  if (!existsSync(CLASS_FILE))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: PEERS, stdio: 'inherit' });
  const module: { default: new () => CoinbaseExchange } = await import(pathToFileURL(CLASS_FILE).href);
  const exchange = new module.default();
  // Its first request to an exchange; nothing here uses a network.
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
