import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextSessionChange, SESSION_HOURS, sessionsAt } from './sessions.ts';

const never = () => false;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const CITY_CLOCKS = new Map(
  SESSION_HOURS.map(({ zone }) => [
    zone,
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }),
  ]),
);

/** What Intl says of a city's wall clock: the weekday, and the hour with its fraction. */
function wallClock(zone: string, ms: number): { weekday: string; hour: number } {
  const parts = CITY_CLOCKS.get(zone)?.formatToParts(ms) ?? [];
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return { weekday: part.weekday ?? '', hour: Number(part.hour) + Number(part.minute) / 60 };
}

function shouldBeOpen(hours: (typeof SESSION_HOURS)[number], ms: number): boolean {
  const { weekday, hour } = wallClock(hours.zone, ms);
  return weekday !== 'Sat' && weekday !== 'Sun' && hour >= hours.openHour && hour < hours.closeHour;
}

/** The days on which a clock of one of the four cities is changed, and days in between. */
const SWITCH_DAYS = [
  ...['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07'],
  ...['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31'],
  ...['2026-04-05', '2026-10-04', '2027-04-04', '2027-10-03'],
];

test.each([
  ['2026-01-15', '20-5 0-9 8-17 13-22'],
  ['2026-03-16', '20-5 0-9 8-17 12-21'],
  ['2026-04-01', '20-5 0-9 7-16 12-21'],
  ['2026-07-15', '21-6 0-9 7-16 12-21'],
  ['2026-10-12', '20-5 0-9 7-16 12-21'],
  ['2026-10-28', '20-5 0-9 8-17 12-21'],
])('gives on %s the UTC hours %s', (date, expected) => {
  const sessions = sessionsAt(Date.parse(`${date}T12:00:00Z`), never);

  expect(sessions.map(({ startUTC, endUTC }) => `${startUTC}-${endUTC}`).join(' ')).toBe(expected);
  expect(sessions.map(({ session }) => session)).toEqual(['Sydney', 'Tokyo', 'London', 'New York']);
});

test.each(SWITCH_DAYS)('around the clock change on %s opens every city by its own wall clock', (date) => {
  const fromMs = Date.parse(`${date}T00:00:00Z`) - 4 * DAY_MS;
  for (let ms = fromMs; ms < fromMs + 9 * DAY_MS; ms += HOUR_MS / 4) {
    const open = sessionsAt(ms, never).map(({ status }) => status === 'Open');

    expect(open, new Date(ms).toISOString()).toEqual(SESSION_HOURS.map((hours) => shouldBeOpen(hours, ms)));
  }
});

test('agrees at any moment with the wall clock in status and hours', () => {
  const moment = fc.integer({ min: Date.parse('2020-01-01T00:00:00Z'), max: Date.parse('2036-01-01T00:00:00Z') });
  fc.assert(
    fc.property(moment, (ms) => {
      const hourUtc = (ms % DAY_MS) / HOUR_MS;
      for (const [i, { status, startUTC, endUTC }] of sessionsAt(ms, never).entries()) {
        const hours = SESSION_HOURS[i];
        if (hours === undefined) throw new Error('there are four sessions');
        expect(status === 'Open').toBe(shouldBeOpen(hours, ms));
        expect((endUTC - startUTC + 24) % 24).toBe(hours.closeHour - hours.openHour);
        if (status === 'Open') expect((hourUtc - startUTC + 24) % 24).toBeLessThan((endUTC - startUTC + 24) % 24);
      }
    }),
    { numRuns: 2000 },
  );
});

describe('the weekend', () => {
  test.each([
    ['Sydney opens on Sunday evening UTC', '2026-01-18T20:00:00Z', 'Open Closed Closed Closed'],
    ['a second before it does not', '2026-01-18T19:59:59Z', 'Closed Closed Closed Closed'],
    ['New York closes last, on Friday', '2026-01-16T21:59:59Z', 'Closed Closed Closed Open'],
    ['then all is closed', '2026-01-16T22:00:00Z', 'Closed Closed Closed Closed'],
    ['in northern summer an hour earlier', '2026-07-17T21:00:00Z', 'Closed Closed Closed Closed'],
    ['and Sydney an hour later', '2026-07-19T20:30:00Z', 'Closed Closed Closed Closed'],
  ])('follows the hours of the weekend, %s: %s', (_what, iso, expected) => {
    const sessions = sessionsAt(Date.parse(iso), never);

    expect(sessions.map(({ status }) => status).join(' ')).toBe(expected);
  });
});

test('closes a session on a holiday of its local day, and no other city’s', () => {
  const isHoliday = (country: string, date: string) => country === 'AUD' && date === '2026-01-26';
  const sydneyAt = (iso: string) => sessionsAt(Date.parse(iso), isHoliday)[0]?.status;

  // Midnight in Sydney is 13:00 UTC of the day before.
  expect(sydneyAt('2026-01-25T12:59:59Z')).toBe('Closed');
  expect(sydneyAt('2026-01-25T13:00:00Z')).toBe('Closed (Holiday)');
  expect(sydneyAt('2026-01-25T22:00:00Z')).toBe('Closed (Holiday)');
  expect(sydneyAt('2026-01-26T20:00:00Z')).toBe('Open');
  const others = sessionsAt(Date.parse('2026-01-26T09:00:00Z'), isHoliday).slice(1);
  expect(others.map(({ status }) => status)).toEqual(['Closed', 'Open', 'Closed']);
});

describe('the next change of a session', () => {
  const change = (now: string, isHoliday: (country: string, date: string) => boolean = never) => {
    const next = nextSessionChange(Date.parse(now), isHoliday);
    return next && { ...next, at: new Date(next.atMs).toISOString().slice(0, 16), atMs: undefined };
  };

  test.each([
    ['is an opening', '2026-01-15T07:18:00Z', '2026-01-15T08:00', ['London'], []],
    ['is an end', '2026-01-15T16:18:00Z', '2026-01-15T17:00', [], ['London']],
    ['is the one after it, at the moment of one', '2026-01-15T17:00:00Z', '2026-01-15T20:00', ['Sydney'], []],
    ['is several at the same moment', '2026-07-15T17:00:00Z', '2026-07-15T21:00', ['Sydney'], ['New York']],
    ['is Sydney’s Monday from Friday night on', '2026-01-16T22:00:00Z', '2026-01-18T20:00', ['Sydney'], []],
    // Europe changes its clocks on 29 March, America on 8 March.
    ['follows summer time in New York', '2026-03-09T11:30:00Z', '2026-03-09T12:00', ['New York'], []],
    ['is an hour later in the week before', '2026-03-02T11:30:00Z', '2026-03-02T13:00', ['New York'], []],
    ['follows summer time in London', '2026-03-30T06:10:00Z', '2026-03-30T07:00', ['London'], []],
  ])('%s', (_what, now, at, opening, closing) => {
    expect(change(now)).toEqual({ at, opening, closing });
  });

  test('skips a session on the holidays of its country, and no other', () => {
    const isChristmas = (country: string, date: string) => country === 'GBP' && date === '2026-12-25';

    expect(change('2026-12-25T07:00:00Z', isChristmas)).toMatchObject({ at: '2026-12-25T09:00', closing: ['Tokyo'] });
    expect(change('2026-12-25T09:00:00Z', isChristmas)).toMatchObject({
      at: '2026-12-25T13:00',
      opening: ['New York'],
    });
  });

  test('is nothing if every day is a holiday', () => {
    expect(change('2026-12-25T07:00:00Z', () => true)).toBeNull();
  });

  test('is never in the past, and the first moment at which a status changes', () => {
    const isHoliday = (country: string, date: string) => (date.charCodeAt(9) + country.charCodeAt(0)) % 5 === 0;
    const openAt = (ms: number) =>
      sessionsAt(ms, isHoliday).flatMap(({ session, status }) => (status === 'Open' ? [session] : []));
    const moment = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2029-01-01') });
    fc.assert(
      fc.property(moment, (nowMs) => {
        const next = nextSessionChange(nowMs, isHoliday);
        if (next === null) return;

        expect(next.atMs).toBeGreaterThan(nowMs);
        expect(openAt(next.atMs - 1)).toEqual(openAt(nowMs));
        expect(openAt(next.atMs).filter((session) => !openAt(nowMs).includes(session))).toEqual(next.opening);
        expect(openAt(nowMs).filter((session) => !openAt(next.atMs).includes(session))).toEqual(next.closing);
      }),
    );
  });
});
