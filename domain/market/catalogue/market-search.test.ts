import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SYMBOLS } from '../symbols.ts';
import { cataloguedSymbol } from './catalogued-symbol.ts';
import { isNewAt, listingsOf } from './listing.ts';
import { type CatalogueMarket, namesOf } from './market.ts';
import { indexMarkets } from './market-search.ts';

const aMarket = (base: string, over: Partial<CatalogueMarket> = {}): CatalogueMarket => ({
  venue: 'binance',
  sym: `${base}USDT.P`,
  productId: `${base}USDT`,
  base,
  quote: 'USDT',
  kind: 'perpetual',
  status: 'trading',
  tickSize: 0.001,
  listedAtS: 1_600_000_000,
  ...over,
});

const spot = (base: string, over: Partial<CatalogueMarket> = {}): CatalogueMarket =>
  aMarket(base, {
    venue: 'coinbase',
    sym: `${base}USD`,
    productId: `${base}-USD`,
    quote: 'USD',
    kind: 'spot',
    ...over,
  });

const MARKETS = [
  aMarket('BTC'),
  aMarket('LINK'),
  aMarket('LINK', { venue: 'bybit' }),
  aMarket('BLINK'),
  aMarket('KAS', { listedAtS: 1_700_000_000 }),
  aMarket('OLD', { status: 'delisted', listedAtS: 1_500_000_000 }),
  spot('LINK'),
  spot('BTC', { tickSize: 0.01 }),
];
const found = (query: string, limit = 20) =>
  indexMarkets(listingsOf(MARKETS))
    .search(query, limit)
    .map(({ symbol }) => symbol.sym);

test.each(['биткоин', '!!!', '/'])('finds nothing for %s, which no product is called', (query) => {
  expect(found(query)).toEqual([]);
});

test('finds a product whose code is in another script', () => {
  const index = indexMarkets(listingsOf([...MARKETS, aMarket('币安人生')]));

  expect(index.search('币安', 5).map(({ symbol }) => symbol.sym)).toEqual(['币安人生USDT.P']);
});

test('starts with the markets of the picker in their order, then the popular ones, delisted ones last', () => {
  const ofPicker = SYMBOLS.map(({ sym }) => sym);
  const all = found('', SYMBOLS.length + MARKETS.length);

  expect(all.slice(0, ofPicker.length)).toEqual(ofPicker);
  expect(all[ofPicker.length]).toBe('LINKUSDT.P');
  expect(all.at(-1)).toBe('OLDUSDT.P');
  expect(found('', 3)).toEqual(ofPicker.slice(0, 3));
});

test.each([
  ['link', ['LINKUSDT.P', 'LINKUSD', 'BLINKUSDT.P']],
  ['LINK/USD', ['LINKUSD', 'LINKUSDT.P', 'BLINKUSDT.P']],
  ['linkusdt.p', ['LINKUSDT.P', 'BLINKUSDT.P']],
  ['link/usdt', ['LINKUSDT.P', 'BLINKUSDT.P']],
  ['chain', ['LINKUSDT.P', 'LINKUSD']],
  ['kasp', ['KASUSDT.P']],
  ['btc', ['BTCUSDT.P', 'BTCUSD']],
  ['gold', ['GC1!']],
  ['nothing of the kind', []],
])('finds %s as %j', (query, syms) => {
  expect(found(query)).toEqual(syms);
});

test('finds every product by its code and by its base, among the first that start so', () => {
  const bases = fc.uniqueArray(fc.stringMatching(/^[A-Z0-9]{2,8}$/), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(bases, (drawn) => {
      const index = indexMarkets(listingsOf(drawn.map((base) => aMarket(base))));
      for (const base of drawn) {
        expect(index.search(`${base}USDT.P`, 1)[0]?.symbol.sym).toBe(`${base}USDT.P`);
        expect(index.search(base, 3).map(({ symbol }) => symbol.sym)).toContain(`${base}USDT.P`);
      }
    }),
    { numRuns: 30 },
  );
});

test('returns no more than the limit, each once, whatever is typed', () => {
  const index = indexMarkets(listingsOf(MARKETS));
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 12 }), (query, limit) => {
      const syms = index.search(query, limit).map(({ symbol }) => symbol.sym);

      expect(syms.length).toBeLessThanOrEqual(limit);
      expect(new Set(syms).size).toBe(syms.length);
    }),
  );
});

test('joins what several venues list under one code, and trades while one of them does', () => {
  const halted = aMarket('LINK', { status: 'halted', listedAtS: 1_500_000_000 });
  const [link] = listingsOf([halted, aMarket('LINK', { venue: 'okx', tickSize: 0.01 })]).slice(SYMBOLS.length);

  expect(link).toMatchObject({
    status: 'trading',
    exchanges: ['OKX', 'BINANCE'],
    listedAtS: 1_500_000_000,
    name: 'Chainlink',
    symbol: { label: 'LINK/USDT', exc: 'OKX', sym: 'LINKUSDT.P', tickSize: 0.01, decimals: 2, bookProductId: null },
  });
});

test('keeps the rows of the picker whatever the lists say about them', () => {
  const [bitcoin] = listingsOf([aMarket('BTC', { status: 'delisted', tickSize: 5 })]);

  expect(bitcoin).toMatchObject({ status: 'trading', symbol: SYMBOLS[0], kind: 'perpetual' });
});

test('calls a product new for thirty days, and never one without a date', () => {
  const day = 86_400;

  expect([29, 31].map((days) => isNewAt({ listedAtS: 1000 }, 1000 + days * day))).toEqual([true, false]);
  expect(isNewAt({ listedAtS: null }, 0)).toBe(false);
});

test('gives every product its own label, as BASE/QUOTE', () => {
  const names = [namesOf('LINK', 'USDT', 'perpetual'), namesOf('LINK', 'USD', 'spot'), namesOf('LINK', 'USDT', 'spot')];

  expect(names.map((each) => each?.label)).toEqual(['LINK/USDT', 'LINK/USD', 'LINK/USDT spot']);
  expect(namesOf('ETH', 'BTC', 'perpetual')).toBeNull();
  expect(namesOf('A'.repeat(16), 'USDT', 'spot')).toBeNull();
});

test('shows as many decimals as the tick has', () => {
  const ticks = [25, 1, 0.5, 0.005, 1e-8];
  const decimals = ticks.map(
    (tickSize) => cataloguedSymbol({ label: 'A/USD', exc: 'X', sym: 'AUSD', tickSize }).decimals,
  );

  expect(decimals).toEqual([0, 0, 1, 3, 8]);
});
