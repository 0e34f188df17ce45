/** Japan's national holidays by its law of 1948 as in force since 2022, plus three bank holidays at New Year. */
import { dayOf, nthWeekday, weekdayOf } from '../../time/calendar-day.ts';
import type { NamedDay } from './holiday-rule.ts';
import { japaneseEquinoxes } from './lunar-days.ts';

const MON = 1;

export function japaneseHolidays(year: number): NamedDay[] {
  const national = new Map(nationalHolidays(year));
  return [
    ...national,
    ...substitutes(national),
    ...daysBetweenTwo(national),
    [dayOf(year, 1, 2), 'Bank Holiday'],
    [dayOf(year, 1, 3), 'Bank Holiday'],
    [dayOf(year, 12, 31), 'Bank Holiday'],
  ];
}

function nationalHolidays(year: number): NamedDay[] {
  const { vernal, autumnal } = japaneseEquinoxes(year);
  return [
    [dayOf(year, 1, 1), "New Year's Day"],
    [nthWeekday(year, 1, MON, 2), 'Coming of Age Day'],
    [dayOf(year, 2, 11), 'National Foundation Day'],
    [dayOf(year, 2, 23), "Emperor's Birthday"],
    [vernal, 'Vernal Equinox Day'],
    [dayOf(year, 4, 29), 'Showa Day'],
    [dayOf(year, 5, 3), 'Constitution Memorial Day'],
    [dayOf(year, 5, 4), 'Greenery Day'],
    [dayOf(year, 5, 5), "Children's Day"],
    [nthWeekday(year, 7, MON, 3), 'Marine Day'],
    [dayOf(year, 8, 11), 'Mountain Day'],
    [nthWeekday(year, 9, MON, 3), 'Respect for the Aged Day'],
    [autumnal, 'Autumnal Equinox Day'],
    [nthWeekday(year, 10, MON, 2), 'Sports Day'],
    [dayOf(year, 11, 3), 'Culture Day'],
    [dayOf(year, 11, 23), 'Labour Thanksgiving Day'],
  ];
}

/** A Sunday's holiday moves to the next day that is not a holiday. */
function substitutes(national: ReadonlyMap<number, string>): NamedDay[] {
  return [...national].flatMap(([day, title]): NamedDay[] => {
    if (weekdayOf(day) !== 0) return [];
    let observed = day + 1;
    while (national.has(observed)) observed += 1;
    return [[observed, `${title} (observed)`]];
  });
}

/** A single day between two holidays is a holiday too, unless it is a Sunday or already a substitute. */
function daysBetweenTwo(national: ReadonlyMap<number, string>): NamedDay[] {
  return [...national.keys()].flatMap((day): NamedDay[] => {
    const between = day + 1;
    const isBetween = !national.has(between) && national.has(between + 1);
    return isBetween && weekdayOf(between) > 1 ? [[between, "Citizens' Holiday"]] : [];
  });
}
