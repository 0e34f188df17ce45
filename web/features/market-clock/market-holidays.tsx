/** Market Holidays & Announcements: three weeks from this week's Sunday. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { zonedDate } from '#domain/format/zoned-time.ts';
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import type { LastData } from '../../ui/status/last-data.ts';
import { LastDataNote } from '../../ui/status/last-data-note.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { HolidayGrid } from './holiday-grid.tsx';
import { eventsByDay, formatDay, formatTime, threeWeeks } from './holiday-weeks.ts';
import type { KnownEvents } from './market-clock-api.ts';
import styles from './market-holidays.module.css';
import { CLOCK_MS, useEvents } from './use-market-clock.ts';

export function MarketHolidays({ className }: { className?: string | undefined }) {
  const nowMs = useNow(CLOCK_MS);
  const known = useEvents(nowMs);
  const [params] = useSearchParams();
  const isMocked = params.get('mock') === 'hol';
  return (
    <Panel
      heading="Market Holidays & Announcements"
      className={className}
      beside={
        <>
          {known.data?.isSimulated && (
            <Badge tone="warning" title="This week’s announcements are simulated">
              simulated
            </Badge>
          )}
          {isMocked && <Badge tone="warning">Using mock holiday data</Badge>}
        </>
      }
    >
      <div className={styles.room}>
        <Shown known={known} nowMs={nowMs} isMocked={isMocked} />
      </div>
    </Panel>
  );
}

function Shown({ known, nowMs, isMocked }: { known: LastData<KnownEvents>; nowMs: number; isMocked: boolean }) {
  if (known.data === null && known.failure !== null && !isMocked) {
    return (
      <div className="grid align-center flex-1">
        <ErrorState title={known.failure} isPart onRetry={known.retry} isRetrying={known.isRetrying} />
      </div>
    );
  }
  if (known.data === null && !isMocked) return <Waiting nowMs={nowMs} />;
  return <Calendar known={known} nowMs={nowMs} isMocked={isMocked} />;
}

function Calendar({ known, nowMs, isMocked }: { known: LastData<KnownEvents>; nowMs: number; isMocked: boolean }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { zone } = useTimeZone();
  const dates = threeWeeks(nowMs, zone);
  const today = zonedDate(nowMs, zone);
  const { data: mockHolidays } = useQuery({
    queryKey: ['mock holidays'],
    queryFn: async () => (await import('./mock-holidays.ts')).mockHolidays,
    enabled: isMocked,
  });
  const mocked = isMocked ? (mockHolidays?.(nowMs, zone) ?? []) : [];
  const days = eventsByDay([...(known.data?.events ?? []), ...mocked], zone);
  const next = dates.find((date) => date >= today && days.has(date)) ?? today;
  const selected = chosen !== null && dates.includes(chosen) && days.has(chosen) ? chosen : next;
  return (
    <>
      <div
        className={classNames('column gap-3 flex-1', known.staleSinceMs !== null && 'old-figures')}
        data-stale={known.staleSinceMs !== null || undefined}
      >
        <HolidayGrid dates={dates} today={today} selected={selected} days={days} onSelect={setChosen} />
        <DayDetails date={selected} today={today} events={days.get(selected) ?? []} />
      </div>
      <LastDataNote lastData={known} nowMs={nowMs}>
        {noteOf(known)}
      </LastDataNote>
    </>
  );
}

/** The days are known before their events. */
function Waiting({ nowMs }: { nowMs: number }) {
  const { zone } = useTimeZone();
  const today = zonedDate(nowMs, zone);
  return (
    <div className="column gap-3 flex-1" role="status" aria-label="Loading market holidays">
      <HolidayGrid dates={threeWeeks(nowMs, zone)} today={today} selected={null} days={new Map()} onSelect={() => {}} />
      <Skeleton className={styles.waiting} />
    </div>
  );
}

/** When only mock holidays are shown, the note says why. */
function noteOf({ data, failure }: LastData<KnownEvents>): string {
  if (data?.note != null) return data.note;
  if (failure !== null) return failure;
  return data?.attribution == null
    ? 'Holidays by currency.'
    : `Holidays by currency. Announcements: ${data.attribution}.`;
}

/** Lines that fit without scrolling. */
const FIT = 3;

interface DayDetailsProps {
  date: string;
  today: string;
  events: readonly CalendarEvent[];
}

/** One day's events as text: every title is available here, by mouse, keyboard and touch. */
function DayDetails({ date, today, events }: DayDetailsProps) {
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
        <span>{formatDay(date)}</span>
        {date === today && <span className="muted weight-400"> (today)</span>}
      </h3>
      {events.length === 0 ? (
        <p className="muted">No more holidays or announcements in these three weeks.</p>
      ) : (
        <ul>
          {events.map((event) => (
            <li key={`${event.country} ${event.title} ${event.time ?? ''}`} className={styles.event}>
              <span className="figures muted size-12 nowrap">{formatTime(event, zone) ?? 'all day'}</span>
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
