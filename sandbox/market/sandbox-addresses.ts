/** Addresses of the services that the sandbox market simulates, in the shape of the server's settings. */
export interface SandboxAddresses {
  binance: { restUrl: string; wsUrl: string };
  bybit: { restUrl: string; wsUrl: string };
  okx: { restUrl: string; wsUrl: string };
  coinbase: { restUrl: string; wsUrl: string };
  kraken: { restUrl: string };
  alpaca: { restUrl: string; wsUrl: string };
  databento: { restUrl: string };
  coingecko: { restUrl: string };
  coinmarketcap: { restUrl: string };
  fearGreed: { restUrl: string };
  calendarUrl: string;
}

export function sandboxAddresses(port: number): SandboxAddresses {
  const http = (name: string) => ({ restUrl: `http://127.0.0.1:${port}/${name}` });
  const both = (name: string) => ({ ...http(name), wsUrl: `ws://127.0.0.1:${port}/${name}` });
  return {
    binance: both('binance'),
    bybit: both('bybit'),
    okx: both('okx'),
    coinbase: both('coinbase'),
    kraken: http('kraken'),
    alpaca: both('alpaca'),
    databento: http('databento'),
    coingecko: http('coingecko'),
    coinmarketcap: http('coinmarketcap'),
    fearGreed: http('fear-greed'),
    calendarUrl: `http://127.0.0.1:${port}/calendar/ff_calendar_thisweek.json`,
  };
}
