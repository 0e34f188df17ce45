/** The answer above the chart: the forecast's range and how it turns out, or the usual range without a forecast. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { type AnswerLine, answerOfForecast, answerOfUsual } from '#domain/forecast/ranges/answer-line.ts';
import { describeReleases } from '#domain/forecast/releases/release-text.ts';
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS } from '#domain/forecast/window.ts';
import {
  type CandleFeed,
  type ChartSeries,
  judgedCandles,
  realCandles,
  releasesAhead,
  usualAhead,
} from '../../../charts/candles/candle-feed.ts';
import { timeLabel } from '../../../charts/candles/describe-series.ts';
import { useBookSpread } from '../../../site/book-spread.ts';
import type { ChartMarket } from '../run/chart-market.ts';
import styles from './answer-strip.module.css';

interface AnswerStripProps extends ChartMarket {
  feed: CandleFeed;
}

export function AnswerStrip({ feed, symbol, timeframe }: AnswerStripProps) {
  const spreadBp = useBookSpread(symbol.bookProductId);
  const series = useAnswered(feed);
  const line = answerOf(series, { symbol, timeframe }, spreadBp);
  return (
    <div className={styles.strip} data-answer={line === null ? undefined : kindOf(series)}>
      <p className={styles.lead}>{line?.lead}</p>
      <p className={styles.facts}>{line?.facts.join(' · ')}</p>
      <Announcement feed={feed} symbol={symbol} timeframe={timeframe} />
    </div>
  );
}

function answerOf(series: ChartSeries, { symbol, timeframe }: ChartMarket, spreadBp: number | null): AnswerLine | null {
  const { joinS, band, ampPercent = DEFAULT_AMPLIFY_PERCENT } = series;
  const releases = releasesAhead(series);
  const released = releases && describeReleases(releases, timeLabel);
  const lastClose = realCandles(series).at(-1)?.close;
  if (lastClose === undefined) return null;
  if (joinS === null) {
    const usual = usualAhead(series);
    return usual && answerOfUsual({ ...usual, timeframe, released });
  }
  // An amplified band is not the model's.
  if (band === null || ampPercent !== DEFAULT_AMPLIFY_PERCENT) return null;
  const closes = judgedCandles(series).map(({ close }) => close);
  return answerOfForecast({ symbol, timeframe, lastClose, band, closes, spreadBp, released });
}

function kindOf(series: ChartSeries): 'usual' | 'forecast' | 'result' {
  if (series.joinS === null) return 'usual';
  return judgedCandles(series).length < HORIZON_BARS ? 'forecast' : 'result';
}

/** Without each candle that arrives and each move of the price. */
function useAnswered(feed: CandleFeed): ChartSeries {
  const listen = useCallback(
    (onChange: () => void) =>
      feed.listen({ onReset: onChange, onAppend: () => undefined, onClose: onChange, onUsual: onChange }),
    [feed],
  );
  const [shown] = useState(() => ({ series: feed.series() }));
  const read = useCallback(() => {
    const now = feed.series();
    if (!isSame(now, shown.series)) shown.series = now;
    return shown.series;
  }, [feed, shown]);
  return useSyncExternalStore(listen, read, read);
}

function isSame(a: ChartSeries, b: ChartSeries): boolean {
  const isSameStart = a.joinS === b.joinS && a.band === b.band && a.usual === b.usual;
  return isSameStart && a.outcome === b.outcome && (a.joinS !== null || a.candles === b.candles);
}

/** For screen readers: a forecast's start, its end and its result, each once. */
function Announcement({ feed, symbol, timeframe }: AnswerStripProps) {
  const [text, setText] = useState('');
  useEffect(() => {
    let stage: string | null = null;
    const follow = (series: ChartSeries, isFirst = false) => {
      const next = stageOf(series);
      if (next === stage) return;
      stage = next;
      if (isFirst || next === null) return;
      const line = answerOf(series, { symbol, timeframe }, null);
      setText(`${STAGES[next.split(' ')[0] as Stage]}${line === null ? '' : ` ${line.lead}.`}`);
    };
    follow(feed.series(), true);
    return feed.listen({ onReset: follow, onAppend: (_candle, series) => follow(series), onClose: follow });
  }, [feed, symbol, timeframe]);
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}

type Stage = 'begun' | 'whole' | 'over';

const STAGES: Readonly<Record<Stage, string>> = {
  begun: 'The forecast has started.',
  whole: 'The forecast is complete.',
  over: 'The forecast’s time is over.',
};

/** With its start, so that the next forecast is announced too. Null without a forecast. */
function stageOf(series: ChartSeries): string | null {
  const { joinS, candles } = series;
  if (joinS === null) return null;
  const drawn = candles.length - realCandles(series).length;
  const stage: Stage =
    judgedCandles(series).length >= HORIZON_BARS ? 'over' : drawn >= HORIZON_BARS ? 'whole' : 'begun';
  return `${stage} ${joinS}`;
}
