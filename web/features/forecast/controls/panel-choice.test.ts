import { expect, test } from 'vitest';
import { readChoice } from './panel-choice.ts';

const LAST = { label: 'SOL', model: 'panther' } as const;

test.each([
  ['?sym=ETH&model=lion', 'ETH', 'lion', true],
  ['?sym=eth&model=LION', 'ETH', 'lion', true],
  ['?sym=BTCUSDT.P', 'BTC', 'panther', true],
  ['?model=bobcat', 'SOL', 'bobcat', false],
  ['', 'SOL', 'panther', false],
  ['?sym=NOPE&model=tiger', 'SOL', 'panther', false],
  [`?sym=${'x'.repeat(5000)}&model=__proto__`, 'SOL', 'panther', false],
  ['?sym=Gold&sym=Oil', 'Gold', 'panther', true],
  ['?sym=%E0%A4%A', 'SOL', 'panther', false],
])('reads the address %s before the last choice', (search, label, model, isPicked) => {
  const choice = readChoice(search, LAST);

  expect({ ...choice, symbol: choice.symbol.label }).toEqual({ symbol: label, model, isPicked });
});

test.each([
  ['none was stored', null],
  ['its symbol is not offered any more', { label: 'GONE', model: null }],
])('starts with Bitcoin and no model when %s', (_why, last) => {
  expect(readChoice('?sym=&model=', last)).toMatchObject({ symbol: { label: 'BTC' }, model: null, isPicked: false });
});
