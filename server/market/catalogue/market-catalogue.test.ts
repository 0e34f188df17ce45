import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { CatalogueMarket, CatalogueVenue } from '#domain/market/catalogue/market.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { openMarketCatalogue } from './market-catalogue.ts';
import type { LoadList } from './product-lists.ts';

const never = new AbortController().signal;
const log = createLogger('silent');
const MINUTE_MS = 60_000;

const aMarket = (venue: CatalogueVenue, base: string, over: Partial<CatalogueMarket> = {}): CatalogueMarket => ({
  venue,
  sym: `${base}USDT.P`,
  productId: `${base}USDT`,
  base,
  quote: 'USDT',
  kind: 'perpetual',
  status: 'trading',
  tickSize: 0.001,
  listedAtS: null,
  ...over,
});

/** Two venues whose lists the test sets; null: the venue fails. */
function setUp() {
  const lists: Record<'binance' | 'bybit', CatalogueMarket[] | null> = {
    binance: [aMarket('binance', 'LINK'), aMarket('binance', 'KAS')],
    bybit: [aMarket('bybit', 'LINK')],
  };
  const calls: string[] = [];
  let nowMs = 1e9;
  const load =
    (venue: 'binance' | 'bybit'): LoadList =>
    async () => {
      calls.push(venue);
      const markets = lists[venue];
      if (markets === null) throw new AppError('venue/unavailable');
      return { markets, malformed: 0 };
    };
  const catalogue = openMarketCatalogue({
    lists: new Map([
      ['binance', load('binance')],
      ['bybit', load('bybit')],
    ]),
    log,
    monotonicMs: () => nowMs,
  });
  const traded = (exc: string, sym: string) =>
    catalogue
      .tradedSymbol(exc, sym, never)
      .then((symbol) => symbol?.sym ?? null)
      .catch((error: AppError) => error.code);
  return {
    lists,
    calls,
    catalogue,
    traded,
    async later(ms: number) {
      nowMs += ms;
      await catalogue.refresh();
    },
  };
}

test('reads the lists at the first need, once for all callers', async () => {
  const { calls, traded } = setUp();

  expect(calls).toEqual([]);
  const all = await Promise.all(Array.from({ length: 20 }, () => traded('BINANCE', 'LINKUSDT.P')));

  expect(new Set(all)).toEqual(new Set(['LINKUSDT.P']));
  expect(calls).toEqual(['binance', 'bybit']);
});

test('knows the ten of the picker without any call, by their exchanges only', async () => {
  const { calls, traded, catalogue } = setUp();

  expect(await traded('BYBIT', 'BTCUSDT.P')).toBe('BTCUSDT.P');
  expect(await traded('NASDAQ', 'BTCUSDT.P')).toBeNull();
  expect(catalogue.knownSymbol('GC1!')).toEqual(symbolNamed('Gold'));
  expect(await catalogue.savedSymbol('MSFT', never)).toEqual(symbolNamed('MSFT'));
  expect(calls).toEqual([]);
});

test('accepts a product at the exchanges that list it, and no other name', async () => {
  const { traded } = setUp();

  expect(await traded('BYBIT', 'LINKUSDT.P')).toBe('LINKUSDT.P');
  expect(await traded('BYBIT', 'KASUSDT.P')).toBeNull();
  expect(await traded('OKX', 'LINKUSDT.P')).toBeNull();
  expect(await traded('BINANCE', 'NONEUSDT.P')).toBeNull();
});

test('looks for an unknown product in new lists, at most once a minute', async () => {
  const { lists, calls, traded, later } = setUp();
  await traded('BINANCE', 'NONEUSDT.P');
  await traded('BINANCE', 'NONEUSDT.P');
  expect(calls).toHaveLength(2);

  lists.binance?.push(aMarket('binance', 'NONE'));
  await later(MINUTE_MS);

  expect(await traded('BINANCE', 'NONEUSDT.P')).toBe('NONEUSDT.P');
  expect(calls).toHaveLength(4);
});

test.each([
  ['halted', 'market/halted'],
  ['delisted', 'market/delisted'],
] as const)('refuses a %s product by name, and still knows it', async (status, code) => {
  const { lists, traded, catalogue } = setUp();
  lists.binance = [aMarket('binance', 'KAS', { status })];

  expect(await traded('BINANCE', 'KASUSDT.P')).toBe(code);
  expect(await catalogue.savedSymbol('KASUSDT.P', never)).toMatchObject({ sym: 'KASUSDT.P' });
  expect(catalogue.isTradedAt('binance', 'KASUSDT.P')).toBe(false);
});

test('takes a product that left every list as delisted, and one that left a single list as traded', async () => {
  const { lists, traded, later, catalogue } = setUp();
  await traded('BINANCE', 'LINKUSDT.P');
  lists.binance = [aMarket('binance', 'OTHER')];
  await later(MINUTE_MS);

  expect(await traded('BINANCE', 'KASUSDT.P')).toBe('market/delisted');
  expect(await traded('BYBIT', 'LINKUSDT.P')).toBe('LINKUSDT.P');
  expect(catalogue.isTradedAt('binance', 'LINKUSDT.P')).toBe(false);
});

test.each([['fails', null] as const, ['answers with an empty list', []] as const])(
  'keeps the list of a venue that %s',
  async (_what, answer) => {
    const { lists, traded, later, catalogue } = setUp();
    await traded('BINANCE', 'LINKUSDT.P');
    lists.binance = answer === null ? null : [...answer];
    await later(MINUTE_MS);

    expect(await traded('BINANCE', 'KASUSDT.P')).toBe('KASUSDT.P');
    expect(catalogue.state().ageS).toEqual({ binance: 60, bybit: 0 });
  },
);

test('says that the lists are unavailable as long as none could be read, but offers the ten', async () => {
  const { lists, traded, catalogue, later } = setUp();
  Object.assign(lists, { binance: null, bybit: null });

  expect(await traded('BINANCE', 'LINKUSDT.P')).toBe('venue/unavailable');
  expect(await catalogue.search('', 10, never)).toHaveLength(10);
  await expect(catalogue.search('link', 10, never)).rejects.toMatchObject({ code: 'venue/unavailable' });

  lists.bybit = [aMarket('bybit', 'LINK')];
  await later(10_000);

  expect(await traded('BYBIT', 'LINKUSDT.P')).toBe('LINKUSDT.P');
  await expect(catalogue.savedSymbol('KASUSDT.P', never)).rejects.toMatchObject({ code: 'venue/unavailable' });
});

test('leaves a caller that gives up, while the others get the list', async () => {
  const { catalogue, traded } = setUp();
  const leaving = new AbortController();
  const left = catalogue.tradedSymbol('BINANCE', 'LINKUSDT.P', leaving.signal);
  leaving.abort(new Error('left'));

  await expect(left).rejects.toThrow('left');
  expect(await traded('BINANCE', 'LINKUSDT.P')).toBe('LINKUSDT.P');
});
