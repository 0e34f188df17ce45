/** Generated from a seed: invented figures at the usual hours, the true bank holidays, and an invented one. */
import type { ForexFactoryRow } from '#domain/market/calendar/forex-factory.ts';
import { bankHolidays } from '#domain/market/calendar/holidays.ts';
import { isoOfDay } from '#domain/time/calendar-day.ts';
import { zoneOffsetS } from '#domain/time/zone-offset.ts';
import { streamOf, uniformAt } from '../../simulation/noise.ts';

const NEW_YORK = 'America/New_York';

interface Announcement {
  title: string;
  country: string;
  impact: 'High' | 'Medium' | 'Low';
  atMin: number;
  unit: '%' | 'K' | 'M' | 'B' | '';
  /** Figures vary around it. */
  around: number;
}

const at = (hour: number, minute: number): number => hour * 60 + minute;

const ANNOUNCEMENTS: readonly Announcement[] = [
  { title: 'CPI m/m', country: 'USD', impact: 'High', atMin: at(8, 30), unit: '%', around: 0.3 },
  { title: 'Unemployment Claims', country: 'USD', impact: 'High', atMin: at(8, 30), unit: 'K', around: 220 },
  { title: 'ISM Services PMI', country: 'USD', impact: 'High', atMin: at(10, 0), unit: '', around: 52 },
  { title: 'Crude Oil Inventories', country: 'USD', impact: 'Low', atMin: at(10, 30), unit: 'M', around: 2 },
  { title: 'Main Refinancing Rate', country: 'EUR', impact: 'High', atMin: at(8, 15), unit: '%', around: 2 },
  { title: 'German Flash Manufacturing PMI', country: 'EUR', impact: 'Medium', atMin: at(3, 30), unit: '', around: 48 },
  { title: 'CPI y/y', country: 'GBP', impact: 'High', atMin: at(2, 0), unit: '%', around: 3 },
  { title: 'Public Sector Net Borrowing', country: 'GBP', impact: 'Low', atMin: at(2, 0), unit: 'B', around: 15 },
  { title: 'Tokyo Core CPI y/y', country: 'JPY', impact: 'Medium', atMin: at(18, 30), unit: '%', around: 2.5 },
  { title: 'BOJ Policy Rate', country: 'JPY', impact: 'High', atMin: at(22, 0), unit: '%', around: 0.5 },
  { title: 'Employment Change', country: 'AUD', impact: 'High', atMin: at(19, 30), unit: 'K', around: 25 },
  { title: 'Official Cash Rate', country: 'NZD', impact: 'High', atMin: at(20, 0), unit: '%', around: 2.5 },
  { title: 'Ivey PMI', country: 'CAD', impact: 'Medium', atMin: at(10, 0), unit: '', around: 51 },
  { title: 'Unemployment Rate', country: 'CHF', impact: 'Low', atMin: at(1, 45), unit: '%', around: 2.9 },
  { title: 'Manufacturing PMI', country: 'CNY', impact: 'Medium', atMin: at(20, 30), unit: '', around: 50 },
];

/** Countries of the invented holiday, which closes no session here. */
const INVENTED_COUNTRIES = ['CAD', 'CHF', 'CNY', 'NZD'] as const;
/** Share of the week's announcements that have no figure yet. */
const WITHOUT_FIGURE = 0.15;

/** @param sunday  day since 1970 on which the week begins, in New York */
export function announcementsOf(seed: string, sunday: number): ForexFactoryRow[] {
  const stream = streamOf(seed, 'calendar', sunday);
  return ANNOUNCEMENTS.map((announcement, i) => announced(announcement, stream, i, sunday));
}

export function weekRows(seed: string, sunday: number): ForexFactoryRow[] {
  const stream = streamOf(seed, 'calendar', sunday);
  const rows = announcementsOf(seed, sunday);
  const holidays = bankHolidays(isoOfDay(sunday), isoOfDay(sunday + 6));
  for (const { date, country } of holidays) rows.push(holiday('Bank Holiday', country, date));
  const invented = INVENTED_COUNTRIES[Math.floor(uniformAt(stream, 900) * INVENTED_COUNTRIES.length)] ?? 'CHF';
  const day = sunday + 1 + Math.floor(uniformAt(stream, 901) * 5);
  rows.push(holiday('Bank Holiday (simulated)', invented, isoOfDay(day)));
  return rows.sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
}

function announced(announcement: Announcement, stream: number, i: number, sunday: number): ForexFactoryRow {
  const { title, country, impact, atMin, unit, around } = announcement;
  const day = sunday + 1 + Math.floor(uniformAt(stream, i) * 5);
  const figure = (n: number) => `${(around * (0.8 + 0.4 * uniformAt(stream, 1000 * n + i))).toFixed(1)}${unit}`;
  const hasFigure = uniformAt(stream, 500 + i) > WITHOUT_FIGURE;
  const date = newYorkMoment(isoOfDay(day), atMin);
  return { title, country, date, impact, forecast: hasFigure ? figure(1) : '', previous: figure(2) };
}

function holiday(title: string, country: string, date: string): ForexFactoryRow {
  return { title, country, date: newYorkMoment(date, 0), impact: 'Holiday', forecast: '', previous: '' };
}

function newYorkMoment(date: string, minute: number): string {
  const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
  const wallS = Date.parse(`${date}T${clock}:00Z`) / 1000;
  const offsetHours = -zoneOffsetS(NEW_YORK, wallS - zoneOffsetS(NEW_YORK, wallS)) / 3600;
  return `${date}T${clock}:00-${String(offsetHours).padStart(2, '0')}:00`;
}
