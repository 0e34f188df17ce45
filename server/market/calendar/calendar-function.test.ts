import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import {
  type CalendarEvent,
  eventsAnswerSchema,
  readCalendarEvent,
  sessionsAnswerSchema,
} from '#domain/market/calendar/calendar-messages.ts';
import type { TradingSession } from '#domain/market/calendar/sessions.ts';
import { errorResponse } from '../../platform/http/calls/http-errors.ts';
import { openFunctionRoutes } from '../../platform/http/calls/open-function.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import type { FeedWeek } from './calendar-events.ts';
import { type CalendarFunctionDeps, calendarFunction } from './calendar-function.ts';

/** A Wednesday, the day before Thanksgiving. */
const NOON = '2026-11-25T17:00:00Z';
const holiday = (country: string, date: string, title = 'Bank Holiday'): CalendarEvent => ({
  isHoliday: true,
  title,
  country,
  date,
});

function open(options: { at?: string; week?: FeedWeek | null | Error; table?: CalendarFunctionDeps['table'] } = {}) {
  const { at = NOON, week = null, table } = options;
  const app = new Hono();
  const calendar = calendarFunction({
    kind: 'simulated',
    week: async () => {
      if (week instanceof Error) throw week;
      return week;
    },
    clock: { nowMs: () => Date.parse(at) },
    log: createLogger('silent'),
    ...(table === undefined ? {} : { table }),
  });
  app.route('/', openFunctionRoutes([calendar]));
  app.onError((error) => errorResponse(error));
  const request = async (query: string, init?: RequestInit) => app.request(`/functions/v1/ff-proxy${query}`, init);
  return {
    request,
    async sessions() {
      const response = await request('?path=/market');
      return { response, ...sessionsAnswerSchema.parse(await response.json()) };
    },
    async events() {
      const response = await request('?type=news');
      const { ok, data, error } = eventsAnswerSchema.parse(await response.json());
      return { response, ok, error, data: data.flatMap((event) => readCalendarEvent(event) ?? []) };
    },
  };
}

const feed = (events: CalendarEvent[], fetchedAt = NOON): FeedWeek => ({
  events,
  attribution: 'Sandbox market',
  fetchedAtMs: Date.parse(fetchedAt),
});

describe('sessions', () => {
  test('returns the four sessions with status and UTC hours, cacheable for 30 s', async () => {
    const { response, ok, data } = await open().sessions();

    expect([response.status, ok]).toEqual([200, true]);
    expect(data).toEqual([
      { session: 'Sydney', status: 'Closed', startUTC: 20, endUTC: 5 },
      { session: 'Tokyo', status: 'Closed', startUTC: 0, endUTC: 9 },
      { session: 'London', status: 'Closed', startUTC: 8, endUTC: 17 },
      { session: 'New York', status: 'Open', startUTC: 13, endUTC: 22 },
    ]);
    expect(response.headers.get('cache-control')).toBe('public, max-age=30');
  });

  test('closes a session for a holiday from the table or the feed', async () => {
    const thanksgiving = await open({ at: '2026-11-26T15:00:00Z' }).sessions();
    const fromFeed = await open({ week: feed([holiday('USD', '2026-11-25')]) }).sessions();
    const everywhere = await open({ week: feed([holiday('All', '2026-11-25')]) }).sessions();

    const closed = ({ data }: { data: TradingSession[] }) =>
      data.filter(({ status }) => status === 'Closed (Holiday)').map(({ session }) => session);
    expect(closed(thanksgiving)).toEqual(['New York']);
    expect(closed(fromFeed)).toEqual(['New York']);
    // In Sydney and Tokyo it is already the 26th.
    expect(closed(everywhere)).toEqual(['London', 'New York']);
  });

  test('returns sessions even when neither feed nor table can be read', async () => {
    const broken = open({
      week: new Error('database away'),
      table: () => {
        throw new RangeError('no such year');
      },
    });

    expect(await broken.sessions()).toMatchObject({ ok: true, data: { length: 4 } });
  });
});

describe('holidays and announcements', () => {
  test('merges the feed’s week and the table’s other weeks by date', async () => {
    const cpi = {
      isHoliday: false,
      title: 'CPI m/m',
      country: 'USD',
      date: '2026-11-25',
      time: '2026-11-25T08:30:00-05:00',
      impact: 'High',
    };
    const week = feed([holiday('USD', '2026-11-26'), cpi, holiday('CHF', '2026-11-27', 'Local Day')]);

    const { data, error, ok, response } = await open({ week }).events();

    expect([ok, error]).toEqual([true, null]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-market-kind': 'simulated',
      'x-market-attribution': 'Sandbox market',
      'x-fetched-at': '2026-11-25T17:00:00.000Z',
    });
    const dates = data.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort());
    expect(data).toContainEqual(cpi);
    expect(data).toContainEqual(holiday('CHF', '2026-11-27', 'Local Day'));
    const later = await open({ week, at: '2026-11-28T12:00:00Z' }).events();
    expect(later.data).toContainEqual(holiday('USD', '2026-12-25', 'Christmas Day'));
  });

  test('lists a holiday that both sources have once, by its name', async () => {
    const week = feed([
      holiday('USD', '2026-11-26'),
      holiday('JPY', '2026-11-23', 'Labor Thanksgiving'),
      holiday('EUR', '2026-12-08', 'French Bank Holiday'),
      holiday('EUR', '2026-12-08', 'Italian Bank Holiday'),
    ]);

    const { data } = await open({ week }).events();

    const of = (date: string) => data.filter((e) => e.date === date).map((e) => e.title);
    expect(of('2026-11-26')).toEqual(['Thanksgiving Day']);
    expect(of('2026-11-23')).toEqual(['Labor Thanksgiving']);
    expect(of('2026-12-08')).toEqual(['French Bank Holiday', 'Italian Bank Holiday']);
  });

  test.each([
    ['never answered', null],
    ['answered last week alone', feed([holiday('CHF', '2026-11-16', 'Old')], '2026-11-21T20:00:00Z')],
    ['still has last week’s file', feed([holiday('CHF', '2026-11-20', 'Old')])],
    ['cannot be read', new Error('database away')],
  ])('returns the table and reports what is missing when the feed %s', async (_what, week) => {
    const { response, ok, data, error } = await open({ week }).events();

    expect([response.status, ok]).toEqual([200, true]);
    expect(data).toContainEqual(holiday('USD', '2026-11-26', 'Thanksgiving Day'));
    expect(error).toMatch(/feed didn’t respond/);
  });

  test('answers 502 with no-store when neither source has events', async () => {
    const table = () => {
      throw new RangeError('no such year');
    };

    const { response, ok, data, error } = await open({ table }).events();

    expect({ status: response.status, ok, data }).toEqual({ status: 502, ok: false, data: [] });
    expect(error).toMatch(/not available/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const withFeed = await open({ table, week: feed([holiday('USD', '2026-11-26')]) }).events();
    expect(withFeed).toMatchObject({ ok: true, data: [{ country: 'USD' }] });
    expect(withFeed.error).toMatch(/table/);
  });
});

describe('invalid queries', () => {
  test.each([
    ['', 'path', 'missing'],
    ['?path=/elsewhere', 'path', 'invalid'],
    ['?path=https://evil.test/', 'path', 'invalid'],
    ['?type=market', 'type', 'invalid'],
    ['?path=/market&type=news', 'type', 'invalid'],
    ['?type=news&type=news', 'type', 'repeated'],
    ['?url=http://169.254.169.254/', 'url', 'unknown'],
    ['?type=news&mock=hol', 'mock', 'unknown'],
    ['?Type=news', 'Type', 'unknown'],
  ])('%s', async (query, parameter, problem) => {
    const response = await open().request(query);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'request/invalid', details: { parameter, problem } });
  });

  test('allows only GET and HEAD', async () => {
    const response = await open().request('?type=news', { method: 'POST', body: '{}' });

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect((await open().request('?type=news', { method: 'HEAD' })).status).toBe(200);
  });
});
