/** Four charts, two by two: payers by plan, quota left, forecasts per day, upcoming renewals. */
import type { ReactNode } from 'react';
import {
  type AdminSummary,
  PERIOD_DAYS,
  type QuotaPoint,
  type RenewalDay,
  revenueCents,
} from '#domain/admin/figures.ts';
import { PLAN_LABELS } from '#domain/billing/plans.ts';
import { dollars } from '#domain/format/dollars.ts';
import { formatPrice } from '#domain/format/price.ts';
import { DayChart } from '../../charts/plots/day-chart.tsx';
import { Doughnut } from '../../charts/plots/doughnut.tsx';
import { ScatterChart } from '../../charts/plots/scatter-chart.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import type { QuotaPoints } from './admin-api.ts';
import styles from './admin-overview.module.css';
import { useDayTotals, useQuotaPoints } from './use-admin-figures.ts';

/** Height of the charts, in CSS pixels (R-ADMIN-5). */
const LOW_PX = 260;
const HIGH_PX = 300;
/** Height of the figures below a chart, reserved so that nothing moves when they arrive. */
const FIGURES_PX = 84;
const PLANS = [
  { plan: 'bobcat', name: PLAN_LABELS.bobcat, shape: 'circle' },
  { plan: 'lion', name: PLAN_LABELS.lion, shape: 'square' },
] as const;

export interface AdminChartsProps {
  summary: AdminSummary | null;
  renewals: readonly RenewalDay[] | null;
  /** Neither could be loaded. */
  hasFailed: boolean;
  isRetrying: boolean;
  onRetry: () => void;
}

export function AdminCharts({ summary, renewals, hasFailed, isRetrying, onRetry }: AdminChartsProps) {
  return (
    <div className={styles.charts}>
      <Panel heading="Paid Plan Mix" isFlush>
        {summary === null ? (
          <Missing height={LOW_PX} hasFailed={hasFailed} isRetrying={isRetrying} onRetry={onRetry} />
        ) : (
          <Doughnut
            name="Paid Plan Mix"
            unit={summary.paid === 1 ? 'paid user' : 'paid users'}
            shares={PLANS.map(({ plan, name, shape }) => ({ name, shape, value: summary[plan] }))}
            height={LOW_PX}
          />
        )}
      </Panel>
      <UserQuotas />
      <PredictionsPerDay />
      <Panel heading={renewals === null ? 'Renewals' : `Renewals (${dollars(revenueCents(renewals))})`} isFlush>
        {renewals === null || renewals.length === 0 ? (
          <Missing
            height={HIGH_PX}
            isRetrying={isRetrying}
            onRetry={onRetry}
            hasFailed={hasFailed || renewals !== null}
          />
        ) : (
          <DayChart
            name="Renewals"
            kind="bars"
            days={renewals.map(({ day }) => day)}
            series={PLANS.map(({ plan, name, shape }) => ({ name, shape, values: renewals.map((day) => day[plan]) }))}
            height={HIGH_PX}
            restingIndex={0}
          />
        )}
      </Panel>
    </div>
  );
}

function UserQuotas() {
  const { data, isError, isFetching, refetch } = useQuotaPoints();
  return (
    <Panel heading="User Quotas" isFlush {...(data !== undefined && { actions: <PointsNote points={data} /> })}>
      {data === undefined ? (
        <Missing height={LOW_PX} hasFailed={isError} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <ScatterChart
          name="User Quotas"
          axis="days of the period"
          maxX={PERIOD_DAYS}
          placeText={(x) => `After ${x} ${x === 1 ? 'day' : 'days'} of the period, predictions left this month`}
          unit="left"
          series={PLANS.map(({ plan, name, shape }) => ({ name, shape, points: pointsOf(data.points, plan) }))}
          height={LOW_PX}
        />
      )}
    </Panel>
  );
}

function pointsOf(points: readonly QuotaPoint[], plan: QuotaPoint['plan']): { x: number; y: number }[] {
  return points.filter((point) => point.plan === plan).map(({ elapsedDays: x, remaining: y }) => ({ x, y }));
}

function PointsNote({ points: { points, outside, total } }: { points: QuotaPoints }) {
  const shown = points.length;
  if (total <= shown) return null;
  const notLoaded = total - shown - outside;
  const parts = [
    ...(notLoaded > 0 ? [`${formatPrice(shown + outside, 0)} of ${formatPrice(total, 0)} points`] : []),
    ...(outside > 0 ? [`${formatPrice(outside, 0)} beyond 30 days`] : []),
  ];
  return <span className="muted size-12">{parts.join(', ')}</span>;
}

function PredictionsPerDay() {
  const { data, isError, isFetching, refetch } = useDayTotals();
  let body: ReactNode;
  if (data === undefined)
    body = <Missing height={HIGH_PX} hasFailed={isError} isRetrying={isFetching} onRetry={() => void refetch()} />;
  else if (data.every(({ total }) => total === 0))
    body = (
      <p className={styles.empty} style={{ height: HIGH_PX }}>
        No predictions in the selected range.
      </p>
    );
  else
    body = (
      <DayChart
        name="Predictions per Day"
        kind="line"
        days={data.map(({ day }) => day)}
        series={[{ name: 'Predictions', shape: 'square', values: data.map(({ total }) => total) }]}
        height={HIGH_PX}
        restingIndex={data.length - 1}
      />
    );
  return (
    <Panel heading="Predictions per Day" isFlush>
      {body}
    </Panel>
  );
}

interface MissingProps {
  height: number;
  hasFailed: boolean;
  isRetrying?: boolean;
  onRetry?: () => void;
}

/** As high as the chart with its figures. */
function Missing({ height, hasFailed, isRetrying = false, onRetry }: MissingProps) {
  return (
    <div className={classNames(styles.missing, hasFailed && 'centred')} style={{ height: height + FIGURES_PX }}>
      {hasFailed ? (
        <ErrorState
          title="We couldn’t load this chart"
          isRetrying={isRetrying}
          {...(onRetry !== undefined && { onRetry })}
        />
      ) : (
        <Skeleton className="full-height" />
      )}
    </div>
  );
}
