import { expect, test } from 'vitest';
import { readChoice } from './panel-choice.ts';

const LAST = 'SOL panther';

test.each([
  ['?sym=ETH&model=lion', 'ETH', 'lion', true],
  ['?sym=eth&model=LION', 'ETH', 'lion', true],
  ['?sym=BTCUSDT.P', 'BTC', 'panther', true],
  ['?model=bobcat', 'SOL', 'bobcat', false],
  ['', 'SOL', 'panther', false],
  ['?sym=NOPE&model=tiger', 'SOL', 'panther', false],
  ['?sym=constructor&model=__proto__', 'SOL', 'panther', false],
  ['?sym=Gold&sym=Oil', 'Gold', 'panther', true],
  ['?sym=%E0%A4%A', 'SOL', 'panther', false],
])('reads the address %s before the last choice', (search, label, model, isPicked) => {
  const choice = readChoice(search, LAST);

  const expected = { symbol: label, timeframe: '1min', model, isPicked, savedId: null };
  expect({ ...choice, symbol: choice.symbol.label }).toEqual(expected);
});

test.each([
  ['', 'SOL', '5min', false],
  ['?tf=15min', 'SOL', '15min', true],
  ['?tf=1MIN', 'SOL', '1min', true],
  ['?sym=ETH&tf=15min', 'ETH', '15min', true],
  // Such an address is older than the other timeframes.
  ['?sym=ETH', 'ETH', '1min', true],
  ['?model=lion', 'SOL', '5min', false],
  ['?tf=7min', 'SOL', '1min', true],
  ['?tf=', 'SOL', '1min', true],
  ['?tf=constructor', 'SOL', '1min', true],
])('reads the timeframe of the address %s before the last choice', (search, label, timeframe, isPicked) => {
  expect(readChoice(search, 'SOL panther 5min')).toMatchObject({ symbol: { label }, timeframe, isPicked });
});

test.each(['SOL panther', 'SOL  ', 'SOL panther 7min', ''])('starts at one minute after the choice "%s"', (last) => {
  expect(readChoice('', last).timeframe).toBe('1min');
});

test.each([
  ['none was stored', ''],
  ['its symbol is not offered any more', 'XYZ tiger'],
  ['something else was stored', '{"a":[1]}'],
])('starts with Bitcoin and no model when %s', (_why, last) => {
  expect(readChoice('?sym=&model=', last)).toMatchObject({ symbol: { label: 'BTC' }, model: null, isPicked: false });
});

const ID = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';

test.each([
  [`?saved=${ID}`, ID],
  [`?saved=${ID.toUpperCase()}`, ID],
  [`?saved=${ID}0`, null],
  ["?saved=1' or '1'='1", null],
  ['?saved=', null],
])('opens the saved prediction of %s only if it is an id', (search, savedId) => {
  expect(readChoice(search, '').savedId).toBe(savedId);
});
