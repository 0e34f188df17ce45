import { expect, test } from 'vitest';
import { weekdayOf } from '#domain/time/calendar-day.ts';
import { announcementsOf } from '../dialects/reference/calendar-week.ts';
import { releaseMoves } from './release-moves.ts';

const MONDAY = 20_787;

test('moves at the American releases of its own calendar, and at no other moment of the week', () => {
  const sunday = MONDAY - weekdayOf(MONDAY);
  const ofWeek = Array.from({ length: 7 }, (_, i) => [...releaseMoves('kat', sunday + i)]).flat();
  const minuteOf = (title: string) => {
    const found = announcementsOf('kat', sunday).find((one) => one.title === title);
    return Date.parse(found?.date ?? '') / 60_000 - sunday * 1440;
  };
  const inflation = minuteOf('CPI m/m');

  expect(ofWeek[inflation - 1]).toBe(1);
  expect(ofWeek[inflation]).toBe(5);
  expect(ofWeek[inflation + 59]).toBeGreaterThan(1);
  expect(ofWeek[minuteOf('ISM Services PMI')]).toBeGreaterThanOrEqual(1.3);
  expect(ofWeek.filter((factor) => factor > 1).length).toBeLessThanOrEqual(60 + 20 + 20);
});
