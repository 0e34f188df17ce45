import { expect, test } from 'vitest';
import { isWellFormed } from '#domain/market/candle.ts';
import { generatedProducts, marketAt, PRODUCT_COUNT, PRODUCT_TRAITS } from './generated-products.ts';
import { openSandboxProducts } from './open-products.ts';

const OPENED_S = Date.parse('2025-11-12T15:00:20Z') / 1000;
const MINUTE_S = 60;

const generated = (seed = 'sandbox') => generatedProducts(seed, OPENED_S);
const withTrait = (trait: string) => generated().filter((product) => product.trait === trait);
const namesOf = ({ venues }: { venues: ReadonlyMap<string, string> }) => [...venues][0] ?? expect.fail();

function openAt(s = OPENED_S) {
  const clock = { ms: s * 1000, nowMs: () => clock.ms };
  return { clock, products: openSandboxProducts({ seed: 'sandbox', clock }) };
}

test('generates three hundred products, the same for the same seed, with every trait', () => {
  const products = generated();

  expect(products).toHaveLength(PRODUCT_COUNT);
  expect(new Set(products.map(({ sym }) => sym)).size).toBe(PRODUCT_COUNT);
  expect(products).toEqual(generated());
  expect(products).not.toEqual(generated('other'));
  for (const trait of PRODUCT_TRAITS) expect(withTrait(trait).length, trait).toBeGreaterThan(5);
  expect(new Set(products.flatMap(({ venues }) => [...venues.keys()])).size).toBe(5);
});

test('opens a product when it is looked at, with candles from its first day to its last', () => {
  const { products } = openAt();
  expect(products.openCount).toBe(0);

  for (const product of generated()) {
    const [venue, id] = namesOf(product);
    const listed = products.find(venue as 'binance', id);
    expect(listed === undefined, product.sym).toBe(
      product.trait === 'delisted' && product.endsAtS !== null && product.endsAtS < OPENED_S,
    );
    const lastS =
      Math.min(Math.floor(OPENED_S / MINUTE_S) * MINUTE_S, product.endsAtS ?? Number.POSITIVE_INFINITY) - MINUTE_S;
    const candle = listed?.source.candleAt(lastS);
    if (listed !== undefined) expect(candle != null && isWellFormed(candle), product.sym).toBe(true);
    expect(listed?.source.candleAt(product.listedAtS - MINUTE_S) ?? null).toBeNull();
  }
  expect(products.openCount).toBeGreaterThan(280);
  products.close();
});

test('trades a thin product in some minutes only, and a thin minute has the last price and no volume', () => {
  const { products } = openAt();
  const [product = expect.fail()] = withTrait('thin');
  const [venue, id] = namesOf(product);
  const source = products.find(venue as 'binance', id)?.source ?? expect.fail();
  const fromS = Math.floor(OPENED_S / MINUTE_S) * MINUTE_S - 300 * MINUTE_S;
  const candles = Array.from({ length: 300 }, (_, i) => source.candleAt(fromS + i * MINUTE_S) ?? expect.fail());

  const quiet = candles.filter(({ volume }) => volume === 0);
  expect(quiet.length).toBeGreaterThan(150);
  expect(quiet.length).toBeLessThan(280);
  for (const [i, candle] of candles.entries())
    if (i > 0 && candle.volume === 0) expect(candle.close).toBe(candles[i - 1]?.close);
});

test('delists one product half an hour after the start, while it may be watched', () => {
  const [leaving = expect.fail()] = withTrait('delisted');
  const [venue, id] = namesOf(leaving);
  const { products, clock } = openAt();
  expect(products.find(venue as 'binance', id)).toBeDefined();

  clock.ms += 31 * MINUTE_S * 1000;

  expect(products.find(venue as 'binance', id)).toBeUndefined();
  expect(products.markets(venue as 'binance').find(({ sym }) => sym === leaving.sym)?.status).toBe('delisted');
});

test('lists a product under the venue’s own name, with its age and status', () => {
  const [halted = expect.fail()] = withTrait('halted');
  const [venue, id] = namesOf(halted);

  expect(marketAt(halted, venue as 'binance', OPENED_S)).toMatchObject({
    productId: id,
    status: 'halted',
    sym: halted.sym,
  });
  expect(marketAt(halted, venue as 'binance', halted.listedAtS - 1)).toBeNull();
  expect(withTrait('new').every(({ listedAtS }) => OPENED_S - listedAtS < 10 * 86_400)).toBe(true);
});
