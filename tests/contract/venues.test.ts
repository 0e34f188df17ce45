/** The candle venues that there are, each put to the same rules. */
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { binanceVenue } from '../../server/market/venues/binance.ts';
import { bybitVenue } from '../../server/market/venues/bybit.ts';
import { okxVenue } from '../../server/market/venues/okx.ts';
import { describeVenue } from './venue-contract.ts';

const [BTC, ETH, SOL, DOGE, MSFT] = SYMBOLS;
const PERPETUALS = [BTC, ETH, SOL, DOGE] as const satisfies readonly MarketSymbol[];

describeVenue('Binance', {
  dialect: 'binance',
  open: ({ addresses, ...parts }) => binanceVenue({ ...parts, ...addresses.binance, symbols: PERPETUALS }),
  symbols: PERPETUALS,
  unsupported: MSFT,
  candlePath: '/fapi/v1/klines',
  pagedCount: 3200,
  hasStream: true,
});

describeVenue('Bybit', {
  dialect: 'bybit',
  open: ({ addresses, ...parts }) => bybitVenue({ ...parts, ...addresses.bybit, symbols: SYMBOLS }),
  symbols: PERPETUALS,
  unsupported: MSFT,
  candlePath: '/v5/market/kline',
  pagedCount: 2100,
  hasStream: true,
});

describeVenue('OKX', {
  dialect: 'okx',
  open: ({ addresses, ...parts }) => okxVenue({ ...parts, ...addresses.okx, symbols: SYMBOLS }),
  symbols: PERPETUALS,
  unsupported: MSFT,
  candlePath: '/api/v5/market/',
  // Past the 1,440 bars of the first of its two addresses.
  pagedCount: 1900,
  hasStream: true,
});
