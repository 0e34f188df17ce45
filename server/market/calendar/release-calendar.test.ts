import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { type ReleaseRow, releaseFault } from '#domain/market/calendar/release.ts';
import type { FeedWeek } from './calendar-events.ts';
import { coveredBy, openReleaseCalendar, readSchedule, warnOfEnd } from './release-calendar.ts';

const at = (moment: string): number => Date.parse(moment) / 1000;
const { signal } = new AbortController();
const CPI = '2026-12-10T08:30:00-05:00';
const event = (title: string, time: string, country = 'USD') => ({
  isHoliday: false,
  title,
  country,
  date: time.slice(0, 10),
  time,
  impact: 'High',
});
const weekOf = (fetched: string, ...events: FeedWeek['events']): FeedWeek => ({
  events,
  attribution: 'Sandbox market',
  fetchedAtMs: Date.parse(fetched),
});
const planned = (moment: string, title: string): ReleaseRow => ({ timeS: at(moment), currency: 'USD', title });

function calendarOf(week: FeedWeek | null | Error, schedule: readonly ReleaseRow[] = []) {
  const log = pino({ level: 'silent' });
  const warn = vi.spyOn(log, 'warn');
  const answer = async (): Promise<FeedWeek | null> => {
    if (week instanceof Error) throw week;
    return week;
  };
  return { calendar: openReleaseCalendar({ week: answer, schedule, log }), warn };
}

test('says what the live calendar lists, and that it is complete', async () => {
  const { calendar } = calendarOf(weekOf('2026-12-09T12:00:00Z', event('CPI m/m', CPI)));

  expect(await calendar.between(at('2026-12-10T13:00:00Z'), at('2026-12-10T14:00:00Z'), signal)).toEqual({
    releases: [{ timeS: at(CPI), kind: 'inflation', title: 'CPI m/m' }],
    isComplete: true,
  });
  expect((await calendar.between(at('2026-12-10T13:31:00Z'), at('2026-12-10T14:00:00Z'), signal)).releases).toEqual([]);
});

test('follows the live calendar where it moved a release that the schedule has, and the schedule elsewhere', async () => {
  const schedule = [planned(CPI, 'CPI m/m'), planned('2026-12-17T08:30:00-05:00', 'Unemployment Claims')];
  const { calendar } = calendarOf(
    weekOf('2026-12-09T12:00:00Z', event('CPI m/m', '2026-12-11T08:30:00-05:00')),
    schedule,
  );

  const { releases } = await calendar.between(at('2026-12-07T00:00:00Z'), at('2026-12-20T00:00:00Z'), signal);

  expect(releases.map(({ timeS }) => timeS)).toEqual([at('2026-12-11T13:30:00Z'), at('2026-12-17T13:30:00Z')]);
});

test.each([
  ['never answered', null],
  ['fails', new Error('no database')],
  ['answered in an earlier week', weekOf('2026-11-25T12:00:00Z', event('CPI m/m', '2026-11-25T08:30:00-05:00'))],
])('says that it may miss a release when the live calendar %s, and keeps to the schedule', async (_, week) => {
  const { calendar } = calendarOf(week, [planned(CPI, 'CPI m/m')]);

  expect(await calendar.between(at('2026-12-10T13:00:00Z'), at('2026-12-10T14:00:00Z'), signal)).toEqual({
    releases: [{ timeS: at(CPI), kind: 'inflation', title: 'CPI m/m' }],
    isComplete: false,
  });
});

test('has a moment of the schedule only while the live calendar does not speak of its week', () => {
  const schedule = [planned(CPI, 'CPI m/m'), planned('2026-12-17T08:30:00-05:00', 'Unemployment Claims')];
  const { calendar } = calendarOf(null, schedule);
  const week = weekOf('2026-12-09T12:00:00Z', event('CPI m/m', '2026-12-11T08:30:00-05:00'));

  expect(calendar.standing(null).planned).toEqual(schedule);
  expect(calendar.standing(week).planned).toEqual([schedule[1]]);
  expect(calendar.standing(week).live).toEqual([planned('2026-12-11T08:30:00-05:00', 'CPI m/m')]);
});

test('leaves out what can’t be right and what has no moment, and logs each such row once', async () => {
  const { calendar, warn } = calendarOf(
    weekOf(
      '2026-12-09T12:00:00Z',
      event('CPI m/m', '2026-12-10T08:30:00+00:00'),
      event('GDP q/q', 'Tentative'),
      event('CPI y/y', '2026-12-12T08:30:00-05:00'),
      event('Retail Sales m/m', CPI),
      event('Retail Sales m/m', CPI),
    ),
  );
  const whole = () => calendar.between(at('2026-12-07T00:00:00Z'), at('2026-12-13T00:00:00Z'), signal);

  await whole();

  expect((await whole()).releases).toEqual([{ timeS: at(CPI), kind: 'retail-sales', title: 'Retail Sales m/m' }]);
  expect(warn.mock.calls.map(([row]) => (row as unknown as ReleaseRow).title)).toEqual(['CPI m/m', 'CPI y/y']);
});

test('covers a week of New York and the Sunday after it, and the week before while its file is still served', () => {
  const monday = '2026-12-07T12:00:00Z';

  expect(coveredBy(weekOf(monday, event('CPI m/m', CPI)))).toEqual({
    fromS: at('2026-12-06T00:00:00-05:00'),
    toS: at('2026-12-14T00:00:00-05:00'),
  });
  expect(coveredBy(weekOf(monday, event('ISM Services PMI', '2026-12-03T10:00:00-05:00')))).toEqual({
    fromS: at('2026-11-29T00:00:00-05:00'),
    toS: at('2026-12-07T00:00:00-05:00'),
  });
});

test('ships a schedule of believable moments that names the Fed’s meetings', () => {
  const schedule = readSchedule(null);

  expect(schedule.map(releaseFault).filter((fault) => fault !== null)).toEqual([]);
  expect(schedule.filter(({ title }) => title === 'FOMC Statement').map(({ timeS }) => timeS)).toContain(
    at('2027-03-17T18:00:00Z'),
  );
});

test('reads an operator’s schedule instead, and names the file and the line of a wrong one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'schedule-'));
  const file = join(folder, 'own.csv');
  try {
    writeFileSync(file, 'time,currency,event\n2026-12-10T08:30:00-05:00,USD,CPI m/m\n');
    expect(readSchedule(file)).toEqual([planned(CPI, 'CPI m/m')]);

    writeFileSync(file, 'time,currency,event\n2026-12-10,USD,CPI m/m\n');
    expect(() => readSchedule(file)).toThrow(`${file}: line 2`);
    expect(() => readSchedule(join(folder, 'none.csv'))).toThrow('none.csv');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('tells the operator two months before the schedule ends', () => {
  const log = pino({ level: 'silent' });
  const warn = vi.spyOn(log, 'warn');
  const schedule = [planned('2027-12-08T14:00:00-05:00', 'FOMC Statement')];

  warnOfEnd(schedule, Date.parse('2027-10-01T00:00:00Z'), log);
  warnOfEnd([], Date.parse('2027-12-01T00:00:00Z'), log);
  expect(warn).not.toHaveBeenCalled();

  warnOfEnd(schedule, Date.parse('2027-10-20T00:00:00Z'), log);
  expect(warn).toHaveBeenCalledOnce();
});
