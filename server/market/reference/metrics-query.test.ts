import { expect, test } from 'vitest';
import { readCoinsQuery, requireFearGreedQuery, requireNoQuery } from './metrics-query.ts';

const PAGE = 'vs_currency=usd&order=market_cap_desc&per_page=50&page=1&sparkline=false&price_change_percentage=24h';

test.each([
  [PAGE, 50],
  [PAGE.replace('50', '250'), 250],
  [PAGE.replace('50', '1'), 1],
  ['vs_currency=usd', 100],
])('reads a coin count from %s: %d', (query, count) => {
  expect(readCoinsQuery(new URLSearchParams(query))).toBe(count);
});

test.each([
  ['', 'vs_currency', 'missing'],
  ['vs_currency=eur', 'vs_currency', 'invalid'],
  [PAGE.replace('50', '251'), 'per_page', 'invalid'],
  [PAGE.replace('50', '0'), 'per_page', 'invalid'],
  [PAGE.replace('50', '-5'), 'per_page', 'invalid'],
  [PAGE.replace('50', '5e1'), 'per_page', 'invalid'],
  [PAGE.replace('page=1', 'page=2'), 'page', 'invalid'],
  [PAGE.replace('false', 'true'), 'sparkline', 'invalid'],
  [PAGE.replace('24h', '7d'), 'price_change_percentage', 'invalid'],
  [PAGE.replace('market_cap_desc', 'id_asc'), 'order', 'invalid'],
  [`${PAGE}&page=1`, 'page', 'repeated'],
  [`${PAGE}&ids=bitcoin`, 'ids', 'unknown'],
  [`${PAGE}&__proto__=1`, '__proto__', 'unknown'],
  [`${PAGE}&constructor=1`, 'constructor', 'unknown'],
])('refuses %s: %s is %s', (query, parameter, problem) => {
  expect(() => readCoinsQuery(new URLSearchParams(query))).toThrow(
    expect.objectContaining({ code: 'request/invalid', details: { parameter, problem } }),
  );
});

test('accepts only the page’s own parameters for the other two queries', () => {
  requireNoQuery(new URLSearchParams(''));
  requireFearGreedQuery(new URLSearchParams('limit=1'));
  requireFearGreedQuery(new URLSearchParams(''));

  expect(() => requireNoQuery(new URLSearchParams('a=1'))).toThrow(/request\/invalid/);
  expect(() => requireFearGreedQuery(new URLSearchParams('limit=0'))).toThrow(/request\/invalid/);
});
