import { expect, test } from 'vitest';
import { describePace } from './book-labels.ts';

test.each([
  [1000, 'about once a second'],
  [900, 'about once a second'],
  [200, 'about 5 times a second'],
  [333, 'about 3 times a second'],
  [500, 'about 2 times a second'],
  [1500, 'about every 2 seconds'],
  [5000, 'about every 5 seconds'],
])('says how often a book is updated that is updated every %i ms at most', (everyMs, text) => {
  expect(describePace(everyMs)).toBe(`The site is busy: the order book updates ${text}.`);
});
