/** Every service that the sandbox market stands in for. */
import type { OpenDialect } from './dialect.ts';
import { alpacaDialect } from './dialects/alpaca.ts';
import { binanceDialect } from './dialects/binance.ts';
import { bybitDialect } from './dialects/bybit.ts';
import { calendarDialect } from './dialects/calendar.ts';
import { coinbaseAdvancedDialect } from './dialects/coinbase-advanced.ts';
import { coinbaseDialect } from './dialects/coinbase-socket.ts';
import { coingeckoDialect } from './dialects/coingecko.ts';
import { coinmarketcapDialect } from './dialects/coinmarketcap.ts';
import { databentoDialect } from './dialects/databento.ts';
import { fearGreedDialect } from './dialects/fear-greed.ts';
import { krakenDialect } from './dialects/kraken.ts';
import { okxDialect } from './dialects/okx.ts';
import { yahooDialect } from './dialects/yahoo.ts';

export const DIALECTS: readonly OpenDialect[] = [
  binanceDialect,
  bybitDialect,
  okxDialect,
  krakenDialect,
  alpacaDialect,
  databentoDialect,
  yahooDialect,
  coinbaseDialect,
  coinbaseAdvancedDialect,
  calendarDialect,
  coingeckoDialect,
  coinmarketcapDialect,
  fearGreedDialect,
];
