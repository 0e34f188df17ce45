/** Six figures about paying users. */
import type { AdminSummary } from '#domain/admin/summary.ts';
import { formatPrice } from '#domain/format/price.ts';
import { zonedDay, zonedSecond } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { FigureStrip, StripFigure } from '../../ui/layout/figure-strip.tsx';
import styles from './admin-overview.module.css';

export interface SummaryCardsProps {
  /** Null until loaded. */
  summary: AdminSummary | null;
  hasFailed: boolean;
}

export function SummaryCards({ summary, hasFailed }: SummaryCardsProps) {
  const { zone } = useTimeZone();
  const isWaiting = summary === null && !hasFailed;
  const count = (of: number | undefined) => (of === undefined ? null : formatPrice(of, 0));
  const latestMs = summary?.latestStartMs ?? null;
  return (
    <section aria-label="Summary" className={styles.cards}>
      <FigureStrip columns={6} isBusy={isWaiting}>
        <StripFigure name="Total Paid Users" isWaiting={isWaiting}>
          {count(summary?.paid)}
        </StripFigure>
        <StripFigure name="Lion" isWaiting={isWaiting}>
          {count(summary?.lion)}
        </StripFigure>
        <StripFigure name="Bobcat" isWaiting={isWaiting}>
          {count(summary?.bobcat)}
        </StripFigure>
        <StripFigure name="Most Recent Paid Sub" isWaiting={isWaiting}>
          {summary === null ? null : latestMs === null ? (
            '-'
          ) : (
            <time dateTime={new Date(latestMs).toISOString()} title={zonedSecond(latestMs, zone)}>
              {zonedDay(latestMs, zone)}
            </time>
          )}
        </StripFigure>
        <StripFigure name="Active Users" isWaiting={isWaiting}>
          {count(summary?.active)}
        </StripFigure>
        <StripFigure name="Canceling Users" isWaiting={isWaiting}>
          {count(summary?.canceling)}
        </StripFigure>
      </FigureStrip>
    </section>
  );
}
