import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categoryOf, NEWS_CATEGORIES } from './news.ts';

test.each([
  ['Bitcoin and Ethereum move together', 'Bitcoin'],
  ['BTC steady', 'Bitcoin'],
  ['What the ETH merge left behind', 'Ethereum'],
  ['Whether a network is needed', 'Markets'],
  ['SEC sues an exchange', 'Regulation'],
  ['Seconds matter in security', 'Markets'],
  ['A new dex for DeFi', 'DeFi'],
  ['Analyst looks at the chart', 'Analysis'],
  ['European bank opens a custody desk', 'Banking'],
  ['Bankrupt exchange repays', 'Markets'],
  ['Exchange lists a token', 'Markets'],
  ['', 'Markets'],
])('puts %s into %s', (title, category) => {
  expect(categoryOf(title)).toBe(category);
});

test('puts a title about banking under Markets on the home page', () => {
  expect(categoryOf('European bank opens a custody desk', { withBanking: false })).toBe('Markets');
  expect(categoryOf('Bank of Bitcoin', { withBanking: false })).toBe('Bitcoin');
});

test('gives any title one category, and changes no other without Banking', () => {
  const word = fc.constantFrom(
    'bank',
    'btc',
    'Ether',
    'the',
    'court',
    'Fed',
    'yield',
    '東京',
    '\u202e',
    '-',
    'outlook',
  );
  const title = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 8 }).map((some) => some.join(' ')),
  );
  fc.assert(
    fc.property(title, (title) => {
      const category = categoryOf(title);

      expect(NEWS_CATEGORIES).toContain(category);
      const short = categoryOf(title, { withBanking: false });
      expect(short).toBe(category === 'Banking' ? 'Markets' : category);
    }),
  );
});

test('matches a keyword anywhere, and only as a whole word', () => {
  const word = fc.constantFrom('ethereum', 'ETH', 'sec', 'DeFi', 'analysis', 'bank');
  const around = fc.stringMatching(/^[xyz]{0,5}$/);
  fc.assert(
    fc.property(around, word, around, (before, it, after) => {
      const alone = categoryOf(it);

      expect(categoryOf(`${before} ${it}, ${after}`)).toBe(alone);
      expect(categoryOf(`x${it}x`)).toBe('Markets');
    }),
  );
});
