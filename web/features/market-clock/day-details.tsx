/** One day's events as text: every title is available here, by mouse, keyboard and touch. */
import { useId } from 'react';
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import styles from './day-details.module.css';
import { dayWords, timeWords } from './holiday-weeks.ts';

/** Lines that fit without scrolling. */
const FIT = 3;

export interface DayDetailsProps {
  date: string;
  today: string;
  events: readonly CalendarEvent[];
}

export function DayDetails({ date, today, events }: DayDetailsProps) {
  const headingId = useId();
  const { zone } = useTimeZone();
  return (
    <section
      aria-labelledby={headingId}
      aria-live="polite"
      className={styles.details}
      // A long day scrolls, and the keyboard must reach it.
      tabIndex={events.length > FIT ? 0 : undefined}
    >
      <h3 id={headingId} className={styles.day}>
        {dayWords(date)}
        {date === today && <span className={styles.today}> (today)</span>}
      </h3>
      {events.length === 0 ? (
        <p className="muted">No holidays or announcements until the end of these three weeks.</p>
      ) : (
        <ul>
          {events.map((event) => (
            <li key={`${event.country} ${event.title} ${event.time ?? ''}`} className={styles.event}>
              <span className={`figures ${styles.time}`}>{timeWords(event, zone) ?? 'all day'}</span>
              <Badge tone={event.isHoliday ? 'warning' : 'info'} className={`figures ${styles.code}`}>
                {event.country}
              </Badge>
              <span>{event.title}</span>
              <span className={styles.kind}>{event.isHoliday ? 'Holiday' : `${event.impact ?? ''} impact`.trim()}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
