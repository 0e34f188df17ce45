/** Figure: skill of the bands by horizon, against each baseline that matters. */
import type { BaselineName, ScoreColumn } from '#domain/forecast/model-figures.ts';
import { IntervalChart } from '../../charts/interval-chart.tsx';
import styles from './figures.module.css';
import type { MeasuredModel } from './measured-models.ts';

/** In the order of how hard they are to beat. */
export const SHOWN_BASELINES = [
  { baseline: 'ewma-gauss', title: 'Random walk, normal', words: 'a random walk with normal quantiles' },
  { baseline: 'ewma-empirical', title: 'Random walk, empirical', words: 'a random walk with empirical quantiles' },
  { baseline: 'har-empirical', title: 'HAR, empirical', words: 'HAR refitted per symbol' },
] as const satisfies readonly { baseline: BaselineName; title: string; words: string }[];

const COLUMNS: readonly (readonly [ScoreColumn, string, string])[] = [
  ['h1', '1', 'at 1 minute'],
  ['h5', '5', 'at 5 minutes'],
  ['h10', '10', 'at 10 minutes'],
  ['h25', '25', 'at 25 minutes'],
  ['h50', '50', 'at 50 minutes'],
  ['all', 'all', 'over all 50 horizons'],
];

export function SkillFigure({ models }: { models: readonly MeasuredModel[] }) {
  return (
    <figure className={styles.figure}>
      <div className={styles.panels}>
        {SHOWN_BASELINES.map(({ baseline, title, words }) => (
          <div key={baseline} className={styles.panel}>
            <h4 className={styles.panelTitle}>Against: {title}</h4>
            <IntervalChart
              name={`Skill against ${words}, by horizon`}
              columns={COLUMNS.map(([, label, place]) => [label, place] as const)}
              series={models.map(({ name, shape, figures }) => ({
                name,
                shape,
                values: COLUMNS.map(([column]) => figures.skill.crpsSkillPercent[baseline][column]),
              }))}
              restingIndex={COLUMNS.length - 1}
            />
          </div>
        ))}
      </div>
      <figcaption className={styles.caption}>
        Per cent by which the error of the band (CRPS) is lower than the baseline's, by minutes ahead. Above the line at
        zero is better, below it worse. Whiskers: 95 % intervals; where they cross zero, no difference is shown. The
        random walk's volatility is a fading mean with a half-life of 60 minutes: the ghost on the chart.
      </figcaption>
    </figure>
  );
}
