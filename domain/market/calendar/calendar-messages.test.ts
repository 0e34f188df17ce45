import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCalendarEvent, toIsoDate } from './calendar-messages.ts';

test.each([
  ['2026-11-26', '2026-11-26'],
  ['11-26-2026', '2026-11-26'],
  ['2026-05-26T21:30:00-04:00', '2026-05-26'],
  ['2024-02-29', '2024-02-29'],
])('reads the day of %s as %s', (written, expected) => {
  expect(toIsoDate(written)).toBe(expected);
});

test.each([
  '',
  '26-11-2026',
  '2026-02-30',
  '02-29-2026',
  '2026-13-01',
  '26/11/2026',
  '2026-1-1',
  'today',
  '0000-00-00',
])('reads no day from %j', (written) => {
  expect(toIsoDate(written)).toBeNull();
});

test('reads every day the same in both forms', () => {
  const day = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const iso = date.toISOString().slice(0, 10);
      const [year, month, dayOfMonth] = iso.split('-');

      expect(toIsoDate(iso)).toBe(iso);
      expect(toIsoDate(`${month}-${dayOfMonth}-${year}`)).toBe(iso);
    }),
  );
});

test('never throws on any text, and returns only days of the calendar', () => {
  fc.assert(
    fc.property(fc.string(), (written) => {
      expect(toIsoDate(written) ?? '2026-01-01').toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }),
  );
});

test('reads an event with its texts and one form of date, and returns null for an invalid one', () => {
  const holiday = { isHoliday: true, title: 'Thanksgiving Day', country: 'USD', date: '11-26-2026' };

  expect(readCalendarEvent(holiday)).toEqual({ ...holiday, date: '2026-11-26' });
  expect(readCalendarEvent({ ...holiday, more: 1 })).not.toHaveProperty('more');
  for (const wrong of [null, 'x', {}, { ...holiday, date: 'soon' }, { ...holiday, isHoliday: 'yes' }]) {
    expect(readCalendarEvent(wrong)).toBeNull();
  }
});
