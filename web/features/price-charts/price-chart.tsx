import { useMemo, useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { zonedDay } from '#domain/format/zoned-time.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { LineTexts } from '../../charts/line/describe-line.ts';
import { LineCanvas, NoLine } from '../../charts/line/line-canvas.tsx';
import { SourceBadge } from '../../site/source-badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ButtonRow } from '../../ui/forms/button-row.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { LastDataNote } from '../../ui/status/last-data-note.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { BAR_LENGTHS, type BarLength, firstExactMonthS, POINTS, pairFor, WIDE_POINTS } from './chart-choices.ts';
import styles from './price-chart.module.css';
import type { PriceBars } from './price-charts-api.ts';
import { type PriceBarsState, usePriceBars } from './use-price-bars.ts';

interface PriceChartProps {
  symbol: MarketSymbol;
  className?: string | undefined;
}

export function PriceChart({ symbol, className }: PriceChartProps) {
  const [length, setLength] = useState<BarLength>('1W');
  const [isWide, setWide] = useState(false);
  const { name, shown, decimals, isOwn } = pairFor(symbol);
  const bars = usePriceBars({ name, shown, decimals }, length);
  const count = bars.data?.closes.length ?? null;
  const points = useMemo(() => bars.data?.closes.slice(-(isWide ? WIDE_POINTS : POINTS)) ?? null, [bars.data, isWide]);
  const texts = useMemo(() => lineTexts(shown, length, decimals), [shown, length, decimals]);
  return (
    <Panel
      heading={`${shown} ${BAR_LENGTHS[length].heading}`}
      className={className}
      beside={<SourceBadge kind={bars.data?.kind ?? null} />}
      actions={
        <>
          <Button
            size="small"
            className={styles.wide}
            aria-pressed={isWide}
            disabled={count !== null && count <= POINTS}
            title={wideTitle(count, length)}
            onClick={() => setWide(!isWide)}
          >
            Wide view
          </Button>
          <ButtonRow
            label="Bar length"
            values={lengths}
            value={length}
            nameOf={(each) => `${each}, ${BAR_LENGTHS[each].each}`}
            onChange={setLength}
          />
        </>
      }
    >
      <div className="column gap-2">
        <Shown bars={bars} points={points} texts={texts} />
        <LastDataNote lastData={bars} nowMs={bars.nowMs}>
          <Note bars={bars} shown={points?.length ?? 0} length={length} label={isOwn ? null : symbol.label} />
        </LastDataNote>
      </div>
    </Panel>
  );
}

interface ShownProps {
  bars: PriceBarsState;
  points: { timeS: number; value: number }[] | null;
  texts: LineTexts;
}

function Shown({ bars, points, texts }: ShownProps) {
  if (points === null && bars.failure !== null) {
    return (
      <div className={classNames(styles.instead, styles.failed)}>
        <NoLine />
        <ErrorState title={bars.failure} isPart onRetry={bars.retry} isRetrying={bars.isRetrying} />
      </div>
    );
  }
  if (points === null) {
    return (
      <div className={styles.instead} role="status" aria-label={`Loading ${texts.name}`}>
        <Skeleton className="full-height" />
      </div>
    );
  }
  return (
    <div
      className={classNames(styles.chart, bars.staleSinceMs !== null && 'old-figures')}
      data-stale={bars.staleSinceMs !== null || undefined}
    >
      <LineCanvas points={points} isLastOpen texts={texts} />
    </div>
  );
}

interface NoteProps {
  bars: PriceBarsState;
  shown: number;
  length: BarLength;
  /** The chosen symbol if it has no chart. */
  label: string | null;
}

function Note({ bars, shown, length, label }: NoteProps) {
  const { data } = bars;
  if (data === null) return null;
  const sourceNote = data.attribution === null ? '' : ` Source: ${data.attribution}.`;
  return (
    <p>
      {label !== null && (
        <span>{`There is no ${BAR_LENGTHS[length].each} chart for ${label}, so this shows Bitcoin. `}</span>
      )}
      <span className="figures">{shown}</span>
      <span>{` ${BAR_LENGTHS[length].bars}, closes in US dollars.${sourceNote}`}</span>
      {length === '1M' && <span>{olderMonths(data, bars.nowMs)}</span>}
    </p>
  );
}

/** Null if every month is built from daily bars. */
function olderMonths({ closes, fetchedAtMs }: PriceBars, nowMs: number): string | null {
  const exactS = firstExactMonthS(fetchedAtMs ?? nowMs);
  const [oldest] = closes;
  if (oldest === undefined || oldest.timeS >= exactS) return null;
  return ` Months before ${monthOf(exactS)} are built from the weeks that start in them.`;
}

const lengths = ['1W', '1M'] as const satisfies readonly BarLength[];

function wideTitle(count: number | null, length: BarLength): string {
  const { bars } = BAR_LENGTHS[length];
  if (count !== null && count <= POINTS) return `All ${count} ${bars} are shown`;
  return `Up to ${WIDE_POINTS} ${bars} instead of ${POINTS}`;
}

function lineTexts(shown: string, length: BarLength, decimals: number): LineTexts {
  return {
    name: `${shown}, ${BAR_LENGTHS[length].each} closes`,
    format: (value) => formatPrice(value, decimals),
    placeOf: length === '1W' ? (timeS) => `week of ${zonedDay(timeS * 1000, 'UTC')}` : monthOf,
  };
}

/** 'November 2026'. Bars start at midnight UTC. */
function monthOf(timeS: number): string {
  return new Date(timeS * 1000).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}
