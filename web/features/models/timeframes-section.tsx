import { coverageText, shortName, skillText } from '#domain/forecast/figures/figure-messages.ts';
import { timeframeName } from '#domain/market/timeframe-text.ts';
import { TIMEFRAME_FIGURES, type TimeframeFigures } from '../../content/timeframe-figures.ts';
import { type Column, Table } from '../../ui/layout/table.tsx';
import styles from './model-limits.module.css';

const COLUMNS: readonly Column<TimeframeFigures>[] = [
  { key: 'timeframe', name: 'Timeframe', cell: ({ timeframe }) => timeframeName(timeframe) },
  { key: 'model', name: 'Model', cell: ({ model }) => shortName(model) },
  { key: 'bobcat', name: 'Over Bobcat', isFigure: true, cell: ({ overBobcat }) => overBobcat && skillText(overBobcat) },
  { key: 'walk', name: 'Over a random walk', isFigure: true, cell: ({ overWalk }) => skillText(overWalk) },
  { key: 'har', name: 'Over HAR with time of week', isFigure: true, cell: ({ overHar }) => skillText(overHar) },
  { key: 'inside', name: 'Inside the 80% band', isFigure: true, cell: ({ inside80 }) => coverageText(inside80, 80) },
];

/** What was measured at 5 and 15 minutes, where no model leads. */
export function TimeframesSection() {
  return (
    <section id="timeframes" aria-labelledby="timeframes-heading" className={styles.timeframes}>
      <h2 id="timeframes-heading">At 5 and 15 minutes</h2>
      <p className="readable-width">
        The three models are equal in measured accuracy at these timeframes: none was shown to be better than another.
        Each reads the last 450 candles and forecasts the next 50, which are 4 h 10 or 12 h 30.
      </p>
      <Table
        caption="Figures at 5 and 15 minutes"
        columns={COLUMNS}
        rows={TIMEFRAME_FIGURES}
        rowKey={({ timeframe, model }) => `${timeframe} ${model}`}
      />
      <p className="muted size-13 readable-width">
        How much lower the error of a model’s bands (CRPS) is, over all horizons, with 95% intervals. Measured on BTC,
        ETH, SOL and DOGE, in months that no model was trained on. The intervals come from 70 and 61 blocks of a day:
        too few for a verdict on any one of them. On shares and gold the models were worse than HAR, over even fewer
        days.
      </p>
    </section>
  );
}
