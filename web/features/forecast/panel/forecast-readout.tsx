/** The forecast in figures, which is also the chart's text alternative. */
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { plainVerdict } from '#domain/forecast/figures/plain-verdict.ts';
import { timeframeVerdict } from '#domain/forecast/figures/timeframe-verdict.ts';
import { describeEvidence } from '#domain/forecast/figures/unseen-coins.ts';
import { horizonDuration } from '#domain/forecast/horizon-duration.ts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { DEFAULT_AMPLIFY_PERCENT } from '#domain/forecast/window.ts';
import { formatPercent, formatPrice } from '#domain/format/price.ts';
import { barsDuration, barUnit } from '#domain/market/timeframe-text.ts';
import { barMinutesOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { MODEL_MARKS } from '../../../brand/marks.tsx';
import { type CandleFeed, realCandles } from '../../../charts/candles/candle-feed.ts';
import { HONEST_LINE } from '../../../content/honest-line.ts';
import { Evidence } from '../../../ui/layout/evidence.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { useGhostSetting } from '../controls/ghost-toggle.tsx';
import { describeModel, type ModelStatuses } from '../controls/model-choice.ts';
import type { ChartMarket } from '../run/chart-market.ts';
import { ChartKey } from './chart-key.tsx';
import styles from './forecast-readout.module.css';
import { useShownSeries } from './use-shown-series.ts';

/** Forecast bars in the table: counted after the last real candle. */
const TABLE_BARS = [1, 2, 5, 10, 15, 20, 30, 40, 50] as const;

export interface ForecastReadoutProps extends ChartMarket {
  feed: CandleFeed;
  /** Null in the demo, which has no model, and before the forecast is known. */
  model: ModelName | null;
  /** The candles are samples. */
  isSample?: boolean;
  statuses?: ModelStatuses | null;
  figures?: readonly ModelFigures[] | null;
  remark?: ReactNode;
}

export function ForecastReadout(props: ForecastReadoutProps) {
  const { feed, symbol, timeframe, model, isSample = false, statuses = null, figures = null, remark } = props;
  const { isGhostShown } = useGhostSetting();
  const series = useShownSeries(feed);
  const real = realCandles(series);
  const lastClose = real.at(-1)?.close ?? Number.NaN;
  const change = lastClose / (real[0]?.open ?? Number.NaN) - 1;
  return (
    <Panel heading="Forecast Range" className={styles.panel}>
      <div className={styles.body}>
        <div className={styles.last}>
          <span className="muted">Last close</span>
          <span className={`figures ${styles.price}`}>{formatPrice(lastClose, symbol.decimals)}</span>
          <Change share={change} duration={barsDuration(real.length, barMinutesOf(timeframe))} />
        </div>
        <BandTable band={series.band} timeframe={timeframe} decimals={symbol.decimals} />
        <div className="column gap-2">
          <p className={styles.width}>{describeWidth(series.band, lastClose, timeframe)}</p>
          {/* Its lines are reserved from the first drawn candle on; earlier they would leave a hole. */}
          {series.joinS !== null && remark}
        </div>
        <ChartKey
          ghost={isGhostShown ? (series.joinS === null ? 'awaited' : 'drawn') : 'off'}
          isAmplified={(series.ampPercent ?? DEFAULT_AMPLIFY_PERCENT) !== DEFAULT_AMPLIFY_PERCENT}
        />
        <AboutModel
          model={model}
          isSample={isSample}
          description={describeModel(statuses?.[model ?? 'bobcat'] ?? null)}
          figures={figures?.find((entry) => entry.model === model)}
          symbol={symbol}
          timeframe={timeframe}
        />
      </div>
    </Panel>
  );
}

function Change({ share, duration }: { share: number; duration: string }) {
  if (!Number.isFinite(share)) return <span className={styles.change}>&nbsp;</span>;
  const Arrow = share < 0 ? ArrowDown : ArrowUp;
  return (
    <span className={styles.change}>
      <span className={`figures ${share < 0 ? styles.down : styles.up}`}>
        <Arrow size={14} aria-hidden="true" />
        {formatPercent(share)}
      </span>
      <span className="muted">{`over ${duration}`}</span>
    </span>
  );
}

interface BandTableProps {
  band: ForecastBand | null;
  timeframe: Timeframe;
  decimals: number;
}

function BandTable({ band, timeframe, decimals }: BandTableProps) {
  const cell = (prices: readonly number[] | undefined, bar: number) =>
    formatPrice(prices?.[bar - 1] ?? Number.NaN, decimals);
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{`Forecast bands by ${barUnit(timeframe)} after the last close`}</caption>
      <thead>
        <tr>
          <th scope="col" rowSpan={2} className={styles.minutes}>
            {barUnit(timeframe, true)}
          </th>
          <th scope="colgroup" colSpan={2} className={styles.inner}>
            80% band
          </th>
          <th scope="colgroup" colSpan={2}>
            95% band
          </th>
        </tr>
        <tr>
          <th scope="col">low</th>
          <th scope="col">high</th>
          <th scope="col">low</th>
          <th scope="col">high</th>
        </tr>
      </thead>
      <tbody className="figures">
        {TABLE_BARS.map((bar) => (
          <tr key={bar}>
            <th scope="row" className={styles.minutes}>
              {`+${bar}`}
            </th>
            <td>{cell(band?.lower80, bar)}</td>
            <td>{cell(band?.upper80, bar)}</td>
            <td className="muted">{cell(band?.lower95, bar)}</td>
            <td className="muted">{cell(band?.upper95, bar)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The 80% band's width at its end; the same height with or without a forecast. */
function describeWidth(band: ForecastBand | null, lastClose: number, timeframe: Timeframe): string {
  const lower = band?.lower80.at(-1);
  const upper = band?.upper80.at(-1);
  if (lower === undefined || upper === undefined) return 'The bands appear here once a forecast is on the chart.';
  const [down, up] = [lower, upper].map((edge) => formatPercent(edge / lastClose - 1));
  return `In ${horizonDuration(timeframe)}, 8 of 10 closes should fall between ${down} and ${up}.`;
}

const DEMO_NOTE = 'Sample candles with a band based on their own volatility. No model was used.';

interface AboutModelProps extends ChartMarket {
  model: ModelName | null;
  isSample: boolean;
  description: string;
  figures: ModelFigures | undefined;
}

const PATH_NOTE = 'The candles are one plausible path of many, not the expected one.';

function AboutModel({ model, isSample, description, figures, symbol, timeframe }: AboutModelProps) {
  const isOneMinute = timeframe === DEFAULT_TIMEFRAME;
  const Mark = MODEL_MARKS[model ?? 'bobcat'];
  return (
    <div className={styles.about}>
      <Mark size={28} aria-hidden="true" />
      <div>
        <p className="text weight-500">
          {model !== null ? MODELS[model].label : isSample ? 'Sample forecast' : 'Kat’s forecasts'}
        </p>
        <p>{isSample ? DEMO_NOTE : model === null ? PATH_NOTE : description}</p>
        {model !== null && (
          <p>{`${PATH_NOTE} ${timeframeVerdict(timeframe, symbol, plainVerdict(figures, symbol))}`}</p>
        )}
        {model !== null && isOneMinute && (
          <Evidence>
            <p>{describeEvidence(figures, symbol) || 'The figures haven’t loaded yet.'}</p>
          </Evidence>
        )}
        <p>
          {HONEST_LINE}{' '}
          <Link to={isOneMinute ? '/track-record' : '/ai-models#timeframes'}>
            {isOneMinute ? 'Track record' : 'Figures'}
          </Link>
        </p>
      </div>
    </div>
  );
}
