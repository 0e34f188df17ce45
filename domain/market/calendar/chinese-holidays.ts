/**
 * China's public holidays. The State Council announces each year's days off in the November before, moving working days
 * to weekends. A table holds the years announced when this was written; other years get only the statutory days.
 */
import { dayOf, dayOfIso } from '../../time/calendar-day.ts';
import type { NamedDay } from './holiday-rule.ts';
import { chineseDays, qingming } from './lunar-days.ts';

const TITLES = {
  newYear: "New Year's Day",
  spring: 'Spring Festival',
  qingming: 'Qingming Festival',
  labour: 'Labour Day',
  dragon: 'Dragon Boat Festival',
  moon: 'Mid-Autumn Festival',
  national: 'National Day',
} as const;

type Stretch = readonly [title: keyof typeof TITLES, first: string, last: string];

/** Notices of the General Office of the State Council of October 2023, November 2024 and November 2025. */
const NAMED_DAYS: Readonly<Record<number, readonly Stretch[]>> = {
  2024: [
    ['newYear', '2024-01-01', '2024-01-01'],
    ['spring', '2024-02-10', '2024-02-17'],
    ['qingming', '2024-04-04', '2024-04-06'],
    ['labour', '2024-05-01', '2024-05-05'],
    ['dragon', '2024-06-10', '2024-06-10'],
    ['moon', '2024-09-15', '2024-09-17'],
    ['national', '2024-10-01', '2024-10-07'],
  ],
  2025: [
    ['newYear', '2025-01-01', '2025-01-01'],
    ['spring', '2025-01-28', '2025-02-04'],
    ['qingming', '2025-04-04', '2025-04-06'],
    ['labour', '2025-05-01', '2025-05-05'],
    ['dragon', '2025-05-31', '2025-06-02'],
    ['national', '2025-10-01', '2025-10-08'],
  ],
  2026: [
    ['newYear', '2026-01-01', '2026-01-03'],
    ['spring', '2026-02-15', '2026-02-23'],
    ['qingming', '2026-04-04', '2026-04-06'],
    ['labour', '2026-05-01', '2026-05-05'],
    ['dragon', '2026-06-19', '2026-06-21'],
    ['moon', '2026-09-25', '2026-09-27'],
    ['national', '2026-10-01', '2026-10-07'],
  ],
};

export function chineseHolidays(year: number): NamedDay[] {
  const named = NAMED_DAYS[year];
  if (named === undefined) return statutoryDays(year);
  return named.flatMap(([title, first, last]) => {
    const days = dayOfIso(last) - dayOfIso(first) + 1;
    return run(dayOfIso(first), days, title);
  });
}

/** The thirteen days that the State Council's order has included since 2025, on their own dates. */
function statutoryDays(year: number): NamedDay[] {
  const lunar = chineseDays(year);
  return [
    ...run(dayOf(year, 1, 1), 1, 'newYear'),
    ...run(qingming(year), 1, 'qingming'),
    ...run(dayOf(year, 5, 1), 2, 'labour'),
    ...run(dayOf(year, 10, 1), 3, 'national'),
    ...(lunar === null
      ? []
      : [
          ...run(lunar.springFestival - 1, 4, 'spring'),
          ...run(lunar.dragonBoat, 1, 'dragon'),
          ...run(lunar.midAutumn, 1, 'moon'),
        ]),
  ];
}

function run(first: number, days: number, title: keyof typeof TITLES): NamedDay[] {
  return Array.from({ length: days }, (_, i) => [first + i, TITLES[title]] as const);
}
