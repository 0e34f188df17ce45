/** The candle venues, each tested against the same rules. */
import { type AssetClass, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { alpacaVenue } from '../../server/market/venues/alpaca.ts';
import { binanceVenue } from '../../server/market/venues/binance.ts';
import { bybitVenue } from '../../server/market/venues/bybit.ts';
import { databentoVenue } from '../../server/market/venues/databento.ts';
import { okxVenue } from '../../server/market/venues/okx.ts';
import { describeVenue } from './support/market/venue-contract.ts';

const BTC = symbolNamed('BTC');
const MSFT = symbolNamed('MSFT');
const PERPETUALS = ofClasses('crypto');
const SHARES = ofClasses('equity');
const FUTURES = ofClasses('metal', 'index', 'energy');
/** A Wednesday, half an hour into New York's session. */
const IN_HOURS_MS = Date.parse('2026-11-18T15:00:00Z');

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
  // Beyond the 1,440 bars of the first of its two addresses.
  pagedCount: 1900,
  hasStream: true,
});

describeVenue('Alpaca', {
  dialect: 'alpaca',
  open: ({ addresses, ...parts }) =>
    alpacaVenue({
      ...parts,
      ...addresses.alpaca,
      symbols: SYMBOLS,
      keys: { keyId: 'sandbox', secretKey: 'sandbox' },
    }),
  symbols: SHARES,
  unsupported: BTC,
  candlePath: '/v2/stocks/bars',
  pagedCount: 2500,
  atMs: IN_HOURS_MS,
  hasStream: true,
});

describeVenue('Databento', {
  dialect: 'databento',
  open: ({ addresses, ...parts }) =>
    databentoVenue({ ...parts, ...addresses.databento, symbols: SYMBOLS, key: 'sandbox' }),
  symbols: FUTURES,
  unsupported: MSFT,
  candlePath: '/v0/timeseries.get_range',
  pagedCount: 3000,
  atMs: IN_HOURS_MS,
  hasStream: false,
});

/** @returns every symbol of the picker that trades in these classes */
function ofClasses(...classes: AssetClass[]): readonly [MarketSymbol, ...MarketSymbol[]] {
  const [first, ...others] = SYMBOLS.filter(({ assetClass }) => classes.includes(assetClass));
  if (first === undefined) throw new Error(`The picker has no symbol of ${classes.join(', ')}.`);
  return [first, ...others];
}
