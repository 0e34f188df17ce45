/** MARKET=live with every real service's address set to a sandbox: this tests live mode offline. */
import type { SandboxMarket } from '../../../sandbox/market/sandbox-market.ts';

export function liveAt(sandbox: Pick<SandboxMarket, 'addresses'>): Record<string, string> {
  const { binance, bybit, okx, alpaca, databento, coinbase, kraken, ...rest } = sandbox.addresses;
  const pairs = { BINANCE: binance, BYBIT: bybit, OKX: okx, ALPACA: alpaca, COINBASE: coinbase };
  return {
    MARKET: 'live',
    ...Object.fromEntries(Object.entries(pairs).map(([name, { restUrl }]) => [`${name}_REST_URL`, restUrl])),
    ...Object.fromEntries(Object.entries(pairs).map(([name, { wsUrl }]) => [`${name}_WS_URL`, wsUrl])),
    ...{ KRAKEN_REST_URL: kraken.restUrl, DATABENTO_REST_URL: databento.restUrl },
    ...{ COINGECKO_REST_URL: rest.coingecko.restUrl, COINMARKETCAP_REST_URL: rest.coinmarketcap.restUrl },
    ...{ FEAR_GREED_REST_URL: rest.fearGreed.restUrl, CALENDAR_URL: rest.calendarUrl },
  };
}
