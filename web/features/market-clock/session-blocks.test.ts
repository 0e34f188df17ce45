import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, hoursWords, hourWords } from './session-blocks.ts';

const SYDNEY = { startUTC: 20, endUTC: 5 };

test.each([
  [
    'in London in winter',
    0,
    [
      { startHour: 0, endHour: 5 },
      { startHour: 20, endHour: 24 },
    ],
  ],
  ['in New York in winter', -5, [{ startHour: 15, endHour: 24 }]],
  ['in Sydney', 11, [{ startHour: 7, endHour: 16 }]],
  ['in India', 5.5, [{ startHour: 1.5, endHour: 10.5 }]],
])('Sydney drawn %s', (_where, offsetHours, blocks) => {
  expect(blocksOf(SYDNEY, offsetHours)).toEqual(blocks);
});

test('wherever it is drawn, a session is as long as it is, within one day, and covers exactly its own hours', () => {
  const quarter = (max: number) => fc.integer({ min: 0, max: max * 4 - 1 }).map((n) => n / 4);
  const offset = fc.integer({ min: -48, max: 56 }).map((n) => n / 4);
  fc.assert(
    fc.property(quarter(24), quarter(24), quarter(24), offset, (startUTC, endUTC, hour, offsetHours) => {
      const blocks = blocksOf({ startUTC, endUTC }, offsetHours);

      const localHour = (hour + offsetHours + 48) % 24;
      const isDrawn = blocks.some((b) => b.startHour <= localHour && localHour < b.endHour);
      const isOpen = (hour - startUTC + 24) % 24 < (endUTC - startUTC + 24) % 24;
      expect(isDrawn).toBe(isOpen);
      expect(blocks.every((b) => b.startHour >= 0 && b.startHour <= b.endHour && b.endHour <= 24)).toBe(true);
      expect(blocks.reduce((sum, b) => sum + b.endHour - b.startHour, 0)).toBe((endUTC - startUTC + 24) % 24);
    }),
  );
});

test('hours are told on a 12-hour clock', () => {
  expect([0, 0.5, 11, 12, 13.25, 23, 24, -1].map(hourWords)).toEqual([
    ...['12 AM', '12:30 AM', '11 AM', '12 PM', '1:15 PM', '11 PM', '12 AM', '11 PM'],
  ]);
  expect(hoursWords(SYDNEY, 1)).toBe('9 PM – 6 AM');
});
