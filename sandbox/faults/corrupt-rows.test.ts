import { expect, test } from 'vitest';
import { withBadValues, withDisorder } from './corrupt-rows.ts';

test('corrupts cells of text rows and of number rows, never their times', () => {
  const texts = { result: { list: [['1', '2', '3', '4', '5']] } };
  const numbers = { bars: [{ t: '2025-11-12T15:00:00Z', time: 1_762_959_600, o: 1.5 }], next: null };

  expect(withBadValues(texts, 'negative')).toBe('{"result":{"list":[["1","-2","3","4","5"]]}}');
  expect(withBadValues(numbers, '1e400')).toContain('"time":1762959600,"o":1e400');
  expect(withBadValues(numbers, 'null')).toContain('"o":null');
});

test('corrupts one cell in each third row, another one each time', () => {
  const rows = Array.from({ length: 7 }, () => ['buy', '10', '2']);

  const corrupt: unknown = JSON.parse(withBadValues({ changes: rows }, 'NaN'));
  expect(rows[0], 'the message itself').toEqual(['buy', '10', '2']);

  const bad = (cells: readonly string[]) => ['buy', ...cells];
  const good = bad(['10', '2']);
  expect(corrupt).toEqual({
    changes: [bad(['NaN', '2']), good, good, bad(['10', 'NaN']), good, good, bad(['NaN', '2'])],
  });
});

test('corrupts every figure of a message without rows, except ids and times', () => {
  const ticker = { type: 'ticker', sequence: 7, trade_id: 8, price: '100.5', last_size: '0', side: 'buy', time: '9' };

  expect(JSON.parse(withBadValues(ticker, 'empty'))).toEqual({ ...ticker, price: '', last_size: '' });
});

test('takes the longest list as the rows, the inner one on a tie', () => {
  const message = { events: [{ updates: [{ price_level: '1' }, { price_level: '2' }, { price_level: '3' }] }] };
  const single = { events: [{ product_id: 'BTC-USD', updates: [{ price_level: '1' }] }] };

  expect(withDisorder(message)).toEqual({
    events: [{ updates: ['2', '1', '3', '1', '2'].map((price_level) => ({ price_level })) }],
  });
  expect(
    message.events[0]?.updates.map(({ price_level }) => price_level),
    'the message itself',
  ).toEqual(['1', '2', '3']);
  expect(JSON.parse(withBadValues(single, 'NaN'))).toEqual({
    events: [{ product_id: 'BTC-USD', updates: [{ price_level: 'NaN' }] }],
  });
});
