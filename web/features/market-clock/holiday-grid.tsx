/** Three weeks as a table: every day with events is a button that shows them below. */
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './holiday-grid.module.css';
import { formatDay } from './holiday-weeks.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
/** Currency codes that fit into a day, narrow and wide; the rest is shown as a count. */
const FIT_NARROW = 2;
const FIT_WIDE = 4;

export interface HolidayGridProps {
  /** Whole weeks from a Sunday. */
  dates: readonly string[];
  today: string;
  /** Null until events are known. */
  selected: string | null;
  days: ReadonlyMap<string, readonly CalendarEvent[]>;
  onSelect(date: string): void;
}

export function HolidayGrid({ dates, today, selected, days, onSelect }: HolidayGridProps) {
  const weeks = [0, 7, 14].map((from) => dates.slice(from, from + 7));
  return (
    <table className={styles.grid}>
      <caption className="visually-hidden">Market holidays and announcements over three weeks</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((day) => (
            <th key={day} scope="col" abbr={day}>
              {day.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <td
                key={date}
                className={classNames(styles.cell, date < today && styles.past)}
                data-date={date}
                aria-current={date === today ? 'date' : undefined}
              >
                <Day
                  date={date}
                  isFirst={date === dates[0]}
                  events={days.get(date) ?? []}
                  isSelected={date === selected}
                  onSelect={onSelect}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayProps {
  date: string;
  /** First day of the whole calendar, which shows the month. */
  isFirst: boolean;
  events: readonly CalendarEvent[];
  isSelected: boolean;
  onSelect(date: string): void;
}

function Day({ date, isFirst, events, isSelected, onSelect }: DayProps) {
  const number = (
    <span className={styles.number}>
      <span aria-hidden="true">
        {(isFirst || date.endsWith('-01')) && <span className={styles.month}>{formatMonth(date)} </span>}
        <span>{Number(date.slice(8))}</span>
      </span>
      <span className="visually-hidden">{formatDay(date)}</span>
    </span>
  );
  if (events.length === 0) return <div className={styles.day}>{number}</div>;
  const holidays = events.filter(({ isHoliday }) => isHoliday);
  const announcements = events.length - holidays.length;
  return (
    <button
      type="button"
      className={classNames(styles.day, styles.withEvents)}
      aria-pressed={isSelected}
      onClick={() => onSelect(date)}
    >
      {number}
      {holidays.length > 0 && <Codes holidays={holidays} />}
      {announcements > 0 && (
        <span className={styles.announcements}>
          <span className={styles.count} aria-hidden="true">
            {announcements}
          </span>
          <span className="visually-hidden">
            {announcements === 1 ? '1 announcement' : `${announcements} announcements`}
          </span>
        </span>
      )}
    </button>
  );
}

function Codes({ holidays }: { holidays: readonly CalendarEvent[] }) {
  const codes = [...new Set(holidays.map(({ country }) => country))];
  const titlesOf = (code: string) => holidays.filter(({ country }) => country === code).map(({ title }) => title);
  return (
    <span className={classNames(styles.codes, 'figures')}>
      {codes.map((code, i) => (
        <span
          key={code}
          className={classNames(styles.code, i >= FIT_NARROW && styles.ifWide, i >= FIT_WIDE && styles.never)}
          title={titlesOf(code).join(', ')}
        >
          {code}
          <span className="visually-hidden">{` ${titlesOf(code).join(', ')}. `}</span>
        </span>
      ))}
      <More count={codes.length - FIT_NARROW} className={styles.moreNarrow} />
      <More count={codes.length - FIT_WIDE} className={styles.moreWide} />
    </span>
  );
}

function More({ count, className }: { count: number; className: string | undefined }) {
  if (count <= 0) return null;
  return (
    <span className={classNames(styles.more, className)} aria-hidden="true">
      {`+${count}`}
    </span>
  );
}

/** 'Nov': shown on the first day of the calendar and on the first of a month. */
function formatMonth(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { month: 'short', timeZone: 'UTC' });
}
