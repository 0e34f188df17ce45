import { expect, test } from 'vitest';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { systemClock } from '#domain/time/clock.ts';
import { readConfig } from '../../platform/config/config.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import {
  type CandleVenueSettings,
  candleVenueNames,
  inSandbox,
  openCandleVenues,
  whyNoVenue,
} from './candle-venues.ts';

const ALPACA = { ALPACA_KEY: 'id:secret' };

function settings(env: Record<string, string> = {}): CandleVenueSettings {
  const { venueOrder: order, addresses, keys } = readConfig(env).market;
  return { order, addresses, keys };
}

/** @returns for each label the venues that may serve it, in order; opening a venue makes no connection */
function serving(wanted: CandleVenueSettings): Record<string, string[]> {
  const venues = openCandleVenues(wanted, { clock: systemClock, log: createLogger('silent') });
  return Object.fromEntries(SYMBOLS.map((s) => [s.label, venues.filter((v) => v.supports(s)).map((v) => v.id)]));
}

const CRYPTO = { BTC: ['binance', 'bybit', 'okx'], ETH: ['binance', 'bybit', 'okx'] };

test('gives the perpetuals three venues without keys, and other symbols none', () => {
  expect(serving(settings())).toMatchObject({ ...CRYPTO, MSFT: [], Gold: [], DXY: [], Oil: [] });
});

test('adds venues by their keys, in the order of the settings', () => {
  const env = { ...ALPACA, DATABENTO_KEY: 'db', VENUE_ORDER: 'okx,databento,alpaca,binance' };

  expect(serving(settings(env))).toMatchObject({
    BTC: ['okx', 'binance'],
    DOGE: ['okx', 'binance'],
    MSFT: ['alpaca'],
    TSLA: ['alpaca'],
    Gold: ['databento'],
    DXY: ['databento'],
    Oil: ['databento'],
  });
});

test('leaves out a venue that the order omits, whatever keys it has', () => {
  expect(serving(settings({ ...ALPACA, VENUE_ORDER: 'binance' }))).toMatchObject({ BTC: ['binance'], MSFT: [] });
});

test('names only venues that will be used', () => {
  expect(candleVenueNames(settings())).toEqual(['Binance USD-M', 'Bybit', 'OKX']);
  expect(candleVenueNames(settings({ ...ALPACA, VENUE_ORDER: 'databento,alpaca,bybit' }))).toEqual([
    'Alpaca (IEX)',
    'Bybit',
  ]);
});

test('gives every symbol a venue in a sandbox, whatever the order omits', () => {
  const keys = settings({ ...ALPACA, DATABENTO_KEY: 'sandbox' });
  const all = serving(inSandbox({ ...keys, order: ['okx'] }));

  expect(Object.values(all).every((ids) => ids.length > 0)).toBe(true);
  expect(all.BTC).toEqual(['okx', 'binance', 'bybit']);
});

test.each(SYMBOLS)('names the missing setting for $label without a venue', (symbol) => {
  const missing = { crypto: 'VENUE_ORDER', equity: 'ALPACA_KEY' };
  const name =
    symbol.assetClass === 'crypto' || symbol.assetClass === 'equity' ? missing[symbol.assetClass] : 'DATABENTO_KEY';

  expect(whyNoVenue(symbol)).toContain(symbol.label);
  expect(whyNoVenue(symbol)).toContain(name);
});
