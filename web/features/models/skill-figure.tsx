/** Figure: skill of the bands by horizon, against each relevant baseline. */
import { describePooled, describeSkill, hasEnoughBlocks } from '#domain/forecast/figures/figure-messages.ts';
import type { BaselineName, ScoreColumn } from '#domain/forecast/model-figures.ts';
import { IntervalChart } from '../../charts/plots/interval-chart.tsx';
import styles from '../../ui/layout/figure-panels.module.css';
import type { PlottedModel } from './measured-models.ts';

/** Easiest baseline first. */
export const SHOWN_BASELINES = [
  {
    baseline: 'ewma-gauss',
    title: 'EWMA baseline, normal',
    description: 'the EWMA baseline with normal quantiles',
  },
  {
    baseline: 'ewma-empirical',
    title: 'EWMA baseline, empirical',
    description: 'the EWMA baseline with empirical quantiles',
  },
  { baseline: 'har-empirical', title: 'Per-symbol HAR', description: 'per-symbol HAR' },
] as const satisfies readonly { baseline: BaselineName; title: string; description: string }[];

const COLUMNS: readonly (readonly [ScoreColumn, string, string])[] = [
  ['h1', '1', 'at 1 minute'],
  ['h5', '5', 'at 5 minutes'],
  ['h10', '10', 'at 10 minutes'],
  ['h25', '25', 'at 25 minutes'],
  ['h50', '50', 'at 50 minutes'],
  ['all', 'all', 'over all 50 horizons'],
];

export function SkillFigure({ models }: { models: readonly PlottedModel[] }) {
  return (
    <figure className="grid one-column gap-3">
      <div className={styles.panels}>
        {SHOWN_BASELINES.map(({ baseline, title, description }) => (
          <div key={baseline} className="card min-width-0 clip">
            <h3 className={styles.panelTitle}>{`Against: ${title}`}</h3>
            <IntervalChart
              name={`Skill against ${description}, by horizon`}
              columns={COLUMNS.map(([, label, place]) => [label, place] as const)}
              series={models.map(({ name, shape, figures }) => ({
                name,
                shape,
                values: COLUMNS.map(([column]) => figures.skill.crpsSkillPercent[baseline][column]),
              }))}
              restingIndex={COLUMNS.length - 1}
            />
            {baseline === 'har-empirical' && <AgainstPooled models={models} />}
          </div>
        ))}
      </div>
      <figcaption className="muted size-13 readable-width">
        How much lower the band's error (CRPS) is than the baseline's, in percent, by minutes ahead. Above zero is
        better, below is worse. Whiskers are 95% intervals; where they cross zero, no difference is shown. The EWMA
        baseline is a random walk whose volatility has a half-life of 60 minutes. With normal quantiles it is the ghost
        on the chart, except that the ghost reads the 150 candles shown and this test reads 450. Per-symbol HAR is
        fitted on the symbol's own history, which is short for perpetuals. Pooled HAR (
        {describePooled(groupOfAll(models))}) has seen the same data as the models.
      </figcaption>
    </figure>
  );
}

/** The pooled log-HAR, which has seen as much data as the models, over all horizons. */
function AgainstPooled({ models }: { models: readonly PlottedModel[] }) {
  const pooled = `pooled HAR (${describePooled(groupOfAll(models))})`;
  return (
    <ul className={styles.beneath} aria-label={`Against ${pooled}, over all 50 horizons`}>
      {models.map(({ model, name, figures }) => (
        <li key={model}>
          {`${name}: ${describeSkill(figures.skill.crpsSkillPercent['har-pooled'].all, pooled, hasEnoughBlocks(figures))}`}
        </li>
      ))}
    </ul>
  );
}

/** All models were measured on one group. */
function groupOfAll(models: readonly PlottedModel[]): string {
  return models[0]?.figures.group ?? '';
}
