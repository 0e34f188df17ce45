import { expect, test } from 'vitest';
import { limiterOfProcess } from '../../platform/http/guards/rate-limit.ts';
import { newProducts } from './new-products.ts';

const named = (count: number, name = 'A'): string[] => Array.from({ length: count }, (_, i) => `${name}${i}USDT.P`);
const TOO_MANY = { code: 'request/too-many' };

test('lets one address open a hundred products a minute, and others as many', async () => {
  const products = newProducts();
  await products.open('192.0.2.1', named(60));
  await expect(products.open('192.0.2.1', named(41, 'B'))).rejects.toMatchObject(TOO_MANY);
  await products.open('192.0.2.1', named(40, 'B'));
  await expect(products.open('192.0.2.1', ['CUSDT.P'])).rejects.toMatchObject(TOO_MANY);
  await products.open('192.0.2.2', ['CUSDT.P']);
});

test('counts neither the ten symbols nor products that someone opened in the last ten minutes', async () => {
  let nowMs = 0;
  const products = newProducts(limiterOfProcess, () => nowMs);
  await products.open('192.0.2.2', named(50));
  await products.open('192.0.2.1', named(100, 'B'));
  await products.open('192.0.2.1', [...named(50), 'BTCUSDT.P', 'ETHUSDT.P']);
  nowMs = 599_000;
  await products.open('192.0.2.1', named(50));
  nowMs = 1_198_000;
  await products.open('192.0.2.1', named(50));
  nowMs = 1_800_000;
  await expect(products.open('192.0.2.1', named(50))).rejects.toMatchObject(TOO_MANY);
});

test('limits no caller of this machine itself, where a proxy may call for all visitors', async () => {
  const products = newProducts();
  for (let i = 0; i < 3; i++) await products.open(null, named(100, `P${i}X`));
});
