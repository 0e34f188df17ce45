import { useQueryClient } from '@tanstack/react-query';
import type { AdminSummary } from '#domain/admin/figures.ts';
import { formatPrice } from '#domain/format/price.ts';
import { zonedDay, zonedSecond } from '#domain/format/zoned-time.ts';
import { useSiteConfig } from '../../site/site-config.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { FigureStrip, StripFigure } from '../../ui/layout/figure-strip.tsx';
import { AdminCharts } from './admin-charts.tsx';
import styles from './admin-overview.module.css';
import { FIGURES_KEY, useUserFigures } from './use-admin-figures.ts';
import { useUserList } from './users/use-user-list.ts';
import { UsersPanel } from './users/users-panel.tsx';

const COUNTDOWN_MS = 60_000;

export function AdminOverview() {
  const client = useQueryClient();
  const config = useSiteConfig().data;
  const nowMs = useNow(COUNTDOWN_MS) + (config?.clockOffsetMs ?? 0);
  const list = useUserList();
  const figures = useUserFigures();
  return (
    <div className={styles.overview}>
      <SummaryCards summary={figures.summary} hasFailed={figures.hasFailed} />
      <AdminCharts
        summary={figures.summary}
        renewals={figures.renewals}
        hasFailed={figures.hasFailed}
        isRetrying={figures.isFetching}
        onRetry={figures.refetch}
      />
      <UsersPanel
        list={list}
        allUsers={figures.summary?.totalUsers ?? null}
        nowMs={nowMs}
        onVerified={() => {
          list.reload();
          void client.invalidateQueries({ queryKey: FIGURES_KEY });
        }}
      />
    </div>
  );
}

function SummaryCards({ summary, hasFailed }: { summary: AdminSummary | null; hasFailed: boolean }) {
  const { zone } = useTimeZone();
  const isWaiting = summary === null && !hasFailed;
  const count = (of: number | undefined) => (of === undefined ? null : formatPrice(of, 0));
  const latestMs = summary?.latestStartMs ?? null;
  return (
    <section aria-label="Summary" className="card">
      <FigureStrip columns={6} isDense isBusy={isWaiting}>
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
