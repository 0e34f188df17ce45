import type { OpenDialect } from './dialect.ts';
import { alpacaDialect } from './dialects/candles/alpaca.ts';
import { binanceDialect } from './dialects/candles/binance.ts';
import { bybitDialect } from './dialects/candles/bybit.ts';
import { databentoDialect } from './dialects/candles/databento.ts';
import { krakenDialect } from './dialects/candles/kraken.ts';
import { okxDialect } from './dialects/candles/okx.ts';
import { coinbaseDialect } from './dialects/coinbase/coinbase-socket.ts';
import { calendarDialect } from './dialects/reference/calendar.ts';
import { coingeckoDialect } from './dialects/reference/coingecko.ts';
import { coinmarketcapDialect } from './dialects/reference/coinmarketcap.ts';
import { fearGreedDialect } from './dialects/reference/fear-greed.ts';

export const DIALECTS: readonly OpenDialect[] = [
  binanceDialect,
  bybitDialect,
  okxDialect,
  krakenDialect,
  alpacaDialect,
  databentoDialect,
  coinbaseDialect,
  calendarDialect,
  coingeckoDialect,
  coinmarketcapDialect,
  fearGreedDialect,
];
