import { expect, test } from 'vitest';
import { feedWeekSunday, readForexFactory } from '#domain/market/calendar/forex-factory.ts';
import { NO_FAULTS } from '../../../faults/faults.ts';
import { openSandboxProducts } from '../../products/open-products.ts';
import { calendarDialectOf } from './calendar.ts';
import { weekRows } from './calendar-week.ts';

const PATH = '/ff_calendar_thisweek.json';

function open(options: { downloads?: number | null; seed?: string } = {}) {
  const clock = { ms: Date.parse('2026-11-25T15:00:00Z'), nowMs: () => clock.ms };
  const { downloads = 2, seed = 'kat' } = options;
  const dialect = calendarDialectOf({ downloads })({
    listing: [],
    products: openSandboxProducts({ seed, clock }),
    clock,
    faults: NO_FAULTS,
    seed,
    lagS: 0,
    speed: 1,
    isWatched: () => true,
  });
  const request = (headers: Record<string, string> = {}, path = PATH) =>
    dialect.answer?.({ path, query: new URLSearchParams(), headers });
  return { clock, request };
}

test('has the real shape in the running week, every impact, and New York’s offset of the season', () => {
  const winter = weekRows('kat', feedWeekSunday(Date.parse('2026-11-25T15:00:00Z')));
  const summer = weekRows('kat', feedWeekSunday(Date.parse('2026-06-17T15:00:00Z')));

  for (const row of winter) {
    expect(Object.keys(row)).toEqual(['title', 'country', 'date', 'impact', 'forecast', 'previous']);
    expect(row.date).toMatch(/^2026-11-2\dT\d\d:\d\d:00-05:00$/);
  }
  expect(summer.every(({ date }) => date.endsWith('-04:00'))).toBe(true);
  expect(new Set(winter.map(({ impact }) => impact))).toEqual(new Set(['High', 'Medium', 'Low', 'Holiday']));
  expect(winter.map(({ date }) => Date.parse(date))).toEqual(winter.map(({ date }) => Date.parse(date)).sort());
  expect(readForexFactory(winter)).toContainEqual({
    isHoliday: true,
    title: 'Bank Holiday',
    country: 'USD',
    date: '2026-11-26',
  });
});

test('gives the same week for the same seed, another for another', () => {
  expect(open().request()?.body).toEqual(open().request()?.body);
  expect(open({ seed: 'other' }).request()?.body).not.toEqual(open().request()?.body);
});

test('answers the third download within five minutes with a page, and later ones not', () => {
  const { clock, request } = open();
  const types = [request(), request(), request()].map((answer) => answer?.headers?.['content-type'] ?? 'json');
  expect(types).toEqual(['json', 'json', 'text/html; charset=UTF-8']);

  clock.ms += 5 * 60_000;

  expect(Array.isArray(request()?.body)).toBe(true);
});

test('has a limit that can be switched off', () => {
  const { request } = open({ downloads: null });

  for (let i = 0; i < 20; i += 1) expect(Array.isArray(request()?.body)).toBe(true);
});

test('sends no unchanged week again, and sends a new one', () => {
  const { clock, request } = open();
  const etag = request()?.headers?.etag ?? '';

  expect(request({ 'if-none-match': etag })?.status).toBe(304);
  clock.ms += 7 * 86_400_000;
  expect(request({ 'if-none-match': etag })?.status).toBe(200);
});

test('serves only this week’s file', () => {
  expect(open().request({}, '/ff_calendar_nextweek.json')?.status).toBe(404);
});
