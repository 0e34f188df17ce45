/** 150 real candles and this minute's 50 forecast candles, with the gauge and the summary of the one path. */
import { useQuery } from '@tanstack/react-query';
import { type Ref, useEffect, useMemo, useRef, useState } from 'react';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import { MODELS, PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { formatPrice } from '#domain/format/price.ts';
import { zonedClock } from '#domain/format/zoned-time.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { WAITING } from '#domain/market/narrative.ts';
import { DEFAULT_SYMBOL, type MarketKind } from '#domain/market/symbols.ts';
import { CandleChart, type PointedCandle } from '../../charts/candles/candle-chart.tsx';
import { type CandleFeed, createCandleFeed, EMPTY_SERIES, seriesOfLatest } from '../../charts/candles/candle-feed.ts';
import { timeLabel } from '../../charts/candles/describe-series.ts';
import { SmallCandles } from '../../charts/candles/small-candles.tsx';
import { reportError } from '../../platform/error-log.ts';
import { type FetchedForecast, fetchLatest } from '../../site/latest-forecast-api.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { useIsWanted } from '../../ui/browser/when-due.ts';
import { writeText } from '../../ui/browser/write-text.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { PanelNote } from '../../ui/status/panel-note.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { ForecastFrame, InsteadOfChart } from './forecast-frame.tsx';
import styles from './home-forecast.module.css';

const { label, decimals } = DEFAULT_SYMBOL;
const MODEL = MODELS[PUBLIC_FORECAST.model];

export function HomeForecast({ className }: { className?: string | undefined }) {
  const state = useHomeForecast();
  const { known, latest, nowMs } = state;
  const { zone } = useTimeZone();
  return (
    <ForecastFrame
      latest={latest}
      isStale={known.staleSinceMs !== null}
      className={className}
      source={<ForecastSource kind={latest?.marketKind ?? null} />}
      chart={<Chart state={state} />}
      note={
        <PanelNote lastData={known} nowMs={nowMs} phoneLines={2}>
          <p>
            {latest !== null && (
              <span>
                {latest.history.length} candles, then one path of {latest.path.length}. Updated every minute, last at{' '}
                <span className="figures">{zonedClock(latest.issuedAtMs, zone)}</span>.{' '}
              </span>
            )}
            <a href="https://www.tradingview.com/" rel="noreferrer" target="_blank">
              Charts by TradingView
            </a>
          </p>
        </PanelNote>
      }
    />
  );
}

function ForecastSource({ kind }: { kind: MarketKind | null }) {
  if (kind === 'live') return <Badge title="Closed candles from the live market.">live</Badge>;
  return <SourceBadge kind={kind} />;
}

function Chart({ state: { known, latest, feed } }: { state: HomeForecastState }) {
  const tip = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const isWanted = useIsWanted(place);
  const name = `${label} with ${MODEL.label}’s forecast, one-minute candles`;
  // The drawing library blocks a phone for longer than the rest of the page; until it is wanted, a plain picture does.
  const picture = useMemo(() => (latest === null ? EMPTY_SERIES : seriesOfLatest(latest)), [latest]);
  const onPoint = (pointed: PointedCandle | null) => {
    if (tip.current !== null) writeTip(tip.current, pointed, feed.series().joinS, decimals);
  };
  return (
    <div ref={place} className="full-height">
      {isWanted ? (
        <CandleChart
          feed={feed}
          name={name}
          decimals={decimals}
          horizonBars={HORIZON_BARS}
          onPoint={onPoint}
          onError={(error) => reportError(error, { where: 'home chart' })}
        />
      ) : (
        <SmallCandles {...picture} name={name} decimals={decimals} />
      )}
      <CloseTip ref={tip} />
      {latest === null && (
        <InsteadOfChart>
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
        </InsteadOfChart>
      )}
    </div>
  );
}

const MINUTE_MS = MINUTE_S * 1000;
const AGAIN_MS = 15_000;
/** Almost immediate when overdue, but never a tight loop. */
const SOON_MS = 1000;
const CLOCK_MS = 10_000;

interface HomeForecastState {
  known: LastData<FetchedForecast>;
  /** Null until the first one arrives. */
  latest: LatestForecast | null;
  feed: CandleFeed;
  nowMs: number;
}

/** The forecast on the home page: a new one each minute; the last one stays until a newer arrives. */
function useHomeForecast(): HomeForecastState {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['latest-forecast'],
    queryFn: ({ signal }) => fetchLatest(signal),
    // A hidden tab requests nothing; when visible again, it immediately requests what it missed.
    refetchOnWindowFocus: true,
    staleTime: ({ state }) => state.data?.refreshInMs ?? 0,
    refetchInterval: ({ state: { status, data, dataUpdatedAt } }) => {
      if (status === 'error' || data === undefined) return AGAIN_MS;
      return Math.max(SOON_MS, dataUpdatedAt + data.refreshInMs - Date.now());
    },
  });
  const known = useLastData(query, MINUTE_MS, nowMs, ({ latest }) => (latest.t0 + MINUTE_S) * 1000);
  const latest = known.data?.latest ?? null;
  return { known, latest, feed: useFeed(latest), nowMs };
}

/** Refetching the same forecast leaves the chart unchanged. */
function useFeed(latest: LatestForecast | null): CandleFeed {
  const [feed] = useState(() => createCandleFeed());
  useEffect(() => feed.reset(latest === null ? EMPTY_SERIES : seriesOfLatest(latest)), [feed, latest]);
  return feed;
}

/** Hidden from assistive technology: the chart's slider says the same as text. */
function CloseTip({ ref }: { ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} className={styles.tip} role="tooltip" aria-hidden="true" hidden>
      <span data-tip="when" className={styles.when} />
      <span>
        Close <span data-tip="close" className="figures" translate="no" />
      </span>
    </div>
  );
}

/** @param joinS  opening second of the last real candle; null: no forecast */
function writeTip(tip: HTMLElement, pointed: PointedCandle | null, joinS: number | null, decimals: number): void {
  tip.hidden = pointed === null;
  if (pointed === null) return;
  const { candle, place } = pointed;
  const isForecast = joinS !== null && candle.time > joinS;
  write(tip, 'when', `${isForecast ? 'forecast ' : ''}${timeLabel(candle.time)}`);
  write(tip, 'close', formatPrice(candle.close, decimals));
  tip.dataset.kind = isForecast ? 'forecast' : 'real';
  // On the side with more room.
  tip.dataset.side = place.x > (tip.parentElement?.clientWidth ?? 0) / 2 ? 'left' : 'right';
  tip.style.setProperty('--x', `${Math.round(place.x)}px`);
  tip.style.setProperty('--y', `${Math.round(place.y)}px`);
}

function write(tip: HTMLElement, name: string, text: string): void {
  writeText(tip.querySelector(`[data-tip="${name}"]`), text);
}
