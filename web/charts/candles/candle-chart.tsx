/**
 * Reserves its height from the first paint; arrow keys move through the candles. The drawing library loads separately.
 */
import { type ReactNode, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { Candle } from '#domain/market/candle.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Loader } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { describeOutcome } from '../overlays/outcome-line.ts';
import type { ChartGuest } from '../overlays/price-scale.ts';
import type { CandleCanvas, ChartPlace } from './candle-canvas.ts';
import styles from './candle-chart.module.css';
import { type CandleFeed, type ChartSeries, candleAt } from './candle-feed.ts';
import { hiddenBars } from './chart-window.ts';
import { describeSeries, spokenCandle } from './describe-series.ts';
import { clearLegend, Legend, writeLegend, ZoneSwitch } from './legend.tsx';
import { mountCanvas } from './mount-canvas.ts';

export interface PointedCandle {
  candle: Candle;
  /** Place of its close, CSS pixels from the chart's upper left. */
  place: ChartPlace;
}

export interface CandleChartProps {
  feed: CandleFeed;
  /** What is drawn, for the text alternative: 'BTC, one-minute candles'. */
  name: string;
  decimals: number;
  /** Bars reserved at the right once the feed has a forecast (`joinS`); before, the candles use the whole width. */
  horizonBars: number;
  /** How many of the last real candles are in view; null: all. */
  shownBars?: number | null;
  /** Draws the last close with a random walk's band over every forecast, and adds it to the text alternative. */
  isGhostShown?: boolean;
  /** Draws the outcome as candles over those of the forecast, which fade; otherwise as a line. */
  isOutcomeCandles?: boolean;
  /** Above the chart while no candle is pointed at. Without it the last candle's figures are there. */
  answer?: ReactNode;
  /** Ends the text alternative: what the guest draws. */
  note?: (series: ChartSeries) => string;
  /** Reads the chart's price scale for elements over it, or draws over the candles. */
  guest?: ChartGuest | null;
  /** Called with the candle that the pointer or a key points at, null for none; as often as the pointer moves. */
  onPoint?: (pointed: PointedCandle | null) => void;
  onError?: (error: unknown) => void;
}

export function CandleChart(props: CandleChartProps) {
  const { feed, name, decimals, horizonBars, isGhostShown = false, isOutcomeCandles = false } = props;
  const rootRef = useRef<HTMLDivElement>(null);
  const hostRef = useRef<HTMLDivElement>(null);
  const legendRef = useRef<HTMLDivElement>(null);
  const sliderRef = useRef<HTMLInputElement>(null);
  const canvasRef = useRef<CandleCanvas | null>(null);
  const pointedRef = useRef<number | null>(null);
  const propsRef = useRef(props);
  propsRef.current = props;
  const sliderId = useId();
  const [progress, setProgress] = useState<'drawing' | 'drawn' | 'failed'>('drawing');
  const [attempt, setAttempt] = useState(0);
  const [isWhole, setWhole] = useState(true);

  const ghostRef = useRef(isGhostShown);
  ghostRef.current = isGhostShown;
  useEffect(() => canvasRef.current?.showGhost(isGhostShown), [isGhostShown]);

  const guest = props.guest ?? null;
  useEffect(() => canvasRef.current?.attach(guest), [guest]);

  const shownBars = props.shownBars ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the canvas reads how many from the newest props
  useEffect(() => canvasRef.current?.refit(), [shownBars]);
  useStepRange(feed, shownBars, sliderRef);

  const { zone } = useTimeZone();
  const { note } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another zone changes the times in the text
  const describe = useCallback(
    (series: ChartSeries) =>
      describeSeries(name, series, decimals, isGhostShown) +
      describeOutcome(series, decimals, isOutcomeCandles) +
      (note?.(series) ?? ''),
    [name, decimals, isGhostShown, isOutcomeCandles, zone, note],
  );
  const show = useCallback(
    (timeS: number | null) => {
      const series = feed.series();
      pointedRef.current = timeS;
      const hasAnswer = propsRef.current.answer !== undefined;
      showLegend(legendRef.current, timeS ?? (hasAnswer ? null : lastS(series)), series, decimals);
      const candle = timeS === null ? null : candleAt(series, timeS);
      propsRef.current.onPoint?.(placedIn(hostRef.current, canvasRef.current, candle));
    },
    [feed, decimals],
  );
  useDescription(feed, describe, rootRef);
  useLegend(feed, pointedRef, show);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the axis and the legend show times too
  useEffect(() => {
    canvasRef.current?.repaint();
    show(pointedRef.current);
  }, [zone, show]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt draws again after a failure
  useEffect(() => {
    const host = hostRef.current;
    if (host === null) return;
    const abort = new AbortController();
    const setup = {
      decimals,
      horizonBars,
      isOutcomeCandles,
      onPoint: show,
      onView: setWhole,
      isGhostShown: () => ghostRef.current,
      shownBars: () => propsRef.current.shownBars ?? null,
      guest: () => propsRef.current.guest ?? null,
    };
    mountCanvas(host, feed, setup, abort.signal, canvasRef).then(
      () => !abort.signal.aborted && setProgress('drawn'),
      (error: unknown) => {
        setProgress('failed');
        propsRef.current.onError?.(error);
      },
    );
    return () => abort.abort();
  }, [feed, decimals, horizonBars, isOutcomeCandles, show, attempt]);

  function pointAt(index: number): void {
    const series = feed.series();
    const candle = series.candles[index] ?? null;
    canvasRef.current?.point(candle);
    show(candle?.time ?? null);
    if (candle !== null) sliderRef.current?.setAttribute('aria-valuetext', spokenCandle(candle, series, decimals));
  }

  function leave(): void {
    canvasRef.current?.point(null);
    show(null);
  }

  return (
    <div className={classNames(styles.frame, 'steppable')}>
      <div className={styles.head}>
        <Legend ref={legendRef} />
        {props.answer}
      </div>
      <div ref={rootRef} className={styles.root} role="img" aria-label={`${name}: loading.`} data-candle-count="0">
        <div ref={hostRef} className={styles.host} />
      </div>
      {!isWhole && (
        <Button size="small" className={styles.whole} onClick={() => canvasRef.current?.refit()}>
          Whole chart
        </Button>
      )}
      {progress === 'drawing' && (
        <div className={styles.drawing} aria-hidden="true">
          <Loader text="Loading candles…" />
        </div>
      )}
      {progress === 'failed' && (
        <div className={styles.failure}>
          <ErrorState
            title="We couldn’t draw the chart"
            text="Its figures are still correct."
            onRetry={() => {
              setProgress('drawing');
              setAttempt(attempt + 1);
            }}
          />
        </div>
      )}
      <ZoneSwitch feed={feed} />
      <label className="visually-hidden" htmlFor={sliderId}>
        {`Candles of ${name}: move with the arrow keys`}
      </label>
      <input
        ref={sliderRef}
        id={sliderId}
        className="key-slider"
        type="range"
        min={0}
        max={0}
        defaultValue={0}
        onFocus={(event) => pointAt(event.currentTarget.valueAsNumber)}
        onChange={(event) => pointAt(event.currentTarget.valueAsNumber)}
        onBlur={leave}
      />
    </div>
  );
}

/** Arrow keys reach the candles in view, and no others; new candles put the slider at the newest. */
function useStepRange(feed: CandleFeed, shownBars: number | null, sliderRef: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const setRange = (series: ChartSeries) => {
      const slider = sliderRef.current;
      if (slider === null) return;
      slider.max = String(Math.max(0, series.candles.length - 1));
      slider.min = String(hiddenBars(series, shownBars));
    };
    const onReset = (series: ChartSeries) => {
      setRange(series);
      if (sliderRef.current !== null) sliderRef.current.value = sliderRef.current.max;
    };
    onReset(feed.series());
    return feed.listen({ onReset, onAppend: (_candle, series) => setRange(series) });
  }, [feed, shownBars, sliderRef]);
}

/** Keeps the count and the text alternative in sync with the feed, without a render. */
function useDescription(
  feed: CandleFeed,
  describe: (series: ChartSeries) => string,
  rootRef: RefObject<HTMLDivElement | null>,
): void {
  useEffect(() => {
    const onCount = (series: ChartSeries) => {
      rootRef.current?.setAttribute('data-candle-count', String(series.candles.length));
    };
    const onReset = (series: ChartSeries) => {
      onCount(series);
      rootRef.current?.setAttribute('aria-label', describe(series));
    };
    onReset(feed.series());
    let pending: ReturnType<typeof setTimeout> | undefined;
    const stop = feed.listen({
      onReset,
      onClose: (series) => rootRef.current?.setAttribute('aria-label', describe(series)),
      onAppend: (_candle, series) => {
        onCount(series);
        // Announced once no candle has arrived for 250 ms, not ten times a second.
        clearTimeout(pending);
        pending = setTimeout(() => {
          rootRef.current?.setAttribute('aria-label', describe(series));
        }, DESCRIBE_AFTER_MS);
      },
    });
    return () => {
      clearTimeout(pending);
      stop();
    };
  }, [feed, describe, rootRef]);
}

const DESCRIBE_AFTER_MS = 250;

function useLegend(feed: CandleFeed, pointedRef: RefObject<number | null>, show: (timeS: number | null) => void): void {
  useEffect(() => {
    const onReset = () => show(null);
    const onAppend = ({ time }: Candle) => {
      if (pointedRef.current === null) show(null);
      else if (pointedRef.current === time) show(time);
    };
    onReset();
    const onMove = () => pointedRef.current !== null && show(pointedRef.current);
    return feed.listen({ onReset, onAppend, onClose: onMove, onMove });
  }, [feed, pointedRef, show]);
}

/** The candle with its place in the chart's frame; null if it is not drawn. */
function placedIn(host: HTMLElement | null, canvas: CandleCanvas | null, candle: Candle | null): PointedCandle | null {
  const place = candle === null ? null : (canvas?.placeOf(candle) ?? null);
  if (host === null || candle === null || place === null) return null;
  return { candle, place: { x: host.offsetLeft + place.x, y: host.offsetTop + place.y } };
}

/** @param timeS  of the bar whose figures it shows; null: none */
function showLegend(legend: HTMLElement | null, timeS: number | null, series: ChartSeries, decimals: number): void {
  if (legend === null) return;
  if (timeS === null) clearLegend(legend);
  else writeLegend(legend, timeS, series, decimals);
}

const lastS = ({ candles }: ChartSeries): number | null => candles.at(-1)?.time ?? null;
