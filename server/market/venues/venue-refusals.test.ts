/** Refusals in bodies, by each venue's own codes, and what they do to the next calls. */
import { expect, test } from 'vitest';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { productListOf } from '../catalogue/product-lists.ts';
import { krakenSpotVenue } from './spot-venue.ts';
import { venueRequests } from './transport/venue-requests.ts';
import type { VenueProducts } from './venue.ts';
import { VENUE_REFUSALS } from './venue-refusals.ts';

type Venue = keyof typeof VENUE_REFUSALS;
const log = createLogger('silent');
const none = new AbortController().signal;

test.each<[Venue, unknown, string | null]>([
  ['kraken', { error: ['EGeneral:Too many requests'] }, 'too-many'],
  ['kraken', { error: ['EAPI:Rate limit exceeded'], result: null }, 'too-many'],
  ['kraken', { error: ['EService: Throttled: 1763000000'] }, 'too-many'],
  ['kraken', { error: ['EGeneral:Temporary lockout'] }, 'banned'],
  ['kraken', { error: ['EService:Busy'] }, 'failing'],
  ['kraken', { error: ['EService:Unavailable', 'WGeneral:x'] }, 'failing'],
  ['kraken', { error: ['EQuery:Unknown asset pair'] }, 'mistaken'],
  ['kraken', { error: ['WGeneral:Deprecated'], result: {} }, null],
  ['kraken', { error: [], result: {} }, null],
  ['bybit', { retCode: 10006, retMsg: 'Too many visits!' }, 'too-many'],
  ['bybit', { retCode: 10018, retMsg: null }, 'too-many'],
  ['bybit', { retCode: 10009, retMsg: 'Ip has been banned' }, 'banned'],
  ['bybit', { retCode: 10016 }, 'failing'],
  ['bybit', { retCode: 10001, retMsg: 'params error' }, 'mistaken'],
  ['bybit', { retCode: 0, retMsg: 'OK' }, null],
  ['okx', { code: '50011', msg: 'Too Many Requests' }, 'too-many'],
  ['okx', { code: '50061', msg: null }, 'too-many'],
  ['okx', { code: '50026', data: [] }, 'failing'],
  ['okx', { code: '51001', msg: '' }, 'mistaken'],
  ['okx', { code: '0', msg: '', data: [] }, null],
  ['binance', { code: -1003, msg: 'Too many requests' }, 'too-many'],
  ['binance', { code: -1001, msg: null }, 'failing'],
  ['binance', { code: -1121, msg: 'Invalid symbol.' }, 'mistaken'],
  ['binance', { serverTime: 1 }, null],
  ['binance', [], null],
])('reads from %s %j as %s', (venue, answer, kind) => {
  expect(VENUE_REFUSALS[venue](answer)?.kind ?? null).toBe(kind);
});

test('pauses the calls for spot candles of Kraken too', async () => {
  let calls = 0;
  const fetch = async () => {
    calls += 1;
    return Response.json({ error: ['EGeneral:Too many requests'] });
  };
  const products = { isTraded: () => true, productIdOf: () => 'LINKUSD' };
  const venue = krakenSpotVenue({
    restUrl: 'http://venue.test',
    clock: { nowMs: () => 1.8e12 },
    log,
    fetch,
    products: products as Partial<VenueProducts> as VenueProducts,
  });
  const link = { sym: 'LINKUSD' } as Partial<MarketSymbol> as MarketSymbol;

  for (let i = 0; i < 3; i++)
    await expect(venue.candles(link, 5, none)).rejects.toMatchObject({ details: { retryAfterS: 10 } });
  expect(calls).toBe(1);
});

test.each<[Venue, object]>([
  ['kraken', { error: ['EGeneral:Too many requests'] }],
  ['bybit', { retCode: 10006, retMsg: 'Too many visits!' }],
  ['okx', { code: '50011', msg: 'Too Many Requests' }],
  ['binance', { code: -1003, msg: 'Too many requests' }],
])('pauses the calls to %s after a refusal for too many, whatever its status', async (venue, body) => {
  for (const status of [200, 400]) {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      return Response.json(body, { status });
    };
    const baseUrl = 'http://venue.test';
    const requests = venueRequests({ baseUrl, log, fetch, readRefusal: VENUE_REFUSALS[venue] });
    for (let i = 0; i < 3; i++)
      await expect(requests.getJson('/', {}, none)).rejects.toMatchObject({ details: { retryAfterS: 10 } });
    expect(calls).toBe(1);

    const address = { restUrl: baseUrl, wsUrl: baseUrl };
    const addresses = { binance: address, bybit: address, okx: address, coinbase: address, kraken: address };
    const list = productListOf(venue, { addresses, log, fetch });
    for (let i = 0; i < 3; i++) await expect(list(none)).rejects.toMatchObject({ details: { retryAfterS: 10 } });
    expect(calls).toBe(2);
  }
});
