/** What comes next today, in a few words: a session, an announcement, a holiday. */
import { waitText } from '#domain/format/relative-time.ts';
import { zonedClock, zonedDate, zonedWeekMinute } from '#domain/format/zoned-time.ts';
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { nextSessionChange, type SessionChange } from '#domain/market/calendar/sessions.ts';
import { dayOfIso, isoOfDay } from '#domain/time/calendar-day.ts';
import { formatDay, momentOf } from './holiday-weeks.ts';

export interface TodayItem {
  kind: 'session' | 'announcement' | 'holiday';
  text: string;
  /** The whole of it, with its exact time: shown on hover. */
  exact: string;
}

/** Today and the days after it: on the seventh, its weekday would mean today. */
const HOLIDAY_DAYS = 7;
/** From here on the time of day says more than the wait alone. */
const FAR_MS = 12 * 3_600_000;
/** More are counted. */
const NAMED_COUNTRIES = 2;

const COUNTRIES: Readonly<Record<string, string>> = {
  AUD: 'Australian',
  CAD: 'Canadian',
  CHF: 'Swiss',
  CNY: 'Chinese',
  EUR: 'Euro',
  GBP: 'UK',
  JPY: 'Japanese',
  NZD: 'New Zealand',
  USD: 'US',
};
/** The feed's code for meetings of many countries. */
const EVERYWHERE = 'ALL';

/**
 * In the order of the line. Never empty: if no session changes within a week, each of them has a holiday.
 *
 * @param zone  of the times and of 'today'
 */
export function todayLine(events: readonly CalendarEvent[], nowMs: number, zone: string): TodayItem[] {
  const holidays = events.filter(({ isHoliday }) => isHoliday);
  const closed = new Set(holidays.map(({ country, date }) => `${country} ${date}`));
  const change = nextSessionChange(nowMs, (country, date) => closed.has(`${country} ${date}`));
  return [
    ...(change === null ? [] : [sessionItem(change, nowMs, zone)]),
    ...announcementItems(events, nowMs, zone),
    ...holidayItems(holidays, zonedDate(nowMs, zone)),
  ];
}

function sessionItem({ atMs, opening, closing }: SessionChange, nowMs: number, zone: string): TodayItem {
  const parts = [
    ...(closing.length === 0 ? [] : [`${listed(closing)} ${closing.length === 1 ? 'closes' : 'close'}`]),
    ...(opening.length === 0 ? [] : [`${listed(opening)} ${opening.length === 1 ? 'opens' : 'open'}`]),
  ];
  const what = listed(parts);
  const exact = `${what} ${zonedWeekMinute(atMs, zone)}`;
  const wait = waitText(atMs - nowMs);
  return { kind: 'session', text: atMs - nowMs < FAR_MS ? `${what} in ${wait}` : `${exact} (in ${wait})`, exact };
}

/** The next ones of high impact on the viewer's day; those of one moment are one item. */
function announcementItems(events: readonly CalendarEvent[], nowMs: number, zone: string): TodayItem[] {
  const today = zonedDate(nowMs, zone);
  const coming = events
    .map((event) => ({ event, atMs: momentOf(event) ?? 0 }))
    .filter(({ event, atMs }) => event.impact === 'High' && atMs > nowMs && zonedDate(atMs, zone) === today)
    .sort((a, b) => a.atMs - b.atMs);
  const [first] = coming;
  if (first === undefined) return [];
  const { atMs } = first;
  const titles = coming.filter((one) => one.atMs === atMs).map(({ event }) => titleOf(event));
  const more = titles.length > 1 ? ` and ${titles.length - 1} more` : '';
  return [
    {
      kind: 'announcement',
      text: `${titles[0]}${more} in ${waitText(atMs - nowMs)}`,
      exact: `${titles.join(', ')} at ${zonedClock(atMs, zone)}`,
    },
  ];
}

/** The next day with holidays. */
function holidayItems(holidays: readonly CalendarEvent[], today: string): TodayItem[] {
  const last = isoOfDay(dayOfIso(today) + HOLIDAY_DAYS - 1);
  const date = holidays
    .map((holiday) => holiday.date)
    .filter((one) => one >= today && one <= last)
    .sort()[0];
  if (date === undefined) return [];
  const ofDay = holidays.filter((holiday) => holiday.date === date);
  const countries = [...new Set(ofDay.map(({ country }) => COUNTRIES[country] ?? country))];
  const named = countries.slice(0, NAMED_COUNTRIES);
  const rest = countries.length - named.length;
  const owners = rest === 0 ? listed(named) : `${named.join(', ')} and ${rest} more`;
  return [
    {
      kind: 'holiday',
      text: `${owners} ${countries.length === 1 ? 'holiday' : 'holidays'} ${dayText(date, today)}`,
      exact: `${formatDay(date)}: ${ofDay.map((holiday) => `${holiday.country} ${holiday.title}`).join(', ')}`,
    },
  ];
}

function titleOf({ country, title }: CalendarEvent): string {
  return country.toUpperCase() === EVERYWHERE ? title : `${COUNTRIES[country] ?? country} ${title}`;
}

function dayText(date: string, today: string): string {
  const ahead = dayOfIso(date) - dayOfIso(today);
  return ahead === 0 ? 'today' : ahead === 1 ? 'tomorrow' : formatDay(date).slice(0, 3);
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
