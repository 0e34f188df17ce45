import { expect, test } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { openingText } from './opening-text.ts';

const at = (text: string) => Date.parse(text);

test.each([
  // Saturday evening, Friday night, Monday before the open, Thanksgiving, in New York.
  ['2026-11-28T20:30:00-05:00', 'Europe/Berlin', 'Opens Mon 15:30 (in 1 d 13 h)'],
  ['2026-11-20T16:00:00-05:00', 'America/New_York', 'Opens Mon 09:30 (in 2 d 17 h)'],
  ['2026-11-30T09:18:10-05:00', 'America/New_York', 'Opens Mon 09:30 (in 12 min)'],
  ['2026-11-26T09:30:00-05:00', 'UTC', 'Opens Fri 14:30 (in 1 d)'],
])('says at %s, in %s, when the shares trade again', (now, zone, text) => {
  expect(openingText(symbolNamed('MSFT'), at(now), zone)).toBe(text);
});
