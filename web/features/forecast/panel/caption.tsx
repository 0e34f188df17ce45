import { Fragment, type ReactNode } from 'react';
import { isNotEvaluated } from '#domain/forecast/figures/evaluation.ts';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODELS } from '#domain/forecast/models.ts';
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS } from '#domain/forecast/window.ts';
import { describeDelay } from '#domain/format/relative-time.ts';
import { zonedRecent, zonedSecond } from '#domain/format/zoned-time.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barUnit, candlesName } from '#domain/market/timeframe-text.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { bandCoverage } from '#domain/record/scoring/band-coverage.ts';
import { type CandleFeed, type ChartSeries, judgedCandles } from '../../../charts/candles/candle-feed.ts';
import { type CandleSource, describeStaleness } from '../../../site/candle-source.ts';
import { SourceBadge } from '../../../site/source-badge.tsx';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { useMedia } from '../../../ui/browser/use-media.ts';
import { useNow } from '../../../ui/browser/use-now.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import type { ChartMarket } from '../run/chart-market.ts';
import type { ForecastState, ShownForecast } from '../run/forecast-state.ts';
import styles from './caption.module.css';
import { useShownSeries } from './use-shown-series.ts';

/** Refresh interval of the shown age of stale candles. */
const AGE_MS = 10_000;

export function Caption({ facts, children }: { facts: readonly ReactNode[]; children?: ReactNode }) {
  return (
    <p className={styles.caption}>
      <span className="min-width-0">
        {facts.map((fact, i) => (
          // By its text: a fact that another replaces has not moved, and the page's shifts must not count it.
          <Fragment key={typeof fact === 'string' ? fact : i}>
            {i > 0 && <span aria-hidden="true"> · </span>}
            <span className={styles.fact}>{fact}</span>
          </Fragment>
        ))}
      </span>
      {children}
    </p>
  );
}

interface LiveCaptionProps extends ChartMarket {
  feed: CandleFeed;
  state: ForecastState;
  /** Measured skill of the models; null until loaded. */
  figures: readonly ModelFigures[] | null;
  /** The user chose longer candles than a forecast without a plan has. */
  isOneMinuteOnly: boolean;
}

export function LiveCaption({ feed, symbol, timeframe, state, figures, isOneMinuteOnly }: LiveCaptionProps) {
  const series = useShownSeries(feed);
  const { zone } = useTimeZone();
  const { start, marketKind, isMarketOpen, source } = state;
  const facts =
    start === null
      ? historyFacts(symbol, timeframe, series.candles.at(-1)?.time, zone)
      : forecastFacts(symbol, start, describeSoFar(series, timeframe), zone);
  if (source?.attribution) facts.push(source.attribution);
  return (
    <Caption facts={facts}>
      {marketKind === 'live' ? <LiveBadge /> : <SourceBadge kind={marketKind} />}
      {source !== null && <DelayBadges source={source} isMarketOpen={isMarketOpen} />}
      {!isMarketOpen && <Badge>market closed</Badge>}
      {figures?.some((entry) => isNotEvaluated(entry, symbol)) && (
        <Badge tone="warning" title={`No model was trained or evaluated on ${symbol.label}.`}>
          {symbol.label.includes('/') ? 'not trained' : 'not evaluated'}
        </Badge>
      )}
      {start !== null && start.ampPercent !== DEFAULT_AMPLIFY_PERCENT && (
        <Badge tone="warning">{`amplified ${start.ampPercent}%`}</Badge>
      )}
      {state.phase === 'done' && state.isSaved && <Badge tone="up">saved</Badge>}
      {state.origin === 'shared' && <SharedBadge />}
      {isOneMinuteOnly && <OneMinuteBadge />}
    </Caption>
  );
}

function SharedBadge() {
  return (
    <Badge tone="info" title="Everyone sees this one forecast. A plan makes your own, for any symbol.">
      shared forecast
    </Badge>
  );
}

interface OneMinuteBadgeProps {
  /** Beside the button, where a phone shows it: the caption may be below the screen's edge there. */
  isByButton?: boolean;
}

export function OneMinuteBadge({ isByButton = false }: OneMinuteBadgeProps) {
  const isPhone = useMedia('(max-width: 40em)');
  if (isPhone !== isByButton) return null;
  return (
    <Badge tone="info" className={classNames(isByButton && styles.byButton)}>
      Without a plan: 1 minute only
    </Badge>
  );
}

interface SharedCaptionProps {
  feed: CandleFeed;
  symbol: MarketSymbol;
  shared: LatestForecast;
  children?: ReactNode;
}

/** For visitors. */
export function SharedCaption({ feed, symbol, shared, children }: SharedCaptionProps) {
  const series = useShownSeries(feed);
  const { zone } = useTimeZone();
  const { model, issuedAtMs, marketKind } = shared;
  return (
    <Caption facts={forecastFacts(symbol, { model, issuedAtMs }, describeSoFar(series, DEFAULT_TIMEFRAME), zone)}>
      {marketKind === 'live' ? <LiveBadge /> : <SourceBadge kind={marketKind} />}
      <SharedBadge />
      {children}
    </Caption>
  );
}

/** What the forecast is, then how many of its candles have closed: '12 of 50 min, 11 in the 80% band'. */
function describeSoFar(series: ChartSeries, timeframe: Timeframe): string {
  const { band } = series;
  const outcome = judgedCandles(series);
  if (outcome.length === 0) return band === null ? 'one plausible path' : 'one plausible path; 80% band';
  const passed = `${outcome.length} of ${HORIZON_BARS} ${barUnit(timeframe, true)}`;
  if (band === null) return passed;
  const { within80 } = bandCoverage(
    band,
    outcome.map(({ close }) => close),
  );
  return `${passed}, ${within80} in the 80% band`;
}

/** A closed market shows its closing prices, so a delay does not matter. */
const ACTIVITIES = {
  new: 'Listed recently. It has fewer candles than a forecast usually reads.',
  thin: 'Most of its minutes have no trade, so prices move in jumps.',
};

function DelayBadges({ source, isMarketOpen }: { source: CandleSource; isMarketOpen: boolean }) {
  const nowMs = useNow(AGE_MS);
  const stale = describeStaleness(source, nowMs);
  const delay = isMarketOpen ? describeDelay(source.delayS) : null;
  return (
    <>
      {source.activity && (
        <Badge tone="warning" title={ACTIVITIES[source.activity]}>
          {source.activity}
        </Badge>
      )}
      {delay !== null && <Badge title="The source delays its prices by this much.">{delay}</Badge>}
      {stale !== null && (
        <Badge tone="warning" role="status" title="Prices are delayed. The latest candles haven’t arrived yet.">
          {stale}
        </Badge>
      )}
    </>
  );
}

function historyFacts(
  symbol: MarketSymbol,
  timeframe: Timeframe,
  lastS: number | undefined,
  zone: string,
): ReactNode[] {
  const candles = candlesName(timeframe);
  if (lastS === undefined) return [symbol.label, candles];
  const closedMs = (lastS + barSecondsOf(timeframe)) * 1000;
  return [symbol.label, `last 150 ${candles}`, `closed at ${zonedRecent(closedMs, Date.now(), zone)}`];
}

function forecastFacts(
  symbol: MarketSymbol,
  { model, issuedAtMs }: Pick<ShownForecast, 'model' | 'issuedAtMs'>,
  soFar: string,
  zone: string,
): ReactNode[] {
  return [
    symbol.label,
    MODELS[model].label,
    <time key="issued" dateTime={new Date(issuedAtMs).toISOString()} title={zonedSecond(issuedAtMs, zone)}>
      {`issued at ${zonedRecent(issuedAtMs, Date.now(), zone)}`}
    </time>,
    soFar,
  ];
}

function LiveBadge() {
  return (
    <Badge tone="up" title="Live prices from the venue.">
      live
    </Badge>
  );
}
