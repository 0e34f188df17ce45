import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, formatClock, formatHour, formatHours, viewerHours } from './session-blocks.ts';

const SYDNEY = { startUTC: 20, endUTC: 5 };
const LONDON = { startUTC: 7, endUTC: 16 };

/** Where the clock differs from UTC by so much all day. */
const moved = ({ startUTC, endUTC }: { startUTC: number; endUTC: number }, offsetHours: number) => ({
  startHour: startUTC + offsetHours,
  endHour: endUTC + offsetHours,
});

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
])('draws Sydney %s', (_where, offsetHours, blocks) => {
  expect(blocksOf(moved(SYDNEY, offsetHours))).toEqual(blocks);
});

test('draws a session with its length, within one day, exactly over its hours, wherever it is drawn', () => {
  const quarter = (max: number) => fc.integer({ min: 0, max: max * 4 - 1 }).map((n) => n / 4);
  const offset = fc.integer({ min: -48, max: 56 }).map((n) => n / 4);
  fc.assert(
    fc.property(quarter(24), quarter(24), quarter(24), offset, (startUTC, endUTC, hour, offsetHours) => {
      const blocks = blocksOf(moved({ startUTC, endUTC }, offsetHours));

      const localHour = (hour + offsetHours + 48) % 24;
      const isDrawn = blocks.some((b) => b.startHour <= localHour && localHour < b.endHour);
      const isOpen = (hour - startUTC + 24) % 24 < (endUTC - startUTC + 24) % 24;
      expect(isDrawn).toBe(isOpen);
      expect(blocks.every((b) => b.startHour >= 0 && b.startHour <= b.endHour && b.endHour <= 24)).toBe(true);
      expect(blocks.reduce((sum, b) => sum + b.endHour - b.startHour, 0)).toBe((endUTC - startUTC + 24) % 24);
    }),
  );
});

test('shows hours on a 12-hour clock', () => {
  expect([0, 0.5, 11, 12, 13.25, 23, 24, -1].map(formatHour)).toEqual([
    ...['12 AM', '12:30 AM', '11 AM', '12 PM', '1:15 PM', '11 PM', '12 AM', '11 PM'],
  ]);
  expect(formatHours(moved(SYDNEY, 1))).toBe('9 PM to 6 AM');
});

test.each([
  ['before the clocks of Berlin go forward', 'Europe/Berlin', '2026-03-28T23:10:00Z', '9 AM to 6 PM'],
  ['after it', 'Europe/Berlin', '2026-03-29T12:00:00Z', '9 AM to 6 PM'],
  ['the day before', 'Europe/Berlin', '2026-03-28T12:00:00Z', '8 AM to 5 PM'],
  ['before they go back', 'Europe/Berlin', '2026-10-24T22:10:00Z', '8 AM to 5 PM'],
  ['in India', 'Asia/Kolkata', '2026-03-29T12:00:00Z', '12:30 PM to 9:30 PM'],
  ['on Lord Howe Island, that day', 'Australia/Lord_Howe', '2026-10-03T14:00:00Z', '6 PM to 3 AM'],
  ['in UTC', 'UTC', '2026-03-29T12:00:00Z', '7 AM to 4 PM'],
])('shows London’s hours as the clock will show them then: %s', (_when, zone, now, text) => {
  expect(formatHours(viewerHours(LONDON, Date.parse(now), zone))).toBe(text);
});

test('shows a moment on a 12-hour clock', () => {
  const at = (time: string) => Date.parse(`2026-11-25T${time}Z`);

  expect(formatClock(at('14:20:59'), 'UTC')).toBe('2:20 PM');
  expect(formatClock(at('00:00:00'), 'UTC')).toBe('12:00 AM');
  expect(formatClock(at('06:35:00'), 'Asia/Kolkata')).toBe('12:05 PM');
});
