import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoOfDay } from '../../time/calendar-day.ts';
import { feedWeekSunday, readForexFactory } from './forex-factory.ts';

const row = (change: object = {}) => ({
  title: 'Bank Holiday',
  country: 'USD',
  date: '2026-11-26T00:00:00-05:00',
  impact: 'Holiday',
  forecast: '',
  previous: '',
  ...change,
});

test('reads a holiday as a day, an announcement with its moment, and drops the rest', () => {
  const events = readForexFactory([
    row({ date: '2026-05-26T21:30:00-04:00' }),
    row({ title: 'CPI m/m', impact: 'High', date: '2026-11-25T08:30:00-05:00', forecast: '0.3%' }),
    row({ title: 'Retail Sales', impact: 'Medium' }),
    row({ title: 'Trade Balance', impact: 'Low' }),
  ]);

  expect(events).toEqual([
    { isHoliday: true, title: 'Bank Holiday', country: 'USD', date: '2026-05-26' },
    {
      isHoliday: false,
      title: 'CPI m/m',
      country: 'USD',
      date: '2026-11-25',
      time: '2026-11-25T08:30:00-05:00',
      impact: 'High',
    },
  ]);
});

test('reads the older form too, with date and time apart', () => {
  const events = readForexFactory([
    row({ date: '11-26-2026', time: 'All Day' }),
    row({ title: 'CPI m/m', impact: 'High', date: '11-25-2026', time: '8:30am' }),
  ]);

  expect(events?.map(({ date, time }) => [date, time])).toEqual([
    ['2026-11-26', undefined],
    ['2026-11-25', '8:30am'],
  ]);
});

test('closes no market for a clock change', () => {
  expect(readForexFactory([row({ title: 'Daylight Saving Time Shift', country: 'EUR' })])).toEqual([]);
});

test('drops a few invalid rows, and rejects a calendar with more', () => {
  const faulty = [null, row({ date: 'soon' }), row({ country: 'http://x' })];

  expect(
    readForexFactory([row(), row({ country: 'GBP' }), row({ country: 'AUD' }), row({ country: 'JPY' }), ...faulty]),
  ).toHaveLength(4);
  expect(readForexFactory([row(), ...faulty])).toBeNull();
});

test.each([[[]], [null], ['<html>'], [{ error: 'x' }], [Array.from({ length: 3000 }, () => row())]])(
  'rejects this calendar: %#',
  (body) => {
    expect(readForexFactory(body)).toBeNull();
  },
);

test('never throws, whatever arrives', () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), (body, rows) => {
      readForexFactory(body);
      readForexFactory([...rows, row()]);
    }),
  );
});

test.each([
  ['2026-11-22T04:59:59Z', '2026-11-15'],
  ['2026-11-22T05:00:00Z', '2026-11-22'],
  ['2026-06-21T04:00:00Z', '2026-06-21'],
  ['2026-11-28T23:00:00Z', '2026-11-22'],
])('starts at %s the week of the feed on %s', (iso, sunday) => {
  expect(isoOfDay(feedWeekSunday(Date.parse(iso)))).toBe(sunday);
});
