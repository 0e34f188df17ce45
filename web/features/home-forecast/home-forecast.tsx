/**
 * The home page's chart: 150 real candles and this minute's 50 forecast candles inside their bands, with the gauge and
 * the summary of the one path.
 */
import { useRef } from 'react';
import { PUBLIC_FORECAST } from '#domain/forecast/latest-forecast.ts';
import { MODELS } from '#domain/forecast/models.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { zonedClock } from '#domain/format/zoned-time.ts';
import { WAITING } from '#domain/market/narrative.ts';
import { DEFAULT_SYMBOL, type MarketKind } from '#domain/market/symbols.ts';
import { CandleChart, type PointedCandle } from '../../charts/candles/candle-chart.tsx';
import { reportError } from '../../platform/error-log.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { PanelNote } from '../../ui/status/panel-note.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { CloseTip, writeTip } from './close-tip.tsx';
import styles from './home-forecast.module.css';
import { PathReadout } from './path-readout.tsx';
import { type HomeForecastState, useHomeForecast } from './use-home-forecast.ts';

const { label, decimals } = DEFAULT_SYMBOL;
const MODEL = MODELS[PUBLIC_FORECAST.model];

export function HomeForecast({ className }: { className?: string | undefined }) {
  const state = useHomeForecast();
  const { known, latest, nowMs } = state;
  const { zone } = useTimeZone();
  return (
    <Panel
      heading={`${label}, this minute’s forecast`}
      className={className}
      isFlush
      beside={
        <>
          <Badge className={styles.model}>{MODEL.label}</Badge>
          <ForecastSource kind={latest?.marketKind ?? null} />
        </>
      }
    >
      <div
        className={classNames(styles.body, known.staleSinceMs !== null && 'old-figures')}
        data-stale={known.staleSinceMs !== null || undefined}
      >
        <Chart state={state} />
        <PathReadout latest={latest} decimals={decimals} />
      </div>
      <PanelNote kept={known} nowMs={nowMs} phoneLines={2}>
        <p>
          {latest !== null && (
            <>
              {latest.history.length} candles, then one path of {latest.path.length}. Made at{' '}
              <span className="figures">{zonedClock(latest.issuedAtMs, zone)}</span>, anew every minute.{' '}
            </>
          )}
          <a href="https://www.tradingview.com/" rel="noreferrer" target="_blank">
            Charts by TradingView
          </a>
        </p>
      </PanelNote>
    </Panel>
  );
}

function ForecastSource({ kind }: { kind: MarketKind | null }) {
  if (kind === 'live') return <Badge title="Closed candles of the live market.">live</Badge>;
  return <SourceBadge kind={kind} />;
}

function Chart({ state: { known, latest, feed } }: { state: HomeForecastState }) {
  const tip = useRef<HTMLDivElement>(null);
  const onPoint = (pointed: PointedCandle | null) => {
    if (tip.current !== null) writeTip(tip.current, pointed, feed.series().joinS, decimals);
  };
  return (
    <div className={styles.chart}>
      <CandleChart
        feed={feed}
        name={`${label} with ${MODEL.label}’s forecast, one-minute candles`}
        decimals={decimals}
        horizonBars={HORIZON_BARS}
        onPoint={onPoint}
        onError={(error) => reportError(error, { where: 'home chart' })}
      />
      <CloseTip ref={tip} />
      {latest === null && (
        <div className={styles.instead}>
          {known.failure === null ? (
            <p role="status">{WAITING}</p>
          ) : (
            <ErrorState
              title="No forecast right now"
              text={`${known.failure} The rest of the page still works.`}
              onRetry={known.retry}
              isRetrying={known.isRetrying}
            />
          )}
        </div>
      )}
    </div>
  );
}
