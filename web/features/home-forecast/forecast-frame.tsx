/**
 * The panel of this minute's forecast, without what draws it: part of the page before its data and code arrive, with the
 * same size.
 */
import type { ReactNode } from 'react';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import { MODELS, PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { WAITING } from '#domain/market/narrative.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './forecast-frame.module.css';
import { PathReadout } from './path-readout.tsx';

export interface ForecastFrameProps {
  /** Null until the first one arrives. */
  latest: LatestForecast | null;
  isStale?: boolean;
  /** What the prices are: simulated, replayed or live. */
  source?: ReactNode;
  chart: ReactNode;
  note: ReactNode;
  className?: string | undefined;
}

export function ForecastFrame({ latest, isStale = false, source, chart, note, className }: ForecastFrameProps) {
  return (
    <Panel
      heading={`${DEFAULT_SYMBOL.label}, this minute’s forecast`}
      className={className}
      isFlush
      beside={
        <>
          <Badge className={styles.model}>{MODELS[PUBLIC_FORECAST.model].label}</Badge>
          {source}
        </>
      }
    >
      <div className={classNames(isStale && 'old-figures')} data-stale={isStale || undefined}>
        <div className={styles.chart}>{chart}</div>
        <PathReadout latest={latest} decimals={DEFAULT_SYMBOL.decimals} />
      </div>
      {note}
    </Panel>
  );
}

/** Covers the chart while there is none. */
export function InsteadOfChart({ children }: { children: ReactNode }) {
  return <div className={styles.instead}>{children}</div>;
}

/** The panel until its code has loaded. */
export function AwaitedForecast({ className }: { className?: string | undefined }) {
  return (
    <ForecastFrame
      latest={null}
      className={className}
      chart={
        <InsteadOfChart>
          <p role="status">
            {WAITING}
            <noscript> Turn on JavaScript to see the chart.</noscript>
          </p>
        </InsteadOfChart>
      }
      note={null}
    />
  );
}
