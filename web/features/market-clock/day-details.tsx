/** What falls on one day, in words: every title is read here, by mouse, key and touch alike. */
import type { CalendarEvent } from '#domain/market/calendar-messages.ts';
import { Badge } from '../../ui/badge.tsx';
import styles from './day-details.module.css';
import { dayWords, timeWords } from './holiday-weeks.ts';

export interface DayDetailsProps {
  date: string;
  today: string;
  events: readonly CalendarEvent[];
}

export function DayDetails({ date, today, events }: DayDetailsProps) {
  return (
    <div className={styles.details} aria-live="polite" tabIndex={events.length > 3 ? 0 : undefined}>
      <h3 className={styles.day}>
        {dayWords(date)}
        {date === today && <span className={styles.today}> (today)</span>}
      </h3>
      {events.length === 0 ? (
        <p className="muted">No holidays or announcements until the end of these three weeks.</p>
      ) : (
        <ul className={styles.events}>
          {events.map((event) => (
            <li key={`${event.country} ${event.title} ${event.time ?? ''}`} className={styles.event}>
              <span className={`figures ${styles.time}`}>{timeWords(event) ?? 'all day'}</span>
              <Badge tone={event.isHoliday ? 'warning' : 'info'} className={`figures ${styles.code}`}>
                {event.country}
              </Badge>
              <span>{event.title}</span>
              <span className={styles.kind}>{event.isHoliday ? 'Holiday' : `${event.impact ?? ''} impact`.trim()}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
