/** What holds for the list of every venue: what is built reads back, and junk is dropped and counted, never thrown. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBinanceProducts, toBinanceProduct } from './binance-products.ts';
import { parseBybitProducts, toBybitProduct } from './bybit-products.ts';
import { parseCoinbaseProducts, toCoinbaseProduct } from './coinbase-products.ts';
import { parseKrakenProducts, toKrakenProduct } from './kraken-products.ts';
import type { CatalogueMarket, CatalogueVenue } from './market.ts';
import { parseOkxProducts, toOkxProduct } from './okx-products.ts';
import type { ProductList } from './product-list.ts';

interface ListCodec {
  venue: CatalogueVenue;
  kind: CatalogueMarket['kind'];
  quote: string;
  /** False: the list says nothing about the day of listing. */
  hasListing: boolean;
  productId(base: string, quote: string): string;
  answer(rows: readonly unknown[]): unknown;
  row(market: CatalogueMarket): unknown;
  parse(answer: unknown): ProductList;
}

const CODECS: readonly ListCodec[] = [
  {
    venue: 'binance',
    kind: 'perpetual',
    quote: 'USDT',
    hasListing: true,
    productId: (base, quote) => base + quote,
    answer: (symbols) => ({ timezone: 'UTC', symbols }),
    row: toBinanceProduct,
    parse: parseBinanceProducts,
  },
  {
    venue: 'bybit',
    kind: 'perpetual',
    quote: 'USDT',
    hasListing: true,
    productId: (base, quote) => base + quote,
    answer: (list) => ({ retCode: 0, retMsg: 'OK', result: { category: 'linear', list, nextPageCursor: '' } }),
    row: toBybitProduct,
    parse: parseBybitProducts,
  },
  {
    venue: 'okx',
    kind: 'perpetual',
    quote: 'USDT',
    hasListing: true,
    productId: (base, quote) => `${base}-${quote}-SWAP`,
    answer: (data) => ({ code: '0', msg: '', data }),
    row: toOkxProduct,
    parse: parseOkxProducts,
  },
  {
    venue: 'coinbase',
    kind: 'spot',
    quote: 'USD',
    hasListing: false,
    productId: (base, quote) => `${base}-${quote}`,
    answer: (rows) => rows,
    row: toCoinbaseProduct,
    parse: parseCoinbaseProducts,
  },
  {
    venue: 'kraken',
    kind: 'spot',
    quote: 'USD',
    hasListing: false,
    productId: (base, quote) => base + quote,
    answer: (rows) => ({ error: [], result: Object.fromEntries(rows.map((row, i) => [`K${i}`, row])) }),
    row: (market) => toKrakenProduct(market)[1],
    parse: parseKrakenProducts,
  },
];

const OPTIONAL: Readonly<Record<CatalogueVenue, readonly string[]>> = {
  binance: ['onboardDate'],
  bybit: ['launchTime'],
  okx: ['listTime'],
  coinbase: ['trading_disabled', 'cancel_only', 'post_only', 'auction_mode'],
  kraken: ['tick_size', 'status'],
};

const base = fc.stringMatching(/^[A-Z0-9]{1,10}$/).filter((text) => !['XBT', 'XDG', 'BTC', 'DOGE'].includes(text));

const marketOf = ({ venue, kind, quote, hasListing, productId }: ListCodec): fc.Arbitrary<CatalogueMarket> =>
  fc
    .record({
      base,
      status: fc.constantFrom<CatalogueMarket['status']>('trading', 'halted', 'delisted'),
      tickPower: fc.integer({ min: -9, max: 2 }),
      listedAtS: hasListing ? fc.option(fc.integer({ min: 1_300_000_000, max: 1_900_000_000 })) : fc.constant(null),
    })
    .map((drawn) => ({
      venue,
      kind,
      quote,
      base: drawn.base,
      status: drawn.status,
      listedAtS: drawn.listedAtS,
      sym: drawn.base + quote + (kind === 'perpetual' ? '.P' : ''),
      productId: productId(drawn.base, quote),
      tickSize: Number(`1e${drawn.tickPower}`),
    }));

describe.each(CODECS.map((codec) => [codec.venue, codec] as const))('the list of %s', (_venue, codec) => {
  test('reads back what was built', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(marketOf(codec), { selector: ({ sym }) => sym, minLength: 1, maxLength: 20 }),
        (markets) => {
          expect(codec.parse(codec.answer(markets.map(codec.row)))).toMatchObject({ markets, malformed: 0 });
        },
      ),
      { numRuns: 50 },
    );
  });

  test('drops and counts rows that are no products, and keeps the others', () => {
    const junk = fc.oneof(fc.constant(null), fc.string(), fc.integer(), fc.array(fc.string()), fc.constant({}));
    fc.assert(
      fc.property(marketOf(codec), fc.array(junk, { maxLength: 10 }), (market, bad) => {
        const { markets, malformed } = codec.parse(codec.answer([...bad, codec.row(market)]));

        expect(markets).toEqual([market]);
        expect(malformed).toBe(bad.length);
      }),
      { numRuns: 50 },
    );
  });

  test('survives any single changed field of a row', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.constant(undefined), fc.constant({}));
    fc.assert(
      fc.property(marketOf(codec), fc.nat(20), value, (market, nth, changed) => {
        const row = codec.row(market) as Record<string, unknown>;
        const names = Object.keys(row);
        const { markets } = codec.parse(codec.answer([{ ...row, [names[nth % names.length] ?? '']: changed }]));

        for (const { sym, tickSize } of markets) {
          expect(sym).toMatch(/^[A-Z0-9]{2,18}(\.P)?$/);
          expect(tickSize).toBeGreaterThan(0);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('reads a field that may be absent as absent when it is null', () => {
    fc.assert(
      fc.property(marketOf(codec), (market) => {
        const row = codec.row({ ...market, status: 'trading' }) as object;
        const nulls = Object.fromEntries(OPTIONAL[codec.venue].map((name) => [name, null]));
        const { markets, malformed } = codec.parse(codec.answer([{ ...row, ...nulls }]));

        expect([markets[0]?.productId, markets[0]?.status, malformed]).toEqual([market.productId, 'trading', 0]);
      }),
      { numRuns: 20 },
    );
  });

  test.each([null, 'list', 7, {}, { symbols: 'x', data: 'x', result: 7 }])('refuses %j as a whole', (answer) => {
    expect(() => codec.parse(answer)).toThrow(expect.objectContaining({ code: 'venue/unavailable' }));
  });
});

test('leaves out dated futures, options and names that no request can hold', () => {
  const perpetual = {
    symbol: 'LINKUSDT',
    contractType: 'PERPETUAL',
    status: 'TRADING',
    baseAsset: 'LINK',
    quoteAsset: 'USDT',
    filters: [{ filterType: 'PRICE_FILTER', tickSize: '0.001' }],
  };
  const symbols = [
    perpetual,
    { ...perpetual, symbol: 'LINKUSDT_270326', contractType: 'CURRENT_QUARTER' },
    { ...perpetual, symbol: '币USDT', baseAsset: '币' },
  ];

  expect(parseBinanceProducts({ symbols })).toMatchObject({ markets: [{ sym: 'LINKUSDT.P' }], malformed: 0 });
});

test('writes Kraken’s own names of Bitcoin and Dogecoin as everyone else does', () => {
  const row = (wsname: string, altname: string) => ({ altname, wsname, pair_decimals: 1 });
  const result = { XXBTZUSD: row('XBT/USD', 'XBTUSD'), XDGUSD: row('XDG/USD', 'XDGUSD') };

  expect(parseKrakenProducts({ error: [], result }).markets).toMatchObject([
    { sym: 'BTCUSD', productId: 'XBTUSD', tickSize: 0.1 },
    { sym: 'DOGEUSD', productId: 'XDGUSD' },
  ]);
});

test('takes a pair that Coinbase has paused as halted', () => {
  const row = { id: 'A-USD', base_currency: 'A', quote_currency: 'USD', quote_increment: '0.01', status: 'online' };
  const statusOf = (over: object) => parseCoinbaseProducts([{ ...row, ...over }]).markets[0]?.status;

  expect([statusOf({}), statusOf({ cancel_only: true }), statusOf({ status: 'offline' })]).toEqual([
    'trading',
    'halted',
    'halted',
  ]);
});

const LINK: CatalogueMarket = {
  venue: 'bybit',
  kind: 'perpetual',
  sym: 'LINKUSDT.P',
  productId: 'LINKUSDT',
  base: 'LINK',
  quote: 'USDT',
  status: 'trading',
  tickSize: 0.001,
  listedAtS: null,
};

test('takes the last page of Bybit’s list whether its cursor is empty, null or absent', () => {
  const list = [toBybitProduct(LINK)];
  for (const cursor of [{ nextPageCursor: '' }, { nextPageCursor: null }, {}])
    expect(parseBybitProducts({ retCode: 0, result: { list, ...cursor } })).toMatchObject({
      cursor: '',
      markets: [{ productId: 'LINKUSDT' }],
    });
});
